package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

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
			f, err := readListFilter(c)
			if err != nil {
				return err
			}
			root, err := findRoot(c)
			if err != nil {
				return err
			}
			return runList(c.Context, std, root, f, c.Bool("json"))
		},
	}
}

func readListFilter(c *cli.Context) (retrieve.Filter, error) {
	shared, err := readFilters(c)
	f := retrieve.Filter{
		Statuses:   shared.statuses,
		Categories: shared.categories,
		Tag:        shared.tag,
		Sort:       c.String("sort"),
		Limit:      c.Int("limit"),
	}
	switch {
	case err != nil:
		return f, err
	case !slices.Contains(retrieve.SortNames, f.Sort):
		return f, usagef("--sort: expected one of %s, got %q", strings.Join(retrieve.SortNames, ", "), f.Sort)
	case f.Limit < 0:
		return f, usagef("--limit: expected 0 or more, got %d", f.Limit)
	}
	return f, nil
}

// listed is one memory for programs.
type listed struct {
	row
	CreatedAt    string `json:"created_at"`
	TimesUpdated int    `json:"times_updated"`
}

func listedOf(root memdir.Root, m retrieve.Item) listed {
	return listed{row{m.ID, root.Shown + "/" + m.Path, m.Title, m.Category, m.Status, splitTags(m.Tags), m.UpdatedAt}, m.CreatedAt, m.TimesUpdated}
}

func runList(ctx context.Context, std streams, root memdir.Root, f retrieve.Filter, asJSON bool) error {
	var items []retrieve.Item
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) (err error) {
		items, err = retrieve.List(ctx, ix.DB, f)
		return err
	})
	if err != nil {
		return err
	}
	if asJSON {
		list := make([]listed, len(items))
		for i, m := range items {
			list[i] = listedOf(root, m)
		}
		return writeJSON(std.Out, list)
	}
	if len(items) == 0 {
		fmt.Fprintln(std.Err, "memctl: no memories")
	}
	for _, m := range items {
		fmt.Fprintf(std.Out, "%-10s  %-15s %s%s\n            %-15s %s%s\n", day(m.UpdatedAt), m.Category, text.Printable(m.Title), statusNote(m.Status),
			"", text.Printable(root.Shown+"/"+m.Path), tagNote(m.Tags))
	}
	return nil
}

// day is the date of a timestamp, or a dash.
func day(stamp string) string {
	if t, ok := schemas.ParseTime(stamp); ok {
		return t.UTC().Format("2006-01-02")
	}
	return "-"
}
