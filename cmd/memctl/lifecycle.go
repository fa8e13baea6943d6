package main

import (
	"context"

	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// moveFunc is the method of one of the four commands that change a memory's status.
type moveFunc func(w *writer.Writer, ctx context.Context, target, reason string) (writer.Moved, error)

func retireCommand(std streams) *cli.Command {
	return moveCommand(std, "retire", (*writer.Writer).Retire)
}

func archiveCommand(std streams) *cli.Command {
	return moveCommand(std, "archive", (*writer.Writer).Archive)
}

func unarchiveCommand(std streams) *cli.Command {
	return moveCommand(std, "unarchive", (*writer.Writer).Unarchive)
}

func restoreCommand(std streams) *cli.Command {
	return moveCommand(std, "restore", (*writer.Writer).Restore)
}

func moveCommand(std streams, name string, move moveFunc) *cli.Command {
	run := func(c *cli.Context, std streams) error { return runMove(c, std, move) }
	return newCommand(std, name, run, append(ownFlags(),
		rootFlag(),
		targetFlag("the memory at `PATH`; an id will do, and so will an argument"),
		&cli.StringFlag{Name: "reason", Usage: "why, for the memory's history: `TEXT` of at most 300 characters"},
	)...)
}

func runMove(c *cli.Context, std streams, move moveFunc) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	s, w, err := newWriter(c, std)
	if err != nil {
		return err
	}
	if name, err = fullName(c.Context, s, name); err != nil {
		return err
	}
	done, err := move(w, c.Context, name, c.String("reason"))
	if err != nil {
		return err
	}
	return writeJSON(std.Out, done)
}
