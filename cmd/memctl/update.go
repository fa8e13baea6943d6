package main

import (
	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

func updateCommand(std streams) *cli.Command {
	return newCommand(std, "update", runUpdate, append(ownFlags(),
		rootFlag(),
		targetFlag("the memory at `PATH`; an id will do, and so will an argument"),
		inputFlag(),
		&cli.StringFlag{Name: "hash", Usage: "refuse unless the file's `MD5`, in lower-case hex, is this"},
	)...)
}

func runUpdate(c *cli.Context, std streams) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	if c.String("input") == "" {
		return console.Usagef("update needs --input")
	}
	s, w, err := newWriter(c, std)
	if err != nil {
		return err
	}
	if name, err = fullName(c.Context, s, name); err != nil {
		return err
	}
	in, err := readInput(c, std, w.Root)
	if err != nil {
		return err
	}
	done, err := w.Update(c.Context, name, in, c.String("hash"))
	if err != nil {
		return err
	}
	removeDraft(std, in)
	return writeJSON(std.Out, done)
}
