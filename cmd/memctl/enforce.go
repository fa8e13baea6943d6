package main

import (
	"fmt"
	"io"
	"strings"

	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func enforceCommand(std streams) *cli.Command {
	return newCommand(std, "enforce", runEnforce, rootFlag(), categoryFlag(), dryRunFlag(), jsonFlag())
}

func runEnforce(c *cli.Context, std streams) error {
	categories, err := readCategories(c)
	if err != nil {
		return err
	}
	w, err := existingWriter(c, std)
	if err != nil {
		return err
	}
	enforcement, err := w.Enforce(c.Context, categories, c.Bool("dry-run"))
	if err != nil {
		return err
	}
	return printFindings(c, std, enforcement, printEnforcement, len(enforcement.Skipped) > 0)
}

// printEnforcement writes which memories were retired, and why.
func printEnforcement(out io.Writer, e writer.Enforcement) {
	if len(e.Retired) == 0 {
		fmt.Fprintln(out, "every category is within its limits")
	} else {
		fmt.Fprintf(out, "%s %s:\n", doneOr(e.DryRun, "retired"), memories(len(e.Retired)))
	}
	for _, r := range e.Retired {
		fmt.Fprintf(out, "  %s: %s\n", text.Printable(r.Path), text.Printable(r.Reason))
		if len(r.OnlyHere) > 0 {
			fmt.Fprintf(out, "    [WARN] no other active memory says: %s\n",
				text.Printable(strings.Join(r.OnlyHere, "; ")))
		}
	}
	printSkipped(out, e.Skipped)
}
