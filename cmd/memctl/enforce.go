package main

import (
	"fmt"
	"io"
	"strings"

	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const enforceDescription = `Retires the active memories that exceed the limits of memory-config.json:

   categories.NAME.retention_days   days without an update (0: any number)
   categories.NAME.max_retained     memories of the category (0: any number)
   max_memories_per_category        memories of each category (0: any number)

It keeps the memories that were updated last. It deletes nothing: memctl restore makes
a memory active again. For a session summary it says what no other active memory says.

create does the same for the category of the new memory, but ignores age and retires
at most one memory for max_memories_per_category.

   memctl enforce --dry-run --category session_summary

Exit status: 0 done, 1 a memory could not be retired, 2 wrong usage.`

func enforceCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "enforce",
		Usage:       "retire what the limits of the configuration leave no room for",
		Description: enforceDescription,
		Flags:       []cli.Flag{rootFlag(), categoryFlag(), dryRunFlag(), jsonFlag()},
		Before:      withoutArguments(""),
		Action: func(c *cli.Context) error {
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
		},
	}
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
			fmt.Fprintf(out, "    [WARN] no other active memory says: %s\n", text.Printable(strings.Join(r.OnlyHere, "; ")))
		}
	}
	printSkipped(out, e.Skipped)
}
