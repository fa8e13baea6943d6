package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/remote"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runShow(c *cli.Context, std streams) error {
	names, err := memoryNames(c)
	if err != nil {
		return err
	}
	if c.Bool("hub") {
		return showHub(c, std, names)
	}
	if i := slices.IndexFunc(names, remote.IsID); i >= 0 {
		return console.Refused("memctl show --hub asks the hub for it", "%s is the id of a memory of a hub", names[i])
	}
	if c.Bool("path") {
		return showPaths(c, std, names)
	}
	return showDocuments(c, std, names)
}

type location struct {
	ID   string `json:"id"`
	Path string `json:"path"`
}

// showPaths prints the paths of memories, which may be broken files.
func showPaths(c *cli.Context, std streams, names []string) error {
	st, roots, err := findRoots(c, std)
	if err != nil {
		return err
	}
	list, err := readSources(c.Context, st, roots, func(sources retrieve.Sources) (list []retrieve.Ref, err error) {
		for _, name := range names {
			ref, err := sources.Resolve(c.Context, name)
			if err == nil && ref.Type != retrieve.MemoryType {
				err = fmt.Errorf("%s is an observation, not a memory", name)
			}
			if err != nil {
				return list, err
			}
			list = append(list, ref)
		}
		return list, nil
	})
	for _, ref := range list {
		file := ref.Root.Join(ref.Path)
		if !c.Bool("json") {
			fmt.Fprintln(std.Out, fromHere(file))
		} else if err := writeJSON(std.Out, location{stemOf(ref.Path), filepath.ToSlash(file)}); err != nil {
			return err
		}
	}
	return err
}

// document is a memory, which may be a broken file, or an observation.
type document struct {
	retrieve.Ref
	stored []byte
	memory schemas.Memory
	broken error           // why there is no memory
	detail retrieve.Detail // of an observation, and with --details
}

// showDocuments prints the documents before the first that it cannot find or read. With
// --details it prints all or none.
func showDocuments(c *cli.Context, std streams, names []string) error {
	st, roots, err := findRoots(c, std)
	if err != nil {
		return err
	}
	details := c.Bool("details")
	list, err := readSources(c.Context, st, roots, func(sources retrieve.Sources) ([]document, error) {
		return readDocuments(c.Context, sources, names, details)
	})
	for _, d := range list {
		st.NoteOpened(d.Ref)
	}
	switch {
	case details && err != nil:
		return err
	case c.Bool("json"):
		return errors.Join(writeDocuments(std, list, details), err)
	}
	printErr := paged(c, std, func(s console.Screen) error { return printDocuments(s, list, c.Bool("full"), details) })
	return cmp.Or(printErr, err)
}

func readDocuments(ctx context.Context, sources retrieve.Sources, names []string, details bool) (list []document,
	err error) {
	for _, name := range names {
		var d document
		if d.Ref, err = sources.Resolve(ctx, name); err != nil {
			return list, err
		}
		if details || d.Type == retrieve.ObservationType {
			d.detail, err = sources.Detail(ctx, d.Ref)
			d.stored = d.detail.Stored
		} else if d.stored, err = d.Root.ReadFile(d.Path); err != nil {
			err = fmt.Errorf("%s: %w", d.Path, err)
		}
		if err == nil && d.Type != retrieve.ObservationType {
			if d.memory, d.broken = schemas.Decode(d.stored); d.broken == nil {
				err = sources.Recount(ctx, d.Ref, &d.memory)
			}
		}
		if err != nil {
			return list, err
		}
		list = append(list, d)
	}
	return list, nil
}

// writeDocuments writes the documents as they are stored, or with details. A memory's
// hash, which the file cannot contain, goes to stderr.
func writeDocuments(std streams, list []document, details bool) error {
	if details {
		all := make([]retrieve.Detail, len(list))
		for i, d := range list {
			all[i] = d.detail
		}
		return writeJSON(std.Out, all)
	}
	for _, d := range list {
		if d.Type == retrieve.ObservationType {
			if err := writeJSON(std.Out, json.RawMessage(d.stored)); err != nil {
				return err
			}
			continue
		}
		if _, err := std.Out.Write(text.EscapeJSON(withNewline(d.stored))); err != nil {
			return err
		}
		if d.Root.Scope == memdir.NotesScope {
			console.Note(std.Err, "%s is %s", d.Shown(), d.Root.Scope.Kind())
			continue
		}
		console.Note(std.Err, "md5 %s of %s, for update --hash", d.hash(), d.Shown())
	}
	return nil
}

func printDocuments(s console.Screen, list []document, full, details bool) error {
	for i, d := range list {
		if i > 0 {
			fmt.Fprintln(s)
		}
		if err := d.print(s, full); err != nil {
			return err
		}
		if details {
			if err := say(s, "details", d.detail); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d document) print(s console.Screen, full bool) error {
	if d.Type == retrieve.ObservationType {
		printObservation(s, d.detail, full)
		return nil
	}
	if d.broken != nil {
		return console.Refused("fix the file in an editor; memctl show --json prints it as it is",
			"%s: %w", d.Path, d.broken)
	}
	m := d.memory
	folder, name, _ := strings.Cut(d.Path, "/")
	category, _ := schemas.CategoryOfFolder(folder)
	m.Complete(category, strings.TrimSuffix(name, ".json"))
	version := "md5: " + d.hash()
	if d.Root.Scope == memdir.NotesScope {
		version = d.Root.Scope.Kind() + `; "memctl adopt ` + d.ID + `" makes a memory of it`
	}
	printMemory(s, d.Shown(), m, d.stored, version, full)
	return nil
}

func (d document) hash() string { return fmt.Sprintf("%x", md5.Sum(d.stored)) }

func withNewline(data []byte) []byte {
	if bytes.HasSuffix(data, []byte("\n")) {
		return data
	}
	return append(data, '\n')
}

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
func printMemory(out console.Screen, path string, m schemas.Memory, file []byte, version string, all bool) {
	removed := new(locks)
	out = out.Through(func(w io.Writer) io.Writer {
		removed.Writer = w
		return removed
	})
	out.Print(console.Bold, fmt.Sprintf("[%s] %s\n", m.Category.Display(), m.Title))
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
func printObservation(out console.Screen, d retrieve.Detail, all bool) {
	out.Print(console.Bold, fmt.Sprintf("[%s] %s\n", d.Category, d.ID))
	var stored struct{ Payload json.RawMessage }
	if json.Unmarshal(d.Stored, &stored) == nil {
		printContent(out, stored.Payload, all)
	}
}

// printLine writes a line, or several that are indented alike.
func printLine(out io.Writer, depth int, format string, args ...any) {
	fmt.Fprintln(out, text.Indent(text.Paragraph(fmt.Sprintf(format, args...)), strings.Repeat("  ", depth)))
}

// maxContent is how many characters of a content a terminal shows.
const maxContent = 10_000

// printContent writes JSON that has been decoded once already, and so is valid.
func printContent(out console.Screen, raw json.RawMessage, all bool) {
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
		out.Print(console.Faint, fmt.Sprintf("…\n[%s not shown; --full shows all]\n",
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
