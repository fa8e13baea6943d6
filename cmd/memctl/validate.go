package main

import (
	"fmt"
	"io"

	"memctl/memdir"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const validateDescription = `Checks every memory file against the schema of its category, memory-config.json
against its own, the lines of observations, and the index against the files. It
changes nothing.

Findings about the index are missing (it lacks the file), stale (the file is gone) and
changed (the file has changed since it was indexed). The next command that reads fixes
them. A root without an index is in order: memctl makes one when it needs it.

Exit status: 0 all in order, 1 something was found, 2 wrong usage.`

func validateCommand(std streams) *cli.Command {
	return rootCommand("validate", "check every file, and the index against the files", validateDescription, func(c *cli.Context, root memdir.Root) error {
		validation, err := writer.Validate(c.Context, root)
		if err != nil {
			return err
		}
		return printFindings(c, std, validation, printValidation, len(validation.Findings) > 0)
	})
}

// printValidation writes a line for each finding, then the counts.
func printValidation(out io.Writer, v writer.Validation) {
	for _, f := range v.Findings {
		fmt.Fprintln(out, text.Printable(f.Message))
	}
	fmt.Fprintf(out, "%s checked: %s\n", text.Plural(v.Files, "file", "files"), text.Plural(len(v.Findings), "finding", "findings"))
}
