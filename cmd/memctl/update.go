package main

import (
	"context"

	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const updateDescription = `Puts a changed memory in the place of what is there. The input is the whole memory,
as "memctl show ID --json" prints it, with the change made and an entry added to
"changes" that says what and why:

   {"date": "2026-01-31T09:00:00Z", "summary": "the limit is 2 MB since version 4"}

A field of the content that held one value gets its entry by itself. The rules:
created_at, id, category and status stay; tags are only added, or exchanged once
there are 12; files in related_files may go once they are gone; changes only grow,
the oldest go beyond 50. A title that is new by more than half of its words renames
the file, unless the new name is taken.

--hash is the MD5 of the file as you read it, which "memctl show ID" prints: where
the file has changed since, the update is refused with OCC_CONFLICT, and you read it
again.

`

func updateCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "update",
		Usage:       "change a memory",
		Description: updateDescription + writeContract,
		Flags: []cli.Flag{
			rootFlag(),
			targetFlag("change the memory at `PATH`; an id will do"),
			inputFlag(),
			&cli.StringFlag{Name: "hash", Usage: "refuse unless the file's `MD5`, in lower-case hex, is this"},
		},
		Action: func(c *cli.Context) error {
			if err := required(c, "target", "input"); err != nil {
				return err
			}
			w, _, err := newWriter(c, std)
			if err != nil {
				return err
			}
			return runUpdate(c.Context, std, w, c.String("target"), c.String("input"), c.String("hash"))
		},
	}
}

func runUpdate(ctx context.Context, std streams, w *writer.Writer, target, input, hash string) error {
	in, err := writer.ReadInput(w.Root, input, std.In)
	if err != nil {
		return err
	}
	done, err := w.Update(ctx, target, in, hash)
	if err != nil {
		return err
	}
	used(std, in)
	return writeJSON(std.Out, done)
}
