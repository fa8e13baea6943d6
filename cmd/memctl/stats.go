package main

import (
	"memctl/hooks"
	"memctl/memdir"
	"memctl/observe"
	"memctl/render"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/term"

	"github.com/urfave/cli/v2"
)

const statsDescription = `Sums up the observations: runs and failures of each tool, sessions, and what the
privacy filter kept from the disk.

With --memories: which memories prompts received, how often and when last. The prompt
hook notes that in injections.jsonl in your state folder ($XDG_STATE_HOME/memctl, else
~/.local/state/memctl), unless retrieval.record is false: ids, times and sessions, no
word of a prompt. The file keeps some thousand prompts of all projects; you may delete
it at any time.

   memctl stats
   memctl stats --memories --json`

func statsCommand(std streams) *cli.Command {
	command := rootCommand("stats", "sum up what tools did, or which memories prompts received", statsDescription, func(c *cli.Context, root memdir.Root) error {
		if c.Bool("memories") {
			return runMemoryStats(c, std, root)
		}
		return runToolStats(c, std, root)
	})
	command.Flags = append(command.Flags, colorFlag(), &cli.BoolFlag{Name: "memories", Usage: "which memories prompts received, how often and when last"})
	return command
}

func runToolStats(c *cli.Context, std streams, root memdir.Root) error {
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
		term.Note(std.Err, "no observations")
		return nil
	}
	return printResult(c, std, stats, render.ToolStats)
}

func runMemoryStats(c *cli.Context, std streams, root memdir.Root) error {
	injections, err := hooks.ReadInjections(root)
	if err != nil {
		return err
	}
	stats, err := readIndex(c.Context, root, func(s retrieve.Source) (hooks.MemoryStats, error) {
		items, err := retrieve.List(c.Context, s.DB, retrieve.Filter{Statuses: schemas.Statuses}, "path")
		return hooks.SumUp(root, injections, items), err
	})
	if err != nil {
		return err
	}
	if stats.Prompts == 0 && !c.Bool("json") {
		term.Note(std.Err, "no prompt has received a memory yet")
		return nil
	}
	return printPaged(c, std, stats, render.MemoryStats)
}
