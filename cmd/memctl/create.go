package main

import (
	"context"
	"fmt"

	"memctl/schemas"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const createDescription = `Writes a new memory from a JSON object. id, timestamps, status and schema_version
may be left out: they are filled in.

   memctl create --category constraint --input - <<< '
   {"title": "Kafka refuses messages larger than 1 MB", "tags": ["kafka", "limits"],
    "content": {"kind": "technical", "rule": "A message over 1,048,576 bytes is rejected.",
      "impact": ["Scan photos go to object storage."], "severity": "high", "active": true}}'

Without --target the file is named by the title. A memory is never overwritten: to
change one there is "memctl update". The name of one that was retired less than 24
hours ago cannot be used either. Where there is no memory root one is made.

`

func createCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "create",
		Usage:       "write a new memory",
		Description: createDescription + writeContract,
		Flags: []cli.Flag{
			rootFlag(),
			draftCategoryFlag(),
			targetFlag("put it at `PATH` in the folder of its category; an id will do (default: the title's)"),
			inputFlag(),
		},
		Action: func(c *cli.Context) error {
			category, err := draftCategory(c)
			if err != nil {
				return err
			}
			w, planned, err := newWriter(c, std)
			if err != nil {
				return err
			}
			return runCreate(c.Context, std, w, planned, category, c.String("target"), c.String("input"))
		},
	}
}

func draftCategoryFlag() cli.Flag {
	return &cli.StringFlag{Name: "category", Usage: "its category `C`: " + categoryNames()}
}

// draftCategory reads the category of a command that takes one, and a draft.
func draftCategory(c *cli.Context) (schemas.Category, error) {
	if err := required(c, "category", "input"); err != nil {
		return "", err
	}
	category, ok := categoryNamed(c.String("category"))
	if !ok {
		return "", usagef("--category: expected one of %s, got %q", categoryNames(), c.String("category"))
	}
	return category, nil
}

func runCreate(ctx context.Context, std streams, w *writer.Writer, planned bool, category schemas.Category, target, input string) error {
	in, err := writer.ReadInput(w.Root, input, std.In)
	if err != nil {
		return err
	}
	done, err := w.Create(ctx, category, target, in)
	if err != nil {
		return err
	}
	used(std, in)
	if planned {
		if _, err := makeRoot(w.Root.Path); err != nil {
			return err
		}
		fmt.Fprintf(std.Err, "memctl: made the memory root %s\n", w.Root.Path)
	}
	return writeJSON(std.Out, done)
}
