package main

import (
	"slices"
	"strings"

	"memctl/indexer"
	"memctl/render"
	"memctl/retrieve"

	"github.com/urfave/cli/v2"
)

const listDescription = `Lists memories, the last updated first.

   memctl list --category decision
   memctl list --status all --sort title
   memctl list --tag kafka --json`

func listCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list memories",
		Description: listDescription,
		Flags: append([]cli.Flag{
			rootFlag(),
			jsonFlag(),
			&cli.StringFlag{Name: "sort", Value: retrieve.SortNames[0], Usage: "order by `KEY`: " + strings.Join(retrieve.SortNames, ", ")},
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Usage: "at most `N` memories", DefaultText: "all"},
		}, filterFlags()...),
		Action: func(c *cli.Context) error {
			if err := noArguments(c, "; to find memories by words use search"); err != nil {
				return err
			}
			f, err := readFilter(c)
			if err != nil {
				return err
			}
			return runList(c, std, f)
		},
	}
}

func runList(c *cli.Context, std streams, f retrieve.Filter) error {
	f.Sort, f.Limit = c.String("sort"), c.Int("limit")
	switch {
	case !slices.Contains(retrieve.SortNames, f.Sort):
		return usagef("--sort: expected one of %s, got %q", strings.Join(retrieve.SortNames, ", "), f.Sort)
	case f.Limit < 0:
		return usagef("--limit: expected 0 or more, got %d", f.Limit)
	}
	root, err := findRoot(c)
	if err != nil {
		return err
	}
	items, err := readIndex(c.Context, root, func(ix *indexer.Index) ([]retrieve.Item, error) {
		return retrieve.List(c.Context, ix.DB, f)
	})
	if err != nil {
		return err
	}
	if len(items) == 0 && !c.Bool("json") {
		render.Note(std.Err, "no memories")
	}
	return printResult(c, std, retrieve.ListItems(root, items), render.Listing)
}
