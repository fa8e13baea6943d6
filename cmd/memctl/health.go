package main

import (
	"time"

	"memctl/memdir"
	"memctl/render"
	"memctl/retrieve"

	"github.com/urfave/cli/v2"
)

const healthDescription = `Judges the memory root: GOOD, or NEEDS ATTENTION and why. memctl status says what
there is and which settings are in force. memctl validate checks every file against
its schema, which takes longer.

What needs attention:

   a file in a category's folder that cannot be read as a memory
   an index that was damaged (it has been rebuilt, but something damaged it), or
       that is out of date and cannot be written (memctl then builds one in memory
       for each answer, which takes longer)
   anything in memory-config.json that cannot be used

An index that is missing, as after git clone, or that another version of memctl made
is in order: memctl rebuilds it. For information only: active memories updated more
than 5 times, which may be several subjects in one, and memories retired in the last
7 days, which memctl restore brings back.

Exit status: 0 GOOD, 1 NEEDS ATTENTION or no memory root, 2 wrong usage.`

func healthCommand(std streams) *cli.Command {
	return rootCommand("health", "judge whether the memory root needs attention", healthDescription, func(c *cli.Context, root memdir.Root) error {
		health, err := retrieve.Health(c.Context, root, time.Now())
		if err != nil {
			return err
		}
		return printFindings(c, std, health, render.Health, health.Verdict != retrieve.Good)
	})
}
