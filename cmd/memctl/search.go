package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

const searchDescription = `Ranks memories for QUERY as the prompt hook does, but leaves out none for want of
evidence (strategy hybrid). A memory has its score, category and title; its path and
tags; its relevance, date and summary. Relevance is the share of the best score that a
memory could have for QUERY: 1 where each word is met as well as it can be. Scores are
for comparing the results of one query.

Then come observations of tools, where there are any and no filter is given: in the
rows of --limit that memories leave free, and, up to a third of all, in place of
memories that are less relevant. One with every word has a relevance of 0.40.

--batch - reads one query a line from stdin and prints one JSON array a line, in the
same order.

A search is the first of three layers: "memctl timeline ID" tells what happened
around one of the ids, "memctl show ID" all of it. --smart goes as far as it is sure
of: all of the only result of relevance 0.92 or more, or of one of 0.85 that is 0.1
ahead; the timeline where three or more have 0.80; else a line for each. It says
which, why, and what it costs (a token is four characters), never over --budget.

   memctl search connection pool limit
   memctl search --smart --budget 500 goose lock timeout migration
   memctl search --category runbook --json "lock timeout"
   memctl search --status all --tag kafka partitions`

// maxLimit bounds --limit; more results than that are a listing.
const maxLimit = 1000

func searchCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "search",
		Usage:       "find memories by words",
		ArgsUsage:   "QUERY...",
		Description: searchDescription,
		Flags: append([]cli.Flag{
			rootFlag(),
			jsonFlag(),
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Value: 10, Usage: "at most `N` results"},
			strategyFlag(),
			&cli.BoolFlag{Name: "smart", Usage: "show more of what is certainly meant"},
			&cli.IntFlag{Name: "budget", Value: retrieve.DefaultBudget, Usage: "at most `N` tokens, with --smart"},
			&cli.StringFlag{Name: "batch", Usage: "read queries from `-` (stdin), one a line"},
		}, filterFlags()...),
		Action: func(c *cli.Context) error {
			opts, err := readSearchOptions(c)
			if err != nil {
				return err
			}
			root, cfg, err := findRanking(c, std)
			if err != nil {
				return err
			}
			return runSearch(c.Context, std, root, cfg, opts)
		},
	}
}

type searchOptions struct {
	filters
	query string
	batch bool
	limit int
	json  bool
	smart bool
	// budget is in tokens.
	budget int
}

func readSearchOptions(c *cli.Context) (searchOptions, error) {
	o := searchOptions{
		query: strings.Join(c.Args().Slice(), " "),
		batch: c.IsSet("batch"),
		limit: c.Int("limit"),
		json:  c.Bool("json"),
		smart: c.Bool("smart"),

		budget: c.Int("budget"),
	}
	var err error
	if o.filters, err = readFilters(c); err != nil {
		return o, err
	}
	switch {
	case o.batch && c.String("batch") != "-":
		return o, usagef("--batch: expected - for stdin, got %q", c.String("batch"))
	case o.batch && o.query != "":
		return o, usagef("give a query or --batch -, not both")
	case !o.batch && strings.TrimSpace(o.query) == "":
		return o, usagef("search needs a query")
	case o.batch && o.smart:
		return o, usagef("--batch and --smart do not go together")
	case c.IsSet("budget") && !o.smart:
		return o, usagef("--budget is for --smart")
	case o.budget < retrieve.MinBudget || o.budget > retrieve.MaxBudget:
		return o, usagef("--budget: expected %d to %d, got %d", retrieve.MinBudget, retrieve.MaxBudget, o.budget)
	case o.limit < 1 || o.limit > maxLimit:
		return o, usagef("--limit: expected 1 to %d, got %d", maxLimit, o.limit)
	}
	return o, nil
}

func runSearch(ctx context.Context, std streams, root memdir.Root, cfg schemas.Config, o searchOptions) error {
	queries := []string{o.query}
	if o.batch {
		var err error
		if queries, err = readLines(std.In); err != nil {
			return fmt.Errorf("read queries from stdin: %w", err)
		}
	}
	asker := newAsker(root, cfg, std)
	return indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		out := bufio.NewWriter(std.Out)
		source := retrieve.Source{DB: ix.DB, Root: root}
		for _, text := range queries {
			q := asker.Query(text, o.limit)
			q.Statuses, q.Categories, q.Tag = o.statuses, o.categories, o.tag
			results, err := retrieve.Fresh(ctx, root, ix, q)
			if err != nil {
				return err
			}
			if err := o.answer(ctx, out, std.Err, source, q, results); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}

// readLines reads every line, of any length; the last may lack its newline.
func readLines(in io.Reader) ([]string, error) {
	data, err := io.ReadAll(in)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
}
