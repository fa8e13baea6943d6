package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runSearch(c *cli.Context, std command.Streams) error {
	words := strings.Join(c.Args().Slice(), " ")
	filter, err := command.ReadFilter(c)
	if err == nil {
		err = checkSearch(c, std, words)
	}
	if err != nil {
		return err
	}
	filter.Limit = c.Int("limit")
	if filter.AsOf, err = readAsOf(c); err != nil {
		return err
	}
	for _, f := range std.Features {
		for flag, search := range f.Searches {
			if c.Bool(flag) {
				return search(c, std, words, filter)
			}
		}
	}
	if c.Bool("all") {
		return searchAll(c, std, words, filter)
	}
	a, err := command.FindAsker(c, std)
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

func checkSearch(c *cli.Context, std command.Streams, words string) error {
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
	}
	for _, f := range std.Features {
		if f.CheckSearch != nil {
			if err := f.CheckSearch(c); err != nil {
				return err
			}
		}
	}
	if c.IsSet("budget") && !smart {
		return console.Usagef("--budget is for --smart")
	}
	return nil
}

// readAsOf reads --as-of, which asks for the rows of the project and nothing else.
func readAsOf(c *cli.Context) (time.Time, error) {
	if !c.IsSet("as-of") {
		return time.Time{}, nil
	}
	for _, flag := range []string{"all", "batch", "hub", "include-retired", "sessions", "smart", "status"} {
		if c.IsSet(flag) {
			return time.Time{}, console.Usagef("--as-of cannot be combined with --%s", flag)
		}
	}
	at, ok := schemas.AsOfDate(c.String("as-of"))
	if !ok {
		return at, console.Usagef("--as-of: expected a day such as 2026-03-02, a month, a year or a time, got %q",
			c.String("as-of"))
	}
	return at, nil
}

func searchRows(c *cli.Context, std command.Streams, a command.Asker, words string, f retrieve.Filter) error {
	return command.Listed[retrieve.IndexEntry](c, std, "found", command.NoMatch)(
		command.ReadRows(c.Context, a, words, f))
}

// searchSmart prints as much of the results as it is sure of.
func searchSmart(c *cli.Context, std command.Streams, a command.Asker, words string, f retrieve.Filter) error {
	return command.PagedFor(c, std, "disclosure")(command.ReadSources(c.Context, a.Store, a.Roots,
		func(sources retrieve.Sources) (retrieve.Disclosure, error) {
			rows, err := a.Searcher.Rows(c.Context, sources, words, f)
			if err != nil {
				return retrieve.Disclosure{}, err
			}
			return sources.Disclose(c.Context, rows, c.Int("budget"))
		}))
}

// searchBatch answers each line of stdin with a JSON array on a line.
func searchBatch(ctx context.Context, std command.Streams, a command.Asker, f retrieve.Filter) error {
	command.NoteWaiting(std, "queries")
	data, err := io.ReadAll(std.In)
	if err != nil {
		return fmt.Errorf("read queries from stdin: %w", err)
	}
	answers, err := command.ReadSources(ctx, a.Store, a.Roots,
		func(sources retrieve.Sources) (answers [][]retrieve.Match, err error) {
			for line := range strings.Lines(string(data)) {
				_, results, err := a.Searcher.Search(ctx, sources, strings.TrimSuffix(line, "\n"), f)
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

func searchAll(c *cli.Context, std command.Streams, words string, f retrieve.Filter) error {
	r, err := command.CatalogueOf(c, std)
	if err != nil {
		return err
	}
	searcher, err := searcherOfAll(c, std, r.Own)
	if err != nil {
		return err
	}
	q := searcher.Query(words, f.Limit)
	q.Filter = f
	return command.Listed[retrieve.IndexEntry](c, std, "found", command.NoMatch)(r.Search(c.Context, q))
}

// searcherOfAll ranks by full text unless --strategy says otherwise, because projects
// may have different strategies.
func searcherOfAll(c *cli.Context, std command.Streams, own files.Root) (retrieve.Searcher, error) {
	if !c.IsSet("strategy") {
		if err := c.Set("strategy", schemas.Hybrid); err != nil {
			return retrieve.Searcher{}, err
		}
	}
	if own.Path != "" {
		return command.SearcherOf(c, store.At(own, command.StoreOptions(std)), own)
	}
	cfg := schemas.DefaultConfig()
	cfg.Retrieval.MatchStrategy = c.String("strategy")
	if user, err := files.UserConfig(); err == nil {
		cfg.Privacy = user.Privacy
	}
	searcher := retrieve.Searcher{Config: cfg, Model: store.Open(command.StoreOptions(std)).Model()}
	return searcher, command.OneOf("strategy", schemas.Strategies)(c, c.String("strategy"))
}

func listAll(c *cli.Context, std command.Streams, f retrieve.Filter) error {
	r, err := command.CatalogueOf(c, std)
	if err != nil {
		return err
	}
	return command.Listed[retrieve.ListEntry](c, std, "list", command.NoMemories)(r.List(c.Context, f,
		c.String("sort")))
}

func runList(c *cli.Context, std command.Streams) error {
	f, err := command.ReadFilter(c)
	if err != nil {
		return err
	}
	f.Limit = c.Int("limit")
	if c.Bool("all") {
		return listAll(c, std, f)
	}
	st, roots, err := command.FindRoots(c, std)
	if err != nil {
		return err
	}
	roots = store.Unshared(roots) // without a project, the user's
	var notReadable []string
	items, err := command.ReadSources(c.Context, st, roots, func(s retrieve.Sources) ([]retrieve.ListEntry, error) {
		items, err := s.List(c.Context, f, c.String("sort"))
		if err == nil {
			notReadable, err = s.NotReadable(c.Context)
		}
		if err != nil {
			return nil, err
		}
		ids, err := s.ShortIDs(c.Context, items)
		for i, id := range ids {
			items[i].Name = id
		}
		return retrieve.ListItems(items), err
	})
	for _, note := range notReadable {
		console.Note(std.Err, `%s; "memctl validate" says more`, note)
	}
	return command.Listed[retrieve.ListEntry](c, std, "list", command.NoMemories)(items, err)
}

func runTimeline(c *cli.Context, std command.Streams) error {
	names, err := command.MemoryNames(c)
	if err != nil {
		return err
	}
	s, roots, err := command.FindRoots(c, std)
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
	list, err := command.ReadSources(c.Context, s, roots, read)
	if err != nil {
		return err
	}
	return command.PrintParts(c, std, list, func(s console.Screen, list []retrieve.Timeline) error {
		return command.EachApart(s, list, func(t retrieve.Timeline) error { return std.Say(s, "events", t.Events) })
	})
}
