package main

import (
	"time"

	"memctl/memdir"
	"memctl/render"
	"memctl/retrieve"

	"github.com/urfave/cli/v2"
)

const statusDescription = `Says what the memory root holds: memories by category and status, the state of the
index, files that are not valid memories, observations, and the settings in force. It does
not judge them. memctl health does, and sets its exit status.`

func statusCommand(std streams) *cli.Command {
	return rootCommand("status", "say what the memory root holds", statusDescription, func(c *cli.Context, root memdir.Root) error {
		cfg, err := loadConfig(root, std)
		if err != nil {
			return err
		}
		status, err := retrieve.Status(c.Context, root, cfg, time.Now())
		if err != nil {
			return err
		}
		return printResult(c, std, status, render.Status)
	})
}
