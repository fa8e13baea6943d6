package main

import (
	"fmt"

	"memctl/cmd/console"
	"memctl/indexer"
	"memctl/render"
	"memctl/retrieve"

	"github.com/urfave/cli/v2"
)

const timelineDescription = `Tells what happened around a memory or an observation: memories that were created,
changed, retired or archived, and what tools did. Around an observation it shows only
the tools of its session. The last thing that happened to it is marked with ">". An ID
is one that "memctl search" shows, or enough of its beginning to be unambiguous.

   memctl timeline kafka-message-size
   memctl timeline kafka-message-size --window 10 --json` + pagerHelp

func timelineCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "timeline",
		Usage:       "show what happened around a memory",
		ArgsUsage:   "ID...",
		Description: timelineDescription,
		Flags: []cli.Flag{
			rootFlag(),
			targetFlag("start from the memory at `PATH`; an id will do"),
			jsonFlag(),
			colorFlag(),
			&cli.IntFlag{
				Name:   "window",
				Value:  retrieve.DefaultWindow,
				Usage:  "`N` events before it and after it",
				Action: between("window", 0, retrieve.MaxWindow),
			},
		},
		Action: func(c *cli.Context) error { return runTimeline(c, std) },
	}
}

func runTimeline(c *cli.Context, std streams) error {
	names, err := memoryNames(c)
	if err != nil {
		return err
	}
	roots, err := findRoots(c, std)
	if err != nil {
		return err
	}
	timelines, err := readSources(c.Context, std, roots, indexer.Full, func(sources retrieve.Sources) ([]retrieve.Timeline, error) {
		list := make([]retrieve.Timeline, len(names))
		for i, name := range names {
			ref, err := sources.Resolve(c.Context, name)
			if err != nil {
				return nil, err
			}
			if ref.Row == 0 {
				return nil, &console.Failure{Err: fmt.Errorf("%s is not a readable memory, so it has no timeline", ref.Path), Hint: `run "memctl validate" for what is wrong with it`, Code: console.ExitFailed}
			}
			if list[i], err = sources.Timeline(c.Context, ref, c.Int("window")); err != nil {
				return nil, err
			}
		}
		return list, nil
	})
	if err != nil {
		return err
	}
	return printPaged(c, std, timelines, render.Timelines)
}
