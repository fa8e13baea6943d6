package main

import (
	"memctl/memdir"
	"memctl/render"
	"memctl/schemas"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const createDescription = `Writes a new memory from a JSON object. It fills in id, timestamps, status and
schema_version if they are left out.

   memctl create --category constraint --input - <<< '
   {"title": "Kafka refuses messages larger than 1 MB", "tags": ["kafka", "limits"],
    "content": {"kind": "technical", "rule": "A message over 1,048,576 bytes is rejected.",
      "impact": ["Scan photos go to object storage."], "severity": "high", "active": true}}'

Without --target the title names the file. create never overwrites a memory; "memctl
update" changes one. The name of a memory that was retired less than 24 hours ago
cannot be used either. If there is no memory root, create makes one.

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
		Action: func(c *cli.Context) error { return runCreate(c, std) },
	}
}

func draftCategoryFlag() cli.Flag {
	return &cli.StringFlag{Name: "category", Usage: "its category `C`: " + categoryNames()}
}

// draftCategory reads the flags of a command that takes a category and a draft.
func draftCategory(c *cli.Context) (schemas.Category, error) {
	if err := required(c, "category", "input"); err != nil {
		return "", err
	}
	return readCategory(c.String("category"))
}

// runCreate writes the memory, and the rest of the memory root if it was only planned.
func runCreate(c *cli.Context, std streams) error {
	category, err := draftCategory(c)
	if err != nil {
		return err
	}
	w, planned, err := newWriter(c, std)
	if err != nil {
		return err
	}
	in, err := writer.ReadInput(w.Root, c.String("input"), std.In)
	if err != nil {
		return err
	}
	done, err := w.Create(c.Context, category, c.String("target"), in)
	if err != nil {
		return err
	}
	removeDraft(std, in)
	if planned {
		if _, err := memdir.Init(w.Root.Path); err != nil {
			return err
		}
		render.Note(std.Err, "made the memory root %s", w.Root.Path)
	}
	return writeJSON(std.Out, done)
}
