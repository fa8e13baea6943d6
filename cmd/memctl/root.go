package main

import (
	"context"
	"fmt"

	"memctl/clients"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/term"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func places(c *cli.Context) memdir.Places { return memdir.PlacesFromEnv(rootArg(c), "") }

// openStore returns the store of the memories that the command line names.
func openStore(c *cli.Context, std streams) (*store.Store, error) {
	scope, err := readScope(c)
	if err != nil {
		return nil, err
	}
	return scopedStore(c, std, scope), nil
}

// scopedStore is openStore for a scope.
func scopedStore(c *cli.Context, std streams, scope memdir.Scope) *store.Store {
	o := storeOptions(std)
	o.Places, o.Scope, o.Alone = places(c), scope, c.IsSet("scope") || c.IsSet("user")
	return store.Open(o)
}

// writeStep runs between the steps of a change. Tests kill the process there.
var writeStep func()

func storeOptions(std streams) store.Options {
	return store.Options{
		Agent:  clients.InAgentShell(),
		Strict: true,
		Depth:  store.Full,
		Warn:   func(problem error) { term.Warning(std.Err, "%s", text.Printable(problem.Error())) },
		Notify: func(notice writer.Notice) { fmt.Fprintln(std.Err, notice) },
		Step:   writeStep,
	}
}

// findRoot returns the project's root, or the user's if the command line says so.
func findRoot(c *cli.Context) (memdir.Root, error) {
	scope, err := readScope(c)
	if err != nil {
		return memdir.Root{}, err
	}
	return store.Open(store.Options{Places: places(c), Scope: scope, Agent: clients.InAgentShell()}).Root()
}

// findConfigured returns the root and its configuration.
func findConfigured(c *cli.Context, std streams) (memdir.Root, schemas.Config, error) {
	root, err := findRoot(c)
	if err != nil {
		return root, schemas.Config{}, err
	}
	cfg, err := store.At(root, storeOptions(std)).Config(root)
	return root, cfg, err
}

// searcherOf returns the Searcher of a root, with strategyFlag in place of the configured
// strategy.
func searcherOf(c *cli.Context, s *store.Store, root memdir.Root) (retrieve.Searcher, error) {
	cfg, err := s.Config(root)
	if err != nil {
		return retrieve.Searcher{}, err
	}
	if strategy := c.String("strategy"); strategy != "" {
		if err := oneOf("strategy", schemas.Strategies)(c, strategy); err != nil {
			return retrieve.Searcher{}, err
		}
		cfg.Retrieval.MatchStrategy = strategy
	}
	return s.SearcherWith(root, cfg), nil
}

// readIndex brings the index of a root up to date and returns what read finds in it.
func readIndex[T any](ctx context.Context, root memdir.Root, read func(retrieve.Source) (T, error)) (T, error) {
	var found T
	err := store.At(root, store.Options{Depth: store.Full}).Look(ctx, root,
		func(source retrieve.Source) (err error) {
			found, err = read(source)
			return err
		})
	return found, err
}

// asker is a store with the roots that a question is asked of, and the Searcher of the first.
type asker struct {
	*store.Store
	roots    []memdir.Root
	searcher retrieve.Searcher
}

// findAsker returns what answers the question of a command.
func findAsker(c *cli.Context, std streams) (a asker, err error) {
	if a.Store, a.roots, err = findRoots(c, std); err == nil {
		a.searcher, err = searcherOf(c, a.Store, a.roots[0])
	}
	return a, err
}

// findRoots returns the store, and the roots that a question is asked of.
func findRoots(c *cli.Context, std streams) (*store.Store, []memdir.Root, error) {
	s, err := openStore(c, std)
	if err != nil {
		return nil, nil, err
	}
	roots, err := s.Roots()
	return s, roots, err
}

// readSources returns what read finds in the indexes of roots.
func readSources[T any](ctx context.Context, s *store.Store, roots []memdir.Root,
	read func(retrieve.Sources) (T, error)) (found T, err error) {
	err = s.Ask(ctx, roots, func(sources retrieve.Sources) (err error) {
		found, err = read(sources)
		return err
	})
	return found, err
}
