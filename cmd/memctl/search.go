package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"memctl/cmd/console"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// maxLimit bounds --limit. A longer answer is a listing.
const maxLimit = 1000

func runSearch(c *cli.Context, std streams) error {
	words := strings.Join(c.Args().Slice(), " ")
	filter, err := readFilter(c)
	if err == nil {
		err = checkSearch(c, words)
	}
	if err != nil {
		return err
	}
	filter.Limit = c.Int("limit")
	if c.Bool("sessions") {
		return searchSessions(c, std, words)
	}
	if c.Bool("all") {
		return searchAll(c, std, words, filter)
	}
	if c.Bool("hub") {
		return searchHub(c, std, words, filter)
	}
	a, err := findAsker(c, std)
	if err != nil {
		return err
	}
	switch {
	case c.IsSet("batch"):
		return searchBatch(c.Context, std, a, filter)
	case c.Bool("smart"):
		return searchSmart(c, std, a, words, filter)
	}
	return searchRows(c, std, a, words, filter)
}

func checkSearch(c *cli.Context, words string) error {
	batch, smart := c.IsSet("batch"), c.Bool("smart")
	switch {
	case batch && c.String("batch") != "-":
		return console.Usagef("--batch: expected - for stdin, got %q", c.String("batch"))
	case batch && words != "":
		return console.Usagef("give a query or --batch -, not both")
	case !batch && strings.TrimSpace(words) == "":
		return console.Usagef("search needs a query")
	case batch && smart:
		return console.Usagef("--batch and --smart do not go together")
	case c.Bool("all") && (batch || smart):
		return console.Usagef("--all cannot be combined with --batch or --smart")
	case c.Bool("hub"):
		return checkHubSearch(c)
	case c.IsSet("budget") && !smart:
		return console.Usagef("--budget is for --smart")
	}
	return nil
}

const noMatch, noMemories = "no memory matches", "no memories"

func searchRows(c *cli.Context, std streams, a asker, words string, f retrieve.Filter) error {
	return listed[retrieve.IndexEntry](c, std, "found", noMatch)(readRows(c.Context, a, words, f))
}

func readRows(ctx context.Context, a asker, words string, f retrieve.Filter) ([]retrieve.IndexEntry, error) {
	return readSources(ctx, a.Store, a.roots, func(sources retrieve.Sources) ([]retrieve.IndexEntry, error) {
		rows, err := a.searcher.Rows(ctx, sources, words, f)
		return retrieve.ListIndex(rows), err
	})
}

// searchSmart prints as much of the results as it is sure of.
func searchSmart(c *cli.Context, std streams, a asker, words string, f retrieve.Filter) error {
	return pagedFor(c, std, "disclosure")(readSources(c.Context, a.Store, a.roots,
		func(sources retrieve.Sources) (retrieve.Disclosure, error) {
			rows, err := a.searcher.Rows(c.Context, sources, words, f)
			if err != nil {
				return retrieve.Disclosure{}, err
			}
			return sources.Disclose(c.Context, rows, c.Int("budget"))
		}))
}

// searchBatch answers each line of stdin with a JSON array on a line.
func searchBatch(ctx context.Context, std streams, a asker, f retrieve.Filter) error {
	noteWaiting(std, "queries")
	data, err := io.ReadAll(std.In)
	if err != nil {
		return fmt.Errorf("read queries from stdin: %w", err)
	}
	answers, err := readSources(ctx, a.Store, a.roots,
		func(sources retrieve.Sources) (answers [][]retrieve.Found, err error) {
			for line := range strings.Lines(string(data)) {
				_, results, err := a.searcher.Search(ctx, sources, strings.TrimSuffix(line, "\n"), f)
				if err != nil {
					return nil, err
				}
				answers = append(answers, retrieve.ListFound(results))
			}
			return answers, nil
		})
	if err != nil {
		return err
	}
	enc := json.NewEncoder(text.JSONWriter(std.Out))
	enc.SetEscapeHTML(false)
	for _, found := range answers {
		if err := enc.Encode(found); err != nil {
			return err
		}
	}
	return nil
}

// shortScore is four characters wide: "  12", or "0.83".
func shortScore(score float64) string {
	if score == math.Trunc(score) {
		return fmt.Sprintf("%4.0f", score)
	}
	return fmt.Sprintf("%.2f", score)
}

// catalogueOf returns the catalogue. The user need not be in a project.
func catalogueOf(c *cli.Context, std streams) (r store.Catalogue, err error) {
	r.Own, err = findRoot(c)
	if errors.Is(err, files.ErrNoRoot) && rootArg(c) == "" {
		err = nil
	}
	r.Progress = console.Progress(std.Err, "reading projects")
	r.Moved = func(from, to string) { console.Note(std.Err, "%s is now %s", atHome(from), atHome(to)) }
	return r, err
}

func searchAll(c *cli.Context, std streams, words string, f retrieve.Filter) error {
	r, err := catalogueOf(c, std)
	if err != nil {
		return err
	}
	searcher, err := searcherOfAll(c, std, r.Own)
	if err != nil {
		return err
	}
	q := searcher.Query(words, f.Limit)
	q.Filter = f
	return listed[retrieve.IndexEntry](c, std, "found", noMatch)(r.Search(c.Context, q))
}

// searcherOfAll ranks by full text unless --strategy says otherwise, because projects
// may have different strategies.
func searcherOfAll(c *cli.Context, std streams, own files.Root) (retrieve.Searcher, error) {
	if !c.IsSet("strategy") {
		if err := c.Set("strategy", schemas.Hybrid); err != nil {
			return retrieve.Searcher{}, err
		}
	}
	if own.Path != "" {
		return searcherOf(c, store.At(own, storeOptions(std)), own)
	}
	cfg := schemas.DefaultConfig()
	cfg.Retrieval.MatchStrategy = c.String("strategy")
	if user, err := files.UserConfig(); err == nil {
		cfg.Privacy = user.Privacy
	}
	return retrieve.Searcher{Config: cfg, Meaning: store.Open(storeOptions(std)).Meaning()},
		oneOf("strategy", schemas.Strategies)(c, c.String("strategy"))
}

func listAll(c *cli.Context, std streams, f retrieve.Filter) error {
	r, err := catalogueOf(c, std)
	if err != nil {
		return err
	}
	return listed[retrieve.Item](c, std, "list", noMemories)(r.List(c.Context, f, c.String("sort")))
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
	st, roots, err := findRoots(c, std)
	if err != nil {
		return err
	}
	roots = store.Unshared(roots) // without a project, the user's
	var notReadable []string
	items, err := readSources(c.Context, st, roots, func(s retrieve.Sources) ([]retrieve.Item, error) {
		items, err := s.List(c.Context, f, c.String("sort"))
		if err == nil {
			notReadable, err = s.NotReadable(c.Context)
		}
		if err != nil {
			return nil, err
		}
		ids, err := s.IDs(c.Context, items)
		for i, id := range ids {
			items[i].Name = id
		}
		return retrieve.ListItems(items), err
	})
	for _, note := range notReadable {
		console.Note(std.Err, `%s; "memctl validate" says more`, note)
	}
	return listed[retrieve.Item](c, std, "list", noMemories)(items, err)
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
	list, err := readSources(c.Context, s, roots, read)
	if err != nil {
		return err
	}
	return printParts(c, std, list, func(s console.Screen, list []retrieve.Timeline) error {
		return eachApart(s, list, func(t retrieve.Timeline) error { return say(s, "events", t.Events) })
	})
}
