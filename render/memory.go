package render

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

// Memory writes all of a memory: the head, then the content as headings and lists,
// then the history. version is a line that says which version it is. Unless all is true,
// a terminal shows only the beginning of a long content.
// A lock stands where private text was removed.
func Memory(out term.Screen, path string, m schemas.Memory, version string, all bool) {
	removed := new(locks)
	out = out.Through(func(w io.Writer) io.Writer {
		removed.Writer = w
		return removed
	})
	out.Print(term.Bold, fmt.Sprintf("[%s] %s\n", m.Category.Display(), m.Title))
	line(out, 0, "%s", path)
	line(out, 0, "%s, created %s, updated %s (%s)", m.RecordStatus, day(m.CreatedAt), day(m.UpdatedAt), text.Plural(m.TimesUpdated, "time", "times"))
	if m.RetiredAt != "" {
		line(out, 0, "retired: %s", strings.TrimSpace(day(m.RetiredAt)+" "+m.RetiredReason))
	}
	if m.ArchivedAt != "" {
		line(out, 0, "archived: %s", strings.TrimSpace(day(m.ArchivedAt)+" "+m.ArchivedReason))
	}
	if strings.Join(m.Tags, "") != "" {
		line(out, 0, "tags: %s", strings.Join(text.Tags(m.Tags), ", "))
	}
	if strings.Join(m.RelatedFiles, "") != "" {
		line(out, 0, "files: %s", strings.Join(m.RelatedFiles, ", "))
	}
	if m.Confidence != nil {
		line(out, 0, "confidence: %g", *m.Confidence)
	}
	line(out, 0, "%s", version)
	content(out, m.Content, all)
	if len(m.Changes) > 0 {
		line(out, 0, "\nhistory")
	}
	for _, c := range m.Changes {
		line(out, 1, "%s %s", day(c.Date), c.Summary)
	}
	if removed.found {
		line(out, 0, "\n%s", explainLocks)
	}
}

// Observation writes what a tool did, field by field. It cuts it like Memory.
func Observation(out term.Screen, d retrieve.Detail, all bool) {
	out.Print(term.Bold, fmt.Sprintf("[%s] %s\n", d.Category, d.ID))
	var stored struct{ Payload json.RawMessage }
	if json.Unmarshal(d.Stored, &stored) == nil {
		content(out, stored.Payload, all)
	}
}

// Detail writes what an agent judges a memory or an observation by.
func Detail(out io.Writer, d retrieve.Detail) {
	fmt.Fprintf(out, "\ndetails\n  about %s, code: %s\n", text.Plural(d.TokenCount, "token", "tokens"), choose(d.HasCode, "yes", "no"))
	if len(d.Tools) > 0 {
		fmt.Fprintf(out, "  tools: %s\n", text.Printable(strings.Join(d.Tools, ", ")))
	}
	for _, r := range d.Relations {
		fmt.Fprintf(out, "  %s\n", text.Printable(strings.ReplaceAll(r.String(), "_", " ")))
	}
}

// line writes a line, or several that are indented alike.
func line(out io.Writer, depth int, format string, args ...any) {
	fmt.Fprintln(out, text.Indent(text.Paragraph(fmt.Sprintf(format, args...)), strings.Repeat("  ", depth)))
}

// maxContent is how many characters of a content a terminal shows.
const maxContent = 10_000

// content writes JSON that has been decoded once already, and so is valid.
func content(out term.Screen, raw json.RawMessage, all bool) {
	if len(raw) == 0 {
		return
	}
	var body strings.Builder
	value(&body, json.NewDecoder(bytes.NewReader(raw)), 0, "")
	shown := body.String()
	if out.IsTerminal() && !all {
		shown = text.Truncate(shown, maxContent)
	}
	fmt.Fprintf(out, "\n%s", shown)
	if rest := utf8.RuneCountInString(body.String()[len(shown):]); rest > 0 {
		out.Print(term.Faint, fmt.Sprintf("…\n[%s not shown; --full shows all]\n", text.Plural(rest, "more character is", "more characters are")))
	}
}

// value writes the next value in the order of the file. Its label stands on the
// same line as a scalar, and on a separate line above a list or an object.
func value(out io.Writer, dec *json.Decoder, depth int, label string) {
	token, err := dec.Token()
	if err != nil {
		return
	}
	if _, nested := token.(json.Delim); !nested {
		if token == nil {
			token = "null"
		}
		line(out, depth, "%s %v", cmp.Or(label, "-"), token)
		return
	}
	if label != "" {
		line(out, depth, "%s", label)
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
		value(out, dec, depth, name)
	}
	_, _ = dec.Token() // the end of the list or object
}
