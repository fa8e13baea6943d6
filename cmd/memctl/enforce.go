package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const enforceDescription = `Retires the active memories for which memory-config.json leaves no room:

   categories.NAME.retention_days   not touched for so many days (0: never)
   categories.NAME.max_retained     all but the newest so many (0: all stay)
   max_memories_per_category        the same, for every category (0: all stay)

The newest is the one updated last. Nothing is deleted: memctl restore takes a memory
back. For a session summary it says what no other active memory holds.

create does this for the category of the new memory, but does not look at age and
retires at most one memory for max_memories_per_category.

   memctl enforce --dry-run --category session_summary

Exit status: 0 done, 1 a memory could not be retired, 2 wrong usage.`

func enforceCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "enforce",
		Usage:       "retire what the limits of the configuration leave no room for",
		Description: enforceDescription,
		Flags:       []cli.Flag{rootFlag(), categoryFlag(), dryRunFlag(), jsonFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c, ""); err != nil {
				return err
			}
			categories, err := categoriesArg(c)
			if err != nil {
				return err
			}
			w, err := existingWriter(c, std)
			if err != nil {
				return err
			}
			return runEnforce(c.Context, std, w, writer.Scope{Categories: categories, DryRun: c.Bool("dry-run")}, c.Bool("json"))
		},
	}
}

func runEnforce(ctx context.Context, std streams, w *writer.Writer, scope writer.Scope, asJSON bool) error {
	e, err := w.Enforce(ctx, scope)
	if err != nil {
		return err
	}
	if asJSON {
		err = writeJSON(std.Out, e)
	} else {
		printEnforcement(std.Out, e)
	}
	if err == nil && len(e.Skipped) > 0 {
		return errFindings
	}
	return err
}

func printEnforcement(out io.Writer, e writer.Enforcement) {
	if len(e.Retired) == 0 {
		fmt.Fprintln(out, "every category is within its limits")
	} else {
		fmt.Fprintf(out, "%s %s:\n", doneOr(e.DryRun, "retired"), text.Plural(len(e.Retired), "memory", "memories"))
	}
	for _, r := range e.Retired {
		fmt.Fprintf(out, "  %s: %s\n", text.Printable(r.Path), r.Reason)
		if len(r.OnlyHere) > 0 {
			fmt.Fprintf(out, "    [WARN] no other active memory says: %s\n", text.Printable(strings.Join(r.OnlyHere, "; ")))
		}
	}
	printSkipped(out, e.Skipped)
}
