package main

import (
	"memctl/memdir"
	"memctl/observe"
	"memctl/render"
	"memctl/retrieve"

	"github.com/urfave/cli/v2"
)

const statsDescription = `Sums up the observations: runs and failures of each tool, sessions, and what the
privacy filter kept from the disk.`

func statsCommand(std streams) *cli.Command {
	return rootCommand("stats", "sum up what the agent's tools did", statsDescription, func(c *cli.Context, root memdir.Root) error {
		stats, err := readIndex(c.Context, root, func(s retrieve.Source) (retrieve.ToolStats, error) {
			return retrieve.Stats(c.Context, s.DB)
		})
		if err == nil && stats.Observations == 0 {
			err = observe.CheckReadable(root)
		}
		if err != nil {
			return err
		}
		if stats.Observations == 0 && !c.Bool("json") {
			render.Note(std.Err, "no observations")
			return nil
		}
		return printResult(c, std, stats, render.ToolStats)
	})
}
