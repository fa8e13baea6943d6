package main

import (
	"context"
	"fmt"

	"memctl/cmd/console"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func places(c *cli.Context) memdir.Places { return memdir.PlacesFromEnv(rootArg(c), "") }

// findRoot returns the project's root, or the user's if the command line says so.
func findRoot(c *cli.Context) (memdir.Root, error) {
	scope, err := readScope(c)
	if err != nil {
		return memdir.Root{}, err
	}
	return rootOf(c, scope)
}

func rootOf(c *cli.Context, scope memdir.Scope) (memdir.Root, error) {
	if scope == memdir.ProjectScope {
		return memdir.Find(places(c))
	}
	root, found, err := memdir.UserRoot()
	if err == nil && !found {
		err = memdir.ErrNoUserRoot
	}
	return root, err
}

// otherRoot returns the root of the other scope, its zero value if there is none or it is
// the same.
func otherRoot(c *cli.Context, scope memdir.Scope, root memdir.Root) memdir.Root {
	other, err := rootOf(c, scope.Other())
	if err != nil || other.Is(root) {
		return memdir.Root{}
	}
	return other
}

// findConfigured returns the root and its configuration. It writes the warnings of
// the configuration to stderr.
func findConfigured(c *cli.Context, std streams) (memdir.Root, schemas.Config, error) {
	root, err := findRoot(c)
	if err != nil {
		return root, schemas.Config{}, err
	}
	cfg, err := loadConfig(root, std)
	return root, cfg, err
}

func loadConfig(root memdir.Root, std streams) (schemas.Config, error) {
	cfg, warnings, err := root.Config()
	if err != nil {
		return cfg, &console.Failure{
			Err:  fmt.Errorf("read %s: %w", memdir.ConfigName, err),
			Hint: "make the file readable, or remove it to use the defaults",
			Code: console.ExitFailed,
		}
	}
	if err := cfg.CheckVersion(); err != nil {
		return cfg, err
	}
	for _, w := range warnings {
		term.Warning(std.Err, "%s", w)
	}
	return cfg, nil
}

// findSearcher returns the root and its Searcher.
func findSearcher(c *cli.Context, std streams) (memdir.Root, retrieve.Searcher, error) {
	root, err := findRoot(c)
	if err != nil {
		return root, retrieve.Searcher{}, err
	}
	searcher, err := searcherOf(c, std, root)
	return root, searcher, err
}

// searcherOf returns the Searcher of a root, with strategyFlag in place of the configured
// strategy.
func searcherOf(c *cli.Context, std streams, root memdir.Root) (retrieve.Searcher, error) {
	cfg, err := loadConfig(root, std)
	if err != nil {
		return retrieve.Searcher{}, err
	}
	if strategy := c.String("strategy"); strategy != "" {
		if err := oneOf("strategy", schemas.Strategies)(c, strategy); err != nil {
			return retrieve.Searcher{}, err
		}
		cfg.Retrieval.MatchStrategy = strategy
	}
	searcher, err := retrieve.NewSearcher(root, cfg)
	if err != nil { // validate reports the lines of a file that can be read
		term.Warning(std.Err, "%s: %s; none are used", memdir.SynonymsName, text.Printable(err.Error()))
	}
	return searcher, nil
}

// readIndex brings the index of a root up to date and returns what read finds in it.
func readIndex[T any](ctx context.Context, root memdir.Root, read func(retrieve.Source) (T, error)) (T, error) {
	var found T
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) (err error) {
		found, err = read(retrieve.Source{DB: ix.DB, Root: root})
		return err
	})
	return found, err
}
