package main

import (
	"cmp"
	"fmt"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runList(c *cli.Context, std streams) error {
	f, err := readFilter(c)
	if err != nil {
		return err
	}
	f.Limit = c.Int("limit")
	if c.Bool("all") {
		return listAll(c, std, f)
	}
	st, roots, err := findRoots(c, std)
	if err != nil {
		return err
	}
	roots = store.Unshared(roots) // without a project, the user's
	items, err := readSources(c.Context, st, roots, func(s retrieve.Sources) ([]retrieve.Item, error) {
		items, err := s.List(c.Context, f, c.String("sort"))
		if err != nil {
			return nil, err
		}
		ids, err := s.IDs(c.Context, items)
		for i, id := range ids {
			items[i].Name = id
		}
		return items, err
	})
	if err != nil {
		return err
	}
	noteNone(c, std, len(items), "no memories")
	return printPaged(c, std, retrieve.ListItems(items), printListing)
}

// printListing writes a table on a terminal, else two lines for each memory.
func printListing(s console.Screen, list []retrieve.Item) {
	columns := []console.Column{projectColumn, idColumn, categoryColumn, updatedColumn, statusColumn,
		titleColumn}
	row := func(m retrieve.Item) []string {
		return []string{atHome(m.Project), m.Name, string(m.Category), day(m.UpdatedAt),
			cmp.Or(unusual(m.Status), m.Scope.Kind()) + goneNote(m.Gone), m.Title}
	}
	if console.Tabulate(s, list, columns, row) {
		return
	}
	for _, m := range list {
		fmt.Fprintf(s, "%-10s  %-15s ", day(m.UpdatedAt), m.Category)
		s.Print(console.Bold, text.Printable(m.Title))
		fmt.Fprintln(s, statusNote(m.Status)+goneNote(m.Gone))
		fmt.Fprintf(s, "%28s%s%s%s\n", "", text.Printable(shownPath(m.Entry)), noteMark(m.Scope), tagNote(m.Tags))
	}
}

// The columns that several tables have.
var (
	projectColumn  = console.Column{Head: "PROJECT", Cut: true} // of an answer about all projects
	idColumn       = console.Column{Head: "ID", Style: console.Cyan, Cut: true}
	scopeColumn    = console.Column{Head: "SCOPE"} // of an answer from several roots
	categoryColumn = console.Column{Head: "CATEGORY", Optional: true}
	updatedColumn  = console.Column{Head: "UPDATED", Optional: true}
	statusColumn   = console.Column{Head: "STATUS"}
	titleColumn    = console.Column{Head: "TITLE", Cut: true}
)

// noteMark follows the path of a note.
func noteMark(s memdir.Scope) string {
	if s != memdir.NotesScope {
		return ""
	}
	return " (" + s.Kind() + ")"
}

// shownPath is the path of a memory: absolute in an answer about all projects.
func shownPath(e retrieve.Entry) string {
	if e.Project == "" {
		return e.Path
	}
	return atHome(e.Path)
}

func runTimeline(c *cli.Context, std streams) error {
	names, err := memoryNames(c)
	if err != nil {
		return err
	}
	s, roots, err := findRoots(c, std)
	if err != nil {
		return err
	}
	read := func(sources retrieve.Sources) ([]retrieve.Timeline, error) {
		list := make([]retrieve.Timeline, len(names))
		for i, name := range names {
			ref, err := sources.Resolve(c.Context, name)
			if err != nil {
				return nil, err
			}
			if ref.Row == 0 {
				return nil, console.Refused(`run "memctl validate" for what is wrong with it`,
					"%s is not a readable memory, so it has no timeline", ref.Path)
			}
			if list[i], err = sources.Timeline(c.Context, ref, c.Int("window")); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return pagedFor(c, std, printTimelines)(readSources(c.Context, s, roots, read))
}

// printTimelines writes a table for each timeline on a terminal, else a line for each event.
// A blank line separates two timelines.
func printTimelines(s console.Screen, list []retrieve.Timeline) {
	for i, t := range list {
		if i > 0 {
			fmt.Fprintln(s)
		}
		columns := []console.Column{{Style: console.Bold}, {Head: "WHEN (UTC)"}, idColumn,
			{Head: "CATEGORY", Optional: true}, {Head: "EVENT"}, titleColumn}
		row := func(e retrieve.Event) []string {
			return []string{choose(e.Target, ">", ""), minute(e.At), e.ID, e.Category, e.Event,
				e.Preview}
		}
		if console.Tabulate(s, t.Events, columns, row) {
			continue
		}
		for _, event := range t.Events {
			fmt.Fprintln(s, text.Printable(event.String()))
		}
	}
}
