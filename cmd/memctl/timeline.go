package main

import (
	"context"
	"fmt"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"

	"github.com/urfave/cli/v2"
)

const timelineDescription = `Tells what happened around a memory or an observation: memories that were created,
changed, retired or archived, and what tools did; for an observation, those of its
session. The last thing that happened to it is marked with ">". An ID is one that
"memctl search" shows, or so much of its beginning that it is clear.

   memctl timeline kafka-message-size
   memctl timeline kafka-message-size --window 10 --json`

func timelineCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "timeline",
		Usage:       "tell what happened around a memory",
		ArgsUsage:   "ID...",
		Description: timelineDescription,
		Flags: []cli.Flag{
			rootFlag(),
			jsonFlag(),
			&cli.IntFlag{Name: "window", Value: retrieve.DefaultWindow, Usage: "`N` events before it and after it"},
		},
		Action: func(c *cli.Context) error {
			window := c.Int("window")
			switch {
			case !c.Args().Present():
				return usagef("timeline needs an id")
			case window < 0 || window > retrieve.MaxWindow:
				return usagef("--window: expected 0 to %d, got %d", retrieve.MaxWindow, window)
			}
			root, err := findRoot(c)
			if err != nil {
				return err
			}
			return runTimeline(c.Context, std, root, c.Args().Slice(), window, c.Bool("json"))
		},
	}
}

func runTimeline(ctx context.Context, std streams, root memdir.Root, names []string, window int, asJSON bool) error {
	list := make([]retrieve.Timeline, len(names))
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		source := retrieve.Source{DB: ix.DB, Root: root}
		for i, name := range names {
			ref, err := resolve(ctx, source, name)
			if err != nil {
				return err
			}
			if list[i], err = source.Timeline(ctx, ref, window); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(std.Out, list)
	}
	for i, t := range list {
		if i > 0 {
			fmt.Fprintln(std.Out)
		}
		for _, event := range t.Events {
			fmt.Fprintln(std.Out, event)
		}
	}
	return nil
}
