package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runRoots(c *cli.Context, std streams) error {
	r, err := catalogueOf(c, std)
	if err != nil {
		return err
	}
	roots, err := r.Roots(c.Context)
	if err != nil {
		return err
	}
	noteNone(c, std, len(roots),
		"no projects yet: a project is listed when a session starts in it, or a memory is written")
	return printPaged(c, std, roots, printRoots)
}

func runRootsAdd(c *cli.Context, std streams) error {
	if c.Args().Len() > 1 {
		return console.Usagef("roots add takes one path, got %d", c.Args().Len())
	}
	root, err := memdir.At(cmp.Or(c.Args().First(), "."))
	if err != nil {
		return err
	}
	if err := (store.Catalogue{}).Add(c.Context, root); err != nil {
		return err
	}
	if _, err := root.Introduce(); err != nil { // the person confirms it
		return err
	}
	added := struct {
		Added string `json:"added"`
	}{filepath.ToSlash(root.Path)}
	if c.Bool("json") {
		return writeJSON(std.Out, added)
	}
	_, err = fmt.Fprintf(std.Out, "added %s\n", text.Printable(added.Added))
	return err
}

// forgotten is the answer of roots forget.
type forgotten struct {
	Forgotten []string `json:"forgotten"`
	Never     bool     `json:"never"`
}

func runRootsForget(c *cli.Context, std streams) (err error) {
	done := forgotten{Never: c.Bool("never")}
	gone := c.Bool("gone")
	switch {
	case gone && (c.Args().Present() || done.Never):
		return console.Usagef("--gone takes neither a path nor --never")
	case gone:
		done.Forgotten, err = store.Catalogue{}.ForgetGone(c.Context)
	case c.Args().Len() != 1:
		return console.Usagef("roots forget takes one path, got %d", c.Args().Len())
	default:
		done.Forgotten, err = store.Catalogue{}.Forget(c.Context, c.Args().First(), done.Never)
	}
	if err != nil {
		return err
	}
	done.Forgotten = notNil(done.Forgotten)
	for i, path := range done.Forgotten {
		done.Forgotten[i] = filepath.ToSlash(path)
	}
	if !gone && !done.Never && !c.Bool("json") {
		console.Hint(std.Err, "the next session there lists it again; --never keeps it out")
	}
	return printResult(c, std, done, func(out io.Writer, f forgotten) {
		for _, path := range f.Forgotten {
			fmt.Fprintf(out, "forgot %s\n", text.Printable(path))
		}
		if len(f.Forgotten) == 0 {
			fmt.Fprintln(out, "nothing to forget")
		}
	})
}

func runRootsRebuild(c *cli.Context, std streams) error {
	done, err := store.Catalogue{Progress: console.Progress(std.Err, "reading projects")}.Rebuild(c.Context)
	if err != nil {
		return fmt.Errorf("rebuild the catalogue: %w", err)
	}
	return printResult(c, std, done, func(out io.Writer, r store.Rebuilt) {
		fmt.Fprintf(out, "catalogued %s of %s in %d ms", text.Plural(r.Memories, "memory", "memories"),
			text.Plural(r.Roots, "project", "projects"), r.ElapsedMS)
		if r.Gone > 0 {
			fmt.Fprintf(out, "; %d gone", r.Gone)
		}
		fmt.Fprintln(out)
	})
}

// printRoots writes the roots of the catalogue: a table on a terminal, else two lines for each.
func printRoots(s console.Screen, list []store.Catalogued) {
	columns := []console.Column{{Head: "PROJECT", Style: console.Cyan, Cut: true}, {Head: "MEMORIES"},
		{Head: "SIZE", Optional: true}, {Head: "SEEN"}, {Head: "NOTE"}, {Head: "REMOTE", Style: console.Faint, Cut: true,
			Optional: true}}
	row := func(r store.Catalogued) []string {
		return []string{atHome(r.Project), fmt.Sprint(memoryCount(r)), sizeOf(r.SizeBytes),
			day(r.Seen), rootNote(r), r.Remote}
	}
	if console.Tabulate(s, list, columns, row) {
		return
	}
	for _, r := range list {
		line := fmt.Sprintf("%s, %s, seen %s", text.Plural(memoryCount(r), "memory", "memories"), sizeOf(r.SizeBytes),
			day(r.Seen))
		if note := rootNote(r); note != "" {
			line += ", " + note
		}
		s.Print(console.Bold, text.Printable(atHome(r.Project)))
		fmt.Fprintf(s, "\n    %s\n", line)
	}
}

// memoryCount is the number of a root's memories.
func memoryCount(r store.Catalogued) int {
	n := 0
	for _, status := range schemas.Statuses {
		n += r.Memories[status]
	}
	return n
}

// rootNote says what is unusual about a root, "" if nothing is.
func rootNote(r store.Catalogued) string {
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
