package main

import (
	"slices"
	"strings"

	"memctl/memdir"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

func strategyFlag() cli.Flag {
	return &cli.StringFlag{Name: "strategy", Usage: "rank by `S` instead of retrieval.match_strategy: " + strings.Join(schemas.Strategies, ", ")}
}

// findRanking is findConfigured for commands with a strategyFlag, which prevails
// over the configuration where it is given.
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
