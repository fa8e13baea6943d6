package main

import (
	"errors"

	"memctl/clients"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/term"

	"github.com/urfave/cli/v2"
)

func allFlag(does string) cli.Flag {
	return &cli.BoolFlag{Name: "all", Usage: does + " the memories of all of your projects"}
}

// catalogueOf returns the catalogue. The user need not be in a project. It
// refuses an agent that may not read all projects, because it may run search and list
// without asking.
func catalogueOf(c *cli.Context, std streams) (r store.Catalogue, err error) {
	if clients.InAgentShell() {
		if err := store.CheckAgent(); err != nil {
			return r, err
		}
	}
	r.Own, err = findRoot(c)
	if errors.Is(err, memdir.ErrNoRoot) && rootArg(c) == "" {
		err = nil
	}
	r.Progress = term.Progress(std.Err, "reading projects")
	return r, err
}

// searchAll prints a row for each result from all projects.
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
	found, err := r.Search(c.Context, q)
	if err != nil {
		return err
	}
	noteNone(c, std, len(found), "no memory matches")
	return printPaged(c, std, found, printIndex)
}

// searcherOfAll ranks by full text unless strategyFlag says otherwise, because projects
// may have different strategies.
func searcherOfAll(c *cli.Context, std streams, own memdir.Root) (retrieve.Searcher, error) {
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
	return retrieve.Searcher{Config: cfg}, oneOf("strategy", schemas.Strategies)(c, c.String("strategy"))
}

// listAll lists the memories of all projects.
func listAll(c *cli.Context, std streams, f retrieve.Filter) error {
	r, err := catalogueOf(c, std)
	if err != nil {
		return err
	}
	items, err := r.List(c.Context, f, c.String("sort"))
	if err != nil {
		return err
	}
	noteNone(c, std, len(items), "no memories")
	return printPaged(c, std, notNil(items), printListing)
}
