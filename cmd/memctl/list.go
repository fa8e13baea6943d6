package main

import (
	"slices"
	"strings"

	"memctl/render"
	"memctl/retrieve"
	"memctl/term"

	"github.com/urfave/cli/v2"
)

const listDescription = `Lists memories, the last updated first.

   memctl list --category decision
   memctl list --status all --sort title
   memctl list --tag kafka --json
   memctl list --all --category preference

--all lists the memories of all of your projects, those of the others as memctl last saw
them there; "memctl roots" lists the projects.` + pagerHelp

func listCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list memories",
		Description: listDescription,
		Flags: slices.Concat(ownFlags(), filterFlags(), []cli.Flag{
			rootFlag(),
			jsonFlag(),
			colorFlag(),
			&cli.StringFlag{
				Name:   "sort",
				Value:  retrieve.SortNames[0],
				Usage:  "order by `KEY`: " + strings.Join(retrieve.SortNames, ", "),
				Action: oneOf("sort", retrieve.SortNames),
			},
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Usage: "at most `N` memories", DefaultText: "all", Action: orAll},
			allFlag("list"),
		}),
		Before: withoutArguments("; to find memories by words use search"),
		Action: func(c *cli.Context) error { return runList(c, std) },
	}
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
	roots, err := findRoots(c, std)
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
	if len(items) == 0 && !c.Bool("json") {
		term.Note(std.Err, "no memories")
	}
	return printPaged(c, std, retrieve.ListItems(root, items), render.Listing)
}
