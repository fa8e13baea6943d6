package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/render"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

func rootFlag() cli.Flag {
	return &cli.StringFlag{
		Name:  "root",
		Usage: "use the project or memory root `DIR`",
	}
}

// rootArg returns --root, which may stand before or after the command.
func rootArg(c *cli.Context) string {
	for _, level := range c.Lineage() {
		if level.IsSet("root") {
			return level.String("root")
		}
	}
	return ""
}

// wholeRootCommand is a command on all of a memory root. It takes no arguments.
func wholeRootCommand(name, usage, description string, run func(c *cli.Context, root memdir.Root) error) *cli.Command {
	return &cli.Command{
		Name:        name,
		Usage:       usage,
		Description: description,
		Flags:       []cli.Flag{rootFlag(), jsonFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c, ""); err != nil {
				return err
			}
			root, err := findRoot(c)
			if err != nil {
				return err
			}
			return run(c, root)
		},
	}
}

func findRoot(c *cli.Context) (memdir.Root, error) {
	return memdir.Find(memdir.PlacesFromEnv(rootArg(c), ""))
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
		return schemas.Config{}, &failure{err: fmt.Errorf("read %s: %w", memdir.ConfigName, err), hint: configHint, code: exitFailed}
	}
	for _, w := range warnings {
		render.Warning(std.Err, "%s", w)
	}
	return cfg, nil
}

const configHint = "make the file readable, or remove it to use the defaults"

func strategyFlag() cli.Flag {
	return &cli.StringFlag{Name: "strategy", Usage: "rank by `S` instead of retrieval.match_strategy: " + strings.Join(schemas.Strategies, ", ")}
}

// findRanking is findConfigured for commands that have a strategyFlag, which
// overrides the configuration.
func findRanking(c *cli.Context, std streams) (memdir.Root, schemas.Config, error) {
	root, cfg, err := findConfigured(c, std)
	if err != nil {
		return root, cfg, err
	}
	strategy := c.String("strategy")
	if strategy != "" && !slices.Contains(schemas.Strategies, strategy) {
		return root, cfg, usagef("--strategy: expected one of %s, got %q", strings.Join(schemas.Strategies, ", "), strategy)
	}
	if strategy != "" {
		cfg.Retrieval.MatchStrategy = strategy
	}
	return root, cfg, nil
}

// readIndex brings the index of a root up to date and returns what read finds in it.
func readIndex[T any](ctx context.Context, root memdir.Root, read func(*indexer.Index) (T, error)) (T, error) {
	var found T
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) (err error) {
		found, err = read(ix)
		return err
	})
	return found, err
}
