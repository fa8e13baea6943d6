package main

import (
	"context"

	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// moveFunc is the method of one of the four commands that change a memory's status.
type moveFunc func(w *writer.Writer, ctx context.Context, target, reason string) (writer.Moved, error)

func retireCommand(std streams) *cli.Command {
	return moveCommand(std, "retire", "take a memory out of use", (*writer.Writer).Retire,
		`Prompts no longer find a retired memory. It can be restored until "memctl gc" archives
or deletes it (delete.grace_period_days). An archived memory has to be unarchived
first. Retiring a memory again changes nothing and says already_retired.`)
}

func archiveCommand(std streams) *cli.Command {
	return moveCommand(std, "archive", "take an active memory out of use and keep it", (*writer.Writer).Archive,
		`Prompts no longer find an archived memory, but memctl keeps it for good. A retired
memory has to be restored first. Archiving a memory again changes nothing and says
already_archived.`)
}

func unarchiveCommand(std streams) *cli.Command {
	return moveCommand(std, "unarchive", "make an archived memory active again", (*writer.Writer).Unarchive,
		`The opposite of archive. It refuses any memory that is not archived.`)
}

func restoreCommand(std streams) *cli.Command {
	return moveCommand(std, "restore", "make a retired memory active again", (*writer.Writer).Restore,
		`The opposite of retire, as long as the file is there. An active memory stays as it is,
and the answer says already_active. An archived memory has to be unarchived instead.`)
}

func moveCommand(std streams, name, usage string, move moveFunc, description string) *cli.Command {
	return &cli.Command{
		Name:        name,
		Usage:       usage,
		ArgsUsage:   "ID|PATH",
		Description: description + "\n\n   memctl " + name + " kafka-message-size --reason \"...\"\n\n" + writeContract,
		Flags: append(ownFlags(),
			rootFlag(),
			targetFlag("the memory at `PATH`; an id will do, and so will an argument"),
			&cli.StringFlag{Name: "reason", Usage: "why, for the memory's history: `TEXT` of at most 300 characters"},
		),
		Action: func(c *cli.Context) error {
			name, err := memoryName(c)
			if err != nil {
				return err
			}
			w, planned, err := newWriter(c, std)
			if err != nil {
				return err
			}
			if !planned {
				if name, err = fullName(c.Context, w.Root, name); err != nil {
					return err
				}
			}
			done, err := move(w, c.Context, name, c.String("reason"))
			if err != nil {
				return err
			}
			return writeJSON(std.Out, done)
		},
	}
}
