package render

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"memctl/catalogue"
	"memctl/schemas"
	"memctl/term"
	"memctl/text"
)

// Roots writes the roots of the catalogue: a table on a terminal, else two lines for each.
func Roots(s term.Screen, list []catalogue.Root) {
	if s.IsTerminal() {
		rootsTable(list).Print(s)
		return
	}
	for _, r := range list {
		line := fmt.Sprintf("%s, %s, seen %s", text.Plural(memoriesOf(r), "memory", "memories"), size(r.SizeBytes), day(r.Seen))
		if note := rootNote(r); note != "" {
			line += ", " + note
		}
		s.Print(term.Bold, text.Printable(atHome(r.Project)))
		fmt.Fprintf(s, "\n    %s\n", line)
	}
}

func rootsTable(list []catalogue.Root) term.Table {
	t := term.Table{Columns: []term.Column{{Head: "PROJECT", Style: term.Cyan, Cut: true}, {Head: "MEMORIES"}, {Head: "SIZE", Optional: true}, {Head: "SEEN"}, {Head: "NOTE"}, {Head: "REMOTE", Style: term.Faint, Cut: true, Optional: true}}}
	for _, r := range list {
		t.Rows = append(t.Rows, []string{atHome(r.Project), fmt.Sprint(memoriesOf(r)), size(r.SizeBytes), day(r.Seen), rootNote(r), r.Remote})
	}
	return t
}

// memoriesOf is the number of a root's memories.
func memoriesOf(r catalogue.Root) int {
	n := 0
	for _, status := range schemas.Statuses {
		n += r.Memories[status]
	}
	return n
}

// rootNote says what is unusual about a root, "" if nothing is.
func rootNote(r catalogue.Root) string {
	var notes []string
	if r.Gone {
		notes = append(notes, "gone")
	}
	if n := r.Problems; n > 0 {
		notes = append(notes, text.Plural(n, "problem", "problems"))
	}
	return strings.Join(notes, ", ")
}

// atHome shortens a path below the home folder.
func atHome(path string) string {
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
