package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"memctl/retrieve"
	"memctl/schemas"
	"memctl/term"
	"memctl/text"
)

// locks puts a lock before each marker of text that was removed. Each Write takes whole
// lines.
type locks struct {
	io.Writer
	found bool
}

func (l *locks) Write(p []byte) (int, error) {
	shown, found := schemas.MarkRemoved(string(p), func(marker string) string { return "🔒" + marker })
	l.found = l.found || found
	_, err := io.WriteString(l.Writer, shown)
	return len(p), err
}

// explainLocks says what a lock stands for.
const explainLocks = "🔒 stands for text that memctl removed before it wrote the file: a private section or a secret."

// printMemory writes all of a memory, given with its file: the head, then the content as
// headings and lists in the order of the file, then the history. version is a line that
// says which version it is. Unless all is true, a terminal shows only the beginning of a
// long content. A lock stands where private text was removed.
func printMemory(out term.Screen, path string, m schemas.Memory, file []byte, version string, all bool) {
	removed := new(locks)
	out = out.Through(func(w io.Writer) io.Writer {
		removed.Writer = w
		return removed
	})
	out.Print(term.Bold, fmt.Sprintf("[%s] %s\n", m.Category.Display(), m.Title))
	printLine(out, 0, "%s", path)
	printLine(out, 0, "%s, created %s, updated %s (%s)", m.RecordStatus, day(m.CreatedAt), day(m.UpdatedAt),
		text.Plural(m.TimesUpdated, "time", "times"))
	if m.RetiredAt != "" {
		printLine(out, 0, "retired: %s", strings.TrimSpace(day(m.RetiredAt)+" "+m.RetiredReason))
	}
	if m.ArchivedAt != "" {
		printLine(out, 0, "archived: %s", strings.TrimSpace(day(m.ArchivedAt)+" "+m.ArchivedReason))
	}
	if strings.Join(m.Tags, "") != "" {
		printLine(out, 0, "tags: %s", strings.Join(text.Tags(m.Tags), ", "))
	}
	if strings.Join(m.RelatedFiles, "") != "" {
		printLine(out, 0, "files: %s", strings.Join(m.RelatedFiles, ", "))
	}
	if m.Confidence != nil {
		printLine(out, 0, "confidence: %g", *m.Confidence)
	}
	printLine(out, 0, "%s", version)
	printContent(out, schemas.ContentOf(file), all)
	if len(m.Changes) > 0 {
		printLine(out, 0, "\nhistory")
	}
	for _, c := range m.Changes {
		printLine(out, 1, "%s %s", day(c.Date), c.Summary)
	}
	if removed.found {
		printLine(out, 0, "\n%s", explainLocks)
	}
}

// printObservation writes what a tool did, field by field. It cuts it as printMemory does.
func printObservation(out term.Screen, d retrieve.Detail, all bool) {
	out.Print(term.Bold, fmt.Sprintf("[%s] %s\n", d.Category, d.ID))
	var stored struct{ Payload json.RawMessage }
	if json.Unmarshal(d.Stored, &stored) == nil {
		printContent(out, stored.Payload, all)
	}
}

// printDetail writes what an agent judges a memory or an observation by.
func printDetail(out io.Writer, d retrieve.Detail) {
	fmt.Fprintf(out, "\ndetails\n  about %s, code: %s\n", text.Plural(d.TokenCount, "token", "tokens"),
		choose(d.HasCode, "yes", "no"))
	if len(d.Tools) > 0 {
		fmt.Fprintf(out, "  tools: %s\n", text.Printable(strings.Join(d.Tools, ", ")))
	}
	for _, r := range d.Relations {
		fmt.Fprintf(out, "  %s\n", text.Printable(strings.ReplaceAll(r.String(), "_", " ")))
	}
}

// printLine writes a line, or several that are indented alike.
func printLine(out io.Writer, depth int, format string, args ...any) {
	fmt.Fprintln(out, text.Indent(text.Paragraph(fmt.Sprintf(format, args...)), strings.Repeat("  ", depth)))
}

// maxContent is how many characters of a content a terminal shows.
const maxContent = 10_000

// printContent writes JSON that has been decoded once already, and so is valid.
func printContent(out term.Screen, raw json.RawMessage, all bool) {
	if len(raw) == 0 {
		return
	}
	var body strings.Builder
	printValue(&body, json.NewDecoder(bytes.NewReader(raw)), 0, "")
	shown := body.String()
	if out.IsTerminal() && !all {
		shown = text.Truncate(shown, maxContent)
	}
	fmt.Fprintf(out, "\n%s", shown)
	if rest := utf8.RuneCountInString(body.String()[len(shown):]); rest > 0 {
		out.Print(term.Faint, fmt.Sprintf("…\n[%s not shown; --full shows all]\n",
			text.Plural(rest, "more character is", "more characters are")))
	}
}

// printValue writes the next value in the order of the file. Its label stands on the
// same line as a scalar, and on a separate line above a list or an object.
func printValue(out io.Writer, dec *json.Decoder, depth int, label string) {
	token, err := dec.Token()
	if err != nil {
		return
	}
	if _, nested := token.(json.Delim); !nested {
		if token == nil {
			token = "null"
		}
		printLine(out, depth, "%s %v", cmp.Or(label, "-"), token)
		return
	}
	if label != "" {
		printLine(out, depth, "%s", label)
		depth++
	}
	for dec.More() {
		name := ""
		if token == json.Delim('{') {
			key, err := dec.Token()
			if err != nil {
				return
			}
			name = strings.ReplaceAll(key.(string), "_", " ") + ":"
		}
		printValue(out, dec, depth, name)
	}
	_, _ = dec.Token() // the end of the list or object
}
