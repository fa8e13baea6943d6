package main

import (
	"memctl/history"
	"memctl/render"

	"github.com/urfave/cli/v2"
)

const blameDescription = `Says for each field of a memory which commit gave it the value that it has now, with the
author and the date. A value that came by a merge belongs to the commit that wrote it,
not to the merge. It follows renames.

   memctl blame kafka-message-size
   memctl blame kafka-message-size --json | jq '.[] | select(.field == "content.rule")'` + pagerHelp

func blameCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "blame",
		Usage:       "say who wrote each field of a memory",
		ArgsUsage:   "ID|PATH",
		Description: blameDescription,
		Flags: []cli.Flag{
			rootFlag(),
			targetFlag("the memory at `PATH`; an id will do, and so will an argument"),
			jsonFlag(),
			colorFlag(),
		},
		Action: func(c *cli.Context) error { return runBlame(c, std) },
	}
}

func runBlame(c *cli.Context, std streams) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	root, err := findRoot(c)
	if err != nil {
		return err
	}
	path, err := memoryPath(c.Context, root, name)
	if err != nil {
		return err
	}
	origins, err := history.Blame(c.Context, root, path)
	if err != nil {
		return err
	}
	return printPaged(c, std, origins, render.Blame)
}
