package main

import (
	"context"

	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// moveFunc is what the four commands on a memory's status have in common.
type moveFunc func(w *writer.Writer, ctx context.Context, target, reason string) (writer.Moved, error)

func retireCommand(std streams) *cli.Command {
	return moveCommand(std, "retire", "take a memory out of use", (*writer.Writer).Retire,
		`Prompts no longer find a retired memory. It can be restored until it is deleted,
some time after (delete.grace_period_days). An archived memory has to be unarchived
first. Retiring one again changes nothing and says already_retired.`)
}

func archiveCommand(std streams) *cli.Command {
	return moveCommand(std, "archive", "take an active memory out of use and keep it", (*writer.Writer).Archive,
		`Prompts no longer find an archived memory, but it is kept for good. A retired memory
has to be restored first. Archiving one again changes nothing and says
already_archived.`)
}

func unarchiveCommand(std streams) *cli.Command {
	return moveCommand(std, "unarchive", "make an archived memory active again", (*writer.Writer).Unarchive,
		`The opposite of archive; any other memory is refused.`)
}

func restoreCommand(std streams) *cli.Command {
	return moveCommand(std, "restore", "make a retired memory active again", (*writer.Writer).Restore,
		`The opposite of retire, for as long as the file is there. An active memory stays as
it is: already_active. An archived one is unarchived instead.`)
}

func moveCommand(std streams, name, usage string, move moveFunc, description string) *cli.Command {
	return &cli.Command{
		Name:        name,
		Usage:       usage,
		Description: description + "\n\n   memctl " + name + " --target kafka-message-size --reason \"...\"\n\n" + writeContract,
		Flags: []cli.Flag{
			rootFlag(),
			targetFlag("the memory at `PATH`; an id will do"),
			&cli.StringFlag{Name: "reason", Usage: "why, for the memory's history: `TEXT` of at most 300 characters"},
		},
		Action: func(c *cli.Context) error {
			if err := required(c, "target"); err != nil {
				return err
			}
			w, _, err := newWriter(c, std)
			if err != nil {
				return err
			}
			return runMove(c.Context, std, w, move, c.String("target"), c.String("reason"))
		},
	}
}

func runMove(ctx context.Context, std streams, w *writer.Writer, move moveFunc, target, reason string) error {
	done, err := move(w, ctx, target, reason)
	if err != nil {
		return err
	}
	return writeJSON(std.Out, done)
}
