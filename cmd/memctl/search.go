package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/render"
	"memctl/retrieve"

	"github.com/urfave/cli/v2"
)

const searchDescription = `Ranks memories for QUERY as the prompt hook does, but leaves out none for lack of
evidence (strategy hybrid). For each memory it prints the score, category and title,
the path and tags, and the relevance, date and summary. Relevance is the share of the
best score that a memory could have for QUERY: at 1 it matches each word as well as
possible. Compare scores only between results of one query.

Unless a filter is given, observations of tools follow. They fill the rows of --limit
that memories leave free and replace up to a third of the memories, if those are less
relevant. An observation with every word has a relevance of 0.40.

--batch - reads one query a line from stdin and prints one JSON array a line, in the
same order.

A search is the first of three layers: "memctl timeline ID" tells what happened
around one of the ids, "memctl show ID" all of it. --smart goes as far as it is sure
of. It prints all of a result that is the only one of relevance 0.92 or more, or that
has 0.85 or more and is ahead by 0.1. It prints the timeline if three or more have
0.80, and otherwise a line for each result. It says what it chose, why, and what the
answer costs (a token is four characters), which is never over --budget.

   memctl search connection pool limit
   memctl search --smart --budget 500 goose lock timeout migration
   memctl search --category runbook --json "lock timeout"
   memctl search --status all --tag kafka partitions`

// maxLimit bounds --limit. A longer answer is a listing.
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
			filter, err := readFilter(c)
			if err == nil {
				err = checkSearch(c)
			}
			if err != nil {
				return err
			}
			root, cfg, err := findRanking(c, std)
			if err != nil {
				return err
			}
			asker := newAsker(root, cfg, std)
			query := func(words string) retrieve.Query {
				q := asker.Query(words, c.Int("limit"))
				q.Statuses, q.Categories, q.Tag = filter.Statuses, filter.Categories, filter.Tag
				return q
			}
			switch {
			case c.IsSet("batch"):
				return runBatch(c.Context, std, root, query)
			case c.Bool("smart"):
				return runSmartSearch(c, std, root, query(searchWords(c)))
			}
			return runSearch(c, std, root, query(searchWords(c)))
		},
	}
}

func checkSearch(c *cli.Context) error {
	batch, smart, limit, budget := c.IsSet("batch"), c.Bool("smart"), c.Int("limit"), c.Int("budget")
	switch {
	case batch && c.String("batch") != "-":
		return usagef("--batch: expected - for stdin, got %q", c.String("batch"))
	case batch && searchWords(c) != "":
		return usagef("give a query or --batch -, not both")
	case !batch && strings.TrimSpace(searchWords(c)) == "":
		return usagef("search needs a query")
	case batch && smart:
		return usagef("--batch and --smart do not go together")
	case c.IsSet("budget") && !smart:
		return usagef("--budget is for --smart")
	case budget < retrieve.MinBudget || budget > retrieve.MaxBudget:
		return usagef("--budget: expected %d to %d, got %d", retrieve.MinBudget, retrieve.MaxBudget, budget)
	case limit < 1 || limit > maxLimit:
		return usagef("--limit: expected 1 to %d, got %d", maxLimit, limit)
	}
	return nil
}

func searchWords(c *cli.Context) string { return strings.Join(c.Args().Slice(), " ") }

func runSearch(c *cli.Context, std streams, root memdir.Root, q retrieve.Query) error {
	found, err := readIndex(c.Context, root, func(ix *indexer.Index) ([]retrieve.IndexEntry, error) {
		results, rows, err := rankedRows(c.Context, root, ix, q)
		return retrieve.ListIndex(root, rows, results), err
	})
	if err != nil {
		return err
	}
	if len(found) == 0 && !c.Bool("json") {
		render.Note(std.Err, "no memory matches")
	}
	return printResult(c, std, found, render.Index)
}

func runSmartSearch(c *cli.Context, std streams, root memdir.Root, q retrieve.Query) error {
	found, err := readIndex(c.Context, root, func(ix *indexer.Index) (retrieve.Disclosure, error) {
		_, rows, err := rankedRows(c.Context, root, ix, q)
		if err != nil {
			return retrieve.Disclosure{}, err
		}
		return retrieve.Source{DB: ix.DB, Root: root}.Disclose(c.Context, rows, c.Int("budget"))
	})
	if err != nil {
		return err
	}
	return printResult(c, std, found, func(out io.Writer, d retrieve.Disclosure) { fmt.Fprint(out, d.Text) })
}

// rankedRows returns the results of a query and the rows of the index for them.
func rankedRows(ctx context.Context, root memdir.Root, ix *indexer.Index, q retrieve.Query) ([]retrieve.Result, []retrieve.Row, error) {
	source := retrieve.Source{DB: ix.DB, Root: root}
	results, err := source.Fresh(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	rows, err := source.Index(ctx, q, results)
	return results, rows, err
}

// runBatch answers each line of stdin with a JSON array on a line.
func runBatch(ctx context.Context, std streams, root memdir.Root, query func(words string) retrieve.Query) error {
	data, err := io.ReadAll(std.In)
	if err != nil {
		return fmt.Errorf("read queries from stdin: %w", err)
	}
	answers, err := readIndex(ctx, root, func(ix *indexer.Index) (answers [][]retrieve.Found, err error) {
		for line := range strings.Lines(string(data)) {
			results, err := retrieve.Source{DB: ix.DB, Root: root}.Fresh(ctx, query(strings.TrimSuffix(line, "\n")))
			if err != nil {
				return nil, err
			}
			answers = append(answers, retrieve.ListFound(root, results))
		}
		return answers, nil
	})
	if err != nil {
		return err
	}
	enc := json.NewEncoder(std.Out)
	enc.SetEscapeHTML(false)
	for _, found := range answers {
		if err := enc.Encode(found); err != nil {
			return err
		}
	}
	return nil
}
