package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const gcDescription = `A retired memory can be restored for delete.grace_period_days (30). After that gc
archives it, where delete.archive_retired is true (the default), or deletes its
file. One whose retired_at is no date is left as it is and named.

Observations go session by session, file by file: those not written to for
observations.retention_days (30), then the oldest as long as all are more than
observations.max_mb (64). What was written to in the last hour stays.

   memctl gc --dry-run

Exit status: 0 done, 1 a memory was left that gc could not handle, 2 wrong usage.`

func dryRunFlag() cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Usage: "say what would be done and change nothing"}
}

func gcCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "gc",
		Usage:       "archive or delete what has been retired for long",
		Description: gcDescription,
		Flags:       []cli.Flag{rootFlag(), dryRunFlag(), jsonFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c, ""); err != nil {
				return err
			}
			w, err := existingWriter(c, std)
			if err != nil {
				return err
			}
			return runGC(c.Context, std, w, c.Bool("dry-run"), c.Bool("json"))
		},
	}
}

// gcReport is the answer of gc.
type gcReport struct {
	writer.Collection
	Observations observe.Removed `json:"observations"`
}

func runGC(ctx context.Context, std streams, w *writer.Writer, dryRun, asJSON bool) error {
	collected, err := w.Collect(ctx, dryRun)
	if err != nil {
		return err
	}
	removed, err := observe.Collect(w.Root, w.Config.Observations, w.Now(), dryRun)
	if err != nil {
		return fmt.Errorf("collect observations: %w", err)
	}
	if asJSON {
		err = writeJSON(std.Out, gcReport{collected, removed})
	} else {
		if len(collected.Archived)+len(collected.Deleted)+len(removed.Files) == 0 {
			fmt.Fprintln(std.Out, "nothing to collect")
		}
		printCollection(std.Out, w.Config.Delete, collected)
		printRemoved(std.Out, dryRun, removed)
	}
	if err == nil && len(collected.Skipped)+len(removed.Failed) > 0 {
		return errFindings
	}
	return err
}

func printRemoved(out io.Writer, dryRun bool, r observe.Removed) {
	if len(r.Files) > 0 {
		fmt.Fprintf(out, "%s the observations of %s, %.1f MB:\n", doneOr(dryRun, "removed"), text.Plural(len(r.Files), "session", "sessions"), float64(r.Bytes)/1e6)
	}
	for _, path := range r.Files {
		fmt.Fprintf(out, "  %s\n", text.Printable(path))
	}
	for _, path := range slices.Sorted(maps.Keys(r.Failed)) {
		fmt.Fprintf(out, "could not remove %s: %s\n", text.Printable(path), text.Printable(r.Failed[path]))
	}
}

func printCollection(out io.Writer, cfg schemas.DeleteConfig, c writer.Collection) {
	printPaths(out, c.DryRun, "archived", c.Archived)
	printPaths(out, c.DryRun, "deleted", c.Deleted)
	printSkipped(out, c.Skipped)
	if c.Kept > 0 {
		fmt.Fprintf(out, "%s been retired for less than %s and can be restored\n",
			text.Plural(c.Kept, "memory has", "memories have"), text.Plural(cfg.GracePeriodDays, "day", "days"))
	}
}

func printPaths(out io.Writer, dryRun bool, done string, paths []string) {
	if len(paths) == 0 {
		return
	}
	fmt.Fprintf(out, "%s %s:\n", doneOr(dryRun, done), text.Plural(len(paths), "memory", "memories"))
	for _, path := range paths {
		fmt.Fprintf(out, "  %s\n", text.Printable(path))
	}
}

// doneOr words what a dry run would do.
func doneOr(dryRun bool, done string) string {
	if dryRun {
		return "would have " + done
	}
	return done
}

func printSkipped(out io.Writer, skipped []writer.Skipped) {
	if len(skipped) == 0 {
		return
	}
	fmt.Fprintf(out, "left %s:\n", text.Plural(len(skipped), "file as it is", "files as they are"))
	for _, s := range skipped {
		fmt.Fprintf(out, "  %s: %s\n", text.Printable(s.Path), text.Printable(s.Reason))
	}
}
