package main

import (
	"memctl/history"
	"memctl/memdir"
	"memctl/render"

	"github.com/urfave/cli/v2"
)

const blameDescription = `Says for each field of a memory which commit gave it the value that it has now, with the
author and the date. A value that came by a merge belongs to the commit that wrote it,
not to the merge. It follows renames.

   memctl blame kafka-message-size
   memctl blame kafka-message-size --json | jq '.[] | select(.field == "content.rule")'`

func blameCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "blame",
		Usage:       "say who wrote each field of a memory",
		ArgsUsage:   "ID",
		Description: blameDescription,
		Flags:       []cli.Flag{rootFlag(), jsonFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, "ID"); err != nil {
				return err
			}
			root, err := findRoot(c)
			if err != nil {
				return err
			}
			return runBlame(c, std, root)
		},
	}
}

func runBlame(c *cli.Context, std streams, root memdir.Root) error {
	path, err := memoryPath(c.Context, root, c.Args().First())
	if err != nil {
		return err
	}
	origins, err := history.Blame(c.Context, root, path)
	if err != nil {
		return err
	}
	return printResult(c, std, origins, render.Blame)
}
