package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"memctl/cmd/console"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// CompleteRoot makes the rest of a memory root that its first memory has made.
func CompleteRoot(std Streams, s *store.Store) error {
	made, err := s.Complete()
	if made {
		root, _, _ := s.RootOrPlanned()
		console.Note(std.Err, "made the memory root %s", root.Path)
	}
	return err
}

// FromHere returns a path as a command run in this folder would name it, with slashes: a
// shell takes backslashes away.
func FromHere(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return filepath.ToSlash(path)
	}
	if real, err := filepath.EvalSymlinks(here); err == nil {
		here = real // a root's path has no links
	}
	rel, err := filepath.Rel(here, path)
	if err != nil || !filepath.IsLocal(rel) {
		rel = path
	}
	return filepath.ToSlash(rel)
}

// AtHome shortens a path below the home folder.
func AtHome(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || path == "" {
		return path
	}
	if resolved, err := filepath.EvalSymlinks(home); err == nil {
		home = resolved // as the paths of roots are
	}
	rel, err := filepath.Rel(home, filepath.FromSlash(path))
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return path
	case rel == ".":
		return "~"
	}
	return "~/" + filepath.ToSlash(rel)
}

// shortScore is four characters wide: "  12", or "0.83".
func shortScore(score float64) string {
	if score == math.Trunc(score) {
		return fmt.Sprintf("%4.0f", score)
	}
	return fmt.Sprintf("%.2f", score)
}

// shownPath is the path of a memory: absolute in an answer about all projects.
func shownPath(e retrieve.Entry) string {
	if e.Project == "" {
		return e.Path
	}
	return AtHome(e.Path)
}

// explainLocks says what a lock stands for.
const explainLocks = "🔒 marks text that memctl removed before it wrote the file: a private section or a secret."

// ShownMemory is a memory as it is printed: the head, then the content as headings and lists in the
// order of the file, then the history. Version is a line that says which version it is.
type ShownMemory struct {
	At string
	schemas.Memory
	Version string
	Content string
}

// PrintMemory writes all of a memory, given with its file. Unless all is true, a terminal shows only the
// beginning of a long content. A lock stands where private text was removed.
func (std Streams) PrintMemory(
	out console.Screen, path string, m schemas.Memory, file []byte, version string, all bool,
) error {
	printed, err := std.rendered("memory", ShownMemory{path, m, version, ContentOf(out, schemas.ContentOf(file), all)})
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

// printLine writes a line, or several that are indented alike.
func printLine(out io.Writer, depth int, line string) {
	fmt.Fprintln(out, indent(strings.Repeat("  ", depth), line))
}

func indent(by, s string) string { return text.Indent(text.Paragraph(s), by) }

// maxContent is how many characters of a content a terminal shows.
const maxContent = 10_000

// ContentOf renders JSON that has been decoded once already, and so is valid.
func ContentOf(out console.Screen, raw json.RawMessage, all bool) string {
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

// ShowAdded says which memory was saved.
func ShowAdded(c *cli.Context, std Streams, s *store.Store, w *writer.Writer, done store.Added) error {
	if err := CompleteRoot(std, s); err != nil {
		return err
	}
	if c.Bool("json") {
		return WriteJSON(std.Out, done)
	}
	if done.Status == writer.Proposed {
		_, err := fmt.Fprintln(std.Out, done.Name())
		return err
	}
	if done.Status == "updated" {
		console.Note(std.Err, "replaced the summary of the same work; --anyway keeps both")
	}
	if done.Guessed {
		standing, fact := "", ""
		if done.Standing {
			standing = "; sessions start with it"
		}
		if done.Category == schemas.Preference {
			fact = ", or for a fact: memctl add fact \"TEXT\""
		}
		console.Note(std.Err, "saved as a %s, judging by its wording%s. To choose: memctl add CATEGORY \"TEXT\"%s",
			strings.ReplaceAll(string(done.Category), "_", " "), standing, fact)
	}
	if proposal := done.Proposal(w.Root.Scope); proposal != "" {
		console.Note(std.Err, "%s", proposal)
	}
	info, _ := done.Category.Info()
	fmt.Fprintln(std.Out, FromHere(w.Root.Join(info.Folder+"/"+done.ID+".json")))
	return nil
}
