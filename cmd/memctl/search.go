package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const searchDescription = `Ranks memories for QUERY as the prompt hook does, but leaves out none for want of
evidence (strategy hybrid; its scores lie between 0 and 1). --batch - reads one query
a line from stdin and prints one JSON array a line, in the same order.

   memctl search connection pool limit
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
			&cli.StringFlag{Name: "batch", Usage: "read queries from `-` (stdin), one a line"},
		}, filterFlags()...),
		Action: func(c *cli.Context) error {
			opts, err := readSearchOptions(c)
			if err != nil {
				return err
			}
			root, cfg, err := findConfigured(c, std)
			if err != nil {
				return err
			}
			if err := useStrategy(c, &cfg); err != nil {
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
}

func readSearchOptions(c *cli.Context) (searchOptions, error) {
	o := searchOptions{
		query: strings.Join(c.Args().Slice(), " "),
		batch: c.IsSet("batch"),
		limit: c.Int("limit"),
		json:  c.Bool("json"),
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
	case o.limit < 1 || o.limit > maxLimit:
		return o, usagef("--limit: expected 1 to %d, got %d", maxLimit, o.limit)
	}
	return o, nil
}

// row is what every answer for programs says of a memory.
type row struct {
	ID        string           `json:"id"`
	Path      string           `json:"path"`
	Title     string           `json:"title"`
	Category  schemas.Category `json:"category"`
	Status    schemas.Status   `json:"status"`
	Tags      []string         `json:"tags"`
	UpdatedAt string           `json:"updated_at"`
}

// found is one result for programs.
type found struct {
	row
	// Score is a whole number for title_tags, between 0 and 1 for hybrid.
	Score float64 `json:"score"`
}

func foundOf(root memdir.Root, results []retrieve.Result) []found {
	list := make([]found, len(results))
	for i, r := range results {
		list[i] = found{row{r.ID, root.Shown + "/" + r.Path, r.Title, r.Category, r.Status, splitTags(r.Tags), r.UpdatedAt}, r.Shown()}
	}
	return list
}

func runSearch(ctx context.Context, std streams, root memdir.Root, cfg schemas.Config, o searchOptions) error {
	queries := []string{o.query}
	if o.batch {
		var err error
		if queries, err = readLines(std.in); err != nil {
			return fmt.Errorf("read queries from stdin: %w", err)
		}
	}
	asker := newAsker(root, cfg, std)
	return indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		out := bufio.NewWriter(std.out)
		for _, text := range queries {
			q := asker.query(text, o.limit)
			q.Statuses, q.Categories, q.Tag = o.statuses, o.categories, o.tag
			results, err := rankOn(ctx, root, ix, q)
			if err != nil {
				return err
			}
			if err := o.print(out, std.err, root, results); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}

func (o searchOptions) print(out, errOut io.Writer, root memdir.Root, results []retrieve.Result) error {
	switch {
	case o.batch:
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		return enc.Encode(foundOf(root, results))
	case o.json:
		return writeJSON(out, foundOf(root, results))
	case len(results) == 0:
		_, err := fmt.Fprintln(errOut, "memctl: no memory matches")
		return err
	}
	for _, r := range results {
		fmt.Fprintf(out, "%s  %-15s %s%s\n     %-15s %s%s\n", shownScore(r.Shown()), r.Category, text.Printable(r.Title), statusNote(r.Status),
			"", text.Printable(root.Shown+"/"+r.Path), tagNote(r.Tags))
	}
	return nil
}

// shownScore is four characters wide at most: 12, or 0.83.
func shownScore(score float64) string {
	if score == math.Trunc(score) {
		return fmt.Sprintf("%3.0f", score)
	}
	return fmt.Sprintf("%.2f", score)
}

func statusNote(status schemas.Status) string {
	if status == schemas.Active {
		return ""
	}
	return " (" + text.Printable(string(status)) + ")"
}

func tagNote(tags string) string {
	if tags == "" {
		return ""
	}
	return "  #" + text.Printable(strings.ReplaceAll(tags, ",", " #"))
}

// readLines reads every line, of any length; the last may lack its newline.
func readLines(in io.Reader) ([]string, error) {
	data, err := io.ReadAll(in)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
}
