package main

import (
	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

const updateDescription = `Replaces a memory with a changed one. The input is the whole memory, as "memctl show ID
--json" prints it, with the change made and an entry added to "changes" that says what
changed and why:

   {"date": "2026-01-31T09:00:00Z", "summary": "the limit is 2 MB since version 4"}

   memctl update kafka-message-size --hash MD5 --input changed.json

memctl adds the entry itself for a field of the content that held one value. The
rules: created_at, id, category and status stay. Tags are only added, or exchanged
once there are 12. A file leaves related_files only if it is gone. changes only grow,
and beyond 50 the oldest go. A title with more than half of its words new renames the
file, unless the new name is taken.

--hash is the MD5 of the file as you read it, which "memctl show ID" prints. If the
file has changed since, the update is refused with OCC_CONFLICT: read it again.

`

func updateCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "update",
		Usage:       "replace a memory with a changed one",
		ArgsUsage:   "ID|PATH",
		Description: updateDescription + writeContract,
		Flags: append(ownFlags(),
			rootFlag(),
			targetFlag("the memory at `PATH`; an id will do, and so will an argument"),
			inputFlag(),
			&cli.StringFlag{Name: "hash", Usage: "refuse unless the file's `MD5`, in lower-case hex, is this"},
		),
		Action: func(c *cli.Context) error { return runUpdate(c, std) },
	}
}

func runUpdate(c *cli.Context, std streams) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	if c.String("input") == "" {
		return console.Usagef("update needs --input")
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
