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
	"memctl/features/hub"
	"memctl/files"
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
	if i := slices.IndexFunc(names, hub.IsID); i >= 0 {
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
	newBy  string          // who wrote it, if the user has not seen it
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
		d.newBy = sources.NewBy(d.Ref, d.stored)
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
		if d.newBy != "" {
			console.Note(std.Err, "%s is %s", d.Shown(), strings.TrimSpace(retrieve.NewMark(d.newBy)))
		}
		if d.Root.Scope == files.NotesScope {
			console.Note(std.Err, "%s is %s", d.Shown(), d.Root.Scope.Kind())
			continue
		}
		console.Note(std.Err, "md5 %s of %s, for update --hash", d.hash(), d.Shown())
	}
	return nil
}

func printDocuments(s console.Screen, list []document, full, details bool) error {
	return eachApart(s, list, func(d document) error {
		if err := d.print(s, full); err != nil || !details {
			return err
		}
		return say(s, "details", d.detail)
	})
}

func (d document) print(s console.Screen, full bool) error {
	if d.Type == retrieve.ObservationType {
		return printObservation(s, d.detail, full)
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
	if d.Root.Scope == files.NotesScope {
		version = d.Root.Scope.Kind() + `; "memctl adopt ` + d.ID + `" makes a memory of it`
	}
	if d.newBy != "" {
		version = "new: by " + text.Printable(d.newBy) + "; \"memctl trust\" says that you have seen it\n" + version
	}
	return printMemory(s, d.Shown(), m, d.stored, version, full)
}

func (d document) hash() string { return fmt.Sprintf("%x", md5.Sum(d.stored)) }

func withNewline(data []byte) []byte {
	if bytes.HasSuffix(data, []byte("\n")) {
		return data
	}
	return append(data, '\n')
}

// explainLocks says what a lock stands for.
const explainLocks = "🔒 marks text that memctl removed before it wrote the file: a private section or a secret."

// shownMemory is a memory as it is printed: the head, then the content as headings and lists in the
// order of the file, then the history. Version is a line that says which version it is.
type shownMemory struct {
	At string
	schemas.Memory
	Version string
	Content string
}

// printMemory writes all of a memory, given with its file. Unless all is true, a terminal shows only the
// beginning of a long content. A lock stands where private text was removed.
func printMemory(out console.Screen, path string, m schemas.Memory, file []byte, version string, all bool) error {
	printed, err := rendered("memory", shownMemory{path, m, version, contentOf(out, schemas.ContentOf(file), all)})
	if err != nil {
		return err
	}
	shown, removed := schemas.MarkRemoved(printed, func(marker string) string { return "🔒" + marker })
	if removed {
		shown += "\n" + explainLocks + "\n"
	}
	out.PrintMarked(shown)
	return nil
}

func printObservation(out console.Screen, d retrieve.Detail, all bool) error {
	var stored struct{ Payload json.RawMessage }
	_ = json.Unmarshal(d.Stored, &stored) // without a payload, nothing is shown
	return say(out, "observation", struct {
		retrieve.Detail
		Content string
	}{d, contentOf(out, stored.Payload, all)})
}

// printLine writes a line, or several that are indented alike.
func printLine(out io.Writer, depth int, line string) {
	fmt.Fprintln(out, indent(strings.Repeat("  ", depth), line))
}

func indent(by, s string) string { return text.Indent(text.Paragraph(s), by) }

// maxContent is how many characters of a content a terminal shows.
const maxContent = 10_000

// contentOf renders JSON that has been decoded once already, and so is valid.
func contentOf(out console.Screen, raw json.RawMessage, all bool) string {
	if len(raw) == 0 {
		return ""
	}
	var body strings.Builder
	printValue(&body, json.NewDecoder(bytes.NewReader(raw)), 0, "")
	shown := body.String()
	if out.IsTerminal() && !all {
		shown = text.Truncate(shown, maxContent)
	}
	if rest := utf8.RuneCountInString(body.String()[len(shown):]); rest > 0 {
		shown += console.Mark(console.Faint, fmt.Sprintf("…\n[%s not shown; --full shows all]\n",
			text.Plural(rest, "more character is", "more characters are")))
	}
	return "\n" + shown
}

// printValue writes the next value in the order of the file, unless it is empty. Its label is on the
// same line as a scalar, and on a separate line above a list or an object.
func printValue(out io.Writer, dec *json.Decoder, depth int, label string) {
	token, err := dec.Token()
	if err != nil {
		return
	}
	if _, nested := token.(json.Delim); !nested {
		switch token {
		case nil:
			token = "null"
		case "":
			return
		}
		printLine(out, depth, fmt.Sprintf("%s %v", cmp.Or(label, "-"), token))
		return
	}
	var entries strings.Builder
	below := depth
	if label != "" {
		below++
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
		printValue(&entries, dec, below, name)
	}
	_, _ = dec.Token() // the end of the list or object
	if label != "" && entries.Len() > 0 {
		printLine(out, depth, label)
	}
	_, _ = io.WriteString(out, entries.String())
}
