package main

import (
	"fmt"
	"slices"
	"strings"

	"memctl/retrieve"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func listCommand(std streams) *cli.Command {
	return newCommand(std, "list", runList, slices.Concat(ownFlags(), filterFlags(), []cli.Flag{
		rootFlag(),
		jsonFlag(),
		colorFlag(),
		choiceFlag("sort", retrieve.SortNames[0], "order by `KEY`: "+strings.Join(retrieve.SortNames, ", "),
			retrieve.SortNames),
		&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Usage: "at most `N` memories", DefaultText: "all",
			Action: orAll},
		allFlag("list"),
	})...)
}

func runList(c *cli.Context, std streams) error {
	f, err := readFilter(c)
	if err != nil {
		return err
	}
	f.Limit = c.Int("limit")
	if c.Bool("all") {
		return listAll(c, std, f)
	}
	_, roots, err := findRoots(c, std)
	if err != nil {
		return err
	}
	root := roots[0] // without a project, the user's
	items, err := readIndex(c.Context, root, func(s retrieve.Source) ([]retrieve.Item, error) {
		items, err := retrieve.List(c.Context, s.DB, f, c.String("sort"))
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
	return printPaged(c, std, retrieve.ListItems(root, items), printListing)
}

// printListing writes a table on a terminal, else two lines for each memory.
func printListing(s term.Screen, list []retrieve.Item) {
	columns := []term.Column{projectColumn, idColumn, categoryColumn, updatedColumn, statusColumn,
		titleColumn}
	row := func(m retrieve.Item) []string {
		return []string{atHome(m.Project), m.Name, string(m.Category), day(m.UpdatedAt),
			unusual(m.Status), m.Title}
	}
	if term.Tabulate(s, list, columns, row) {
		return
	}
	for _, m := range list {
		fmt.Fprintf(s, "%-10s  %-15s ", day(m.UpdatedAt), m.Category)
		s.Print(term.Bold, text.Printable(m.Title))
		fmt.Fprintln(s, statusNote(m.Status))
		fmt.Fprintf(s, "%28s%s%s\n", "", text.Printable(shownPath(m.Entry)), tagNote(m.Tags))
	}
}

// The columns that several tables have.
var (
	projectColumn  = term.Column{Head: "PROJECT", Cut: true} // of an answer about all projects
	idColumn       = term.Column{Head: "ID", Style: term.Cyan, Cut: true}
	scopeColumn    = term.Column{Head: "SCOPE"} // of an answer from several roots
	categoryColumn = term.Column{Head: "CATEGORY", Optional: true}
	updatedColumn  = term.Column{Head: "UPDATED", Optional: true}
	statusColumn   = term.Column{Head: "STATUS"}
	titleColumn    = term.Column{Head: "TITLE", Cut: true}
)

// shownPath is the path of a memory: absolute in an answer about all projects.
func shownPath(e retrieve.Entry) string {
	if e.Project == "" {
		return e.Path
	}
	return atHome(e.Path)
}
