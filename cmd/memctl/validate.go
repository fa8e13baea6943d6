package main

import (
	"fmt"
	"io"

	"memctl/doctor"
	"memctl/memdir"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func validateCommand(std streams) *cli.Command {
	return newCommand(std, "validate", rooted(runValidate), rootFlag(), jsonFlag())
}

func runValidate(c *cli.Context, std streams, root memdir.Root) error {
	validation, err := doctor.Validate(c.Context, root)
	if err != nil {
		return err
	}
	return printFindings(c, std, validation, printValidation, len(validation.Findings) > 0)
}

// printValidation writes a line for each finding, then the counts.
func printValidation(out io.Writer, v doctor.Validation) {
	for _, f := range v.Findings {
		fmt.Fprintln(out, text.Printable(f.Message))
	}
	fmt.Fprintf(out, "%s checked: %s\n", text.Plural(v.Files, "file", "files"), text.Plural(len(v.Findings), "finding", "findings"))
}
