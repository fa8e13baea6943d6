package main

import (
	"fmt"

	"memctl/cmd/console"
	"memctl/retrieve"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func timelineCommand(std streams) *cli.Command {
	return newCommand(std, "timeline", runTimeline,
		rootFlag(),
		targetFlag("start from the memory at `PATH`; an id will do"),
		jsonFlag(),
		colorFlag(),
		numberFlag("window", retrieve.DefaultWindow, 0, retrieve.MaxWindow, "`N` events before it and after it"),
	)
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
	timelines, err := readSources(c.Context, s, roots, func(sources retrieve.Sources) ([]retrieve.Timeline, error) {
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
	})
	if err != nil {
		return err
	}
	return printPaged(c, std, timelines, printTimelines)
}

// printTimelines writes a table for each timeline on a terminal, else a line for each event.
// A blank line separates two timelines.
func printTimelines(s term.Screen, list []retrieve.Timeline) {
	for i, t := range list {
		if i > 0 {
			fmt.Fprintln(s)
		}
		columns := []term.Column{{Style: term.Bold}, {Head: "WHEN (UTC)"}, idColumn,
			{Head: "CATEGORY", Optional: true}, {Head: "EVENT"}, titleColumn}
		row := func(e retrieve.Event) []string {
			return []string{choose(e.Target, ">", ""), minute(e.At), e.ID, e.Category, e.Event,
				e.Preview}
		}
		if term.Tabulate(s, t.Events, columns, row) {
			continue
		}
		for _, event := range t.Events {
			fmt.Fprintln(s, text.Printable(event.String()))
		}
	}
}
