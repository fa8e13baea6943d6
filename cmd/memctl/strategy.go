package main

import (
	"slices"
	"strings"

	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

func strategyFlag() cli.Flag {
	return &cli.StringFlag{Name: "strategy", Usage: "rank by `S` instead of retrieval.match_strategy: " + strings.Join(schemas.Strategies, ", ")}
}

// useStrategy lets the flag, where it is given, prevail over the configuration.
func useStrategy(c *cli.Context, cfg *schemas.Config) error {
	strategy := c.String("strategy")
	if strategy != "" && !slices.Contains(schemas.Strategies, strategy) {
		return usagef("--strategy: expected one of %s, got %q", strings.Join(schemas.Strategies, ", "), strategy)
	}
	if strategy != "" {
		cfg.Retrieval.MatchStrategy = strategy
	}
	return nil
}
