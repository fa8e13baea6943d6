package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"memctl/observe"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func gcCommand(std streams) *cli.Command {
	return newCommand(std, "gc", runGC, rootFlag(), dryRunFlag(), jsonFlag())
}

// collection is what gc collected.
type collection struct {
	writer.Collection
	Observations observe.Removed `json:"observations"`
}

func runGC(c *cli.Context, std streams) error {
	w, err := existingWriter(c, std)
	if err != nil {
		return err
	}
	dryRun := c.Bool("dry-run")
	memories, err := w.Collect(c.Context, dryRun)
	if err != nil {
		return err
	}
	observations, err := observe.Collect(w.Root, w.Config.Observations, w.Now(), dryRun)
	if err != nil {
		return fmt.Errorf("collect observations: %w", err)
	}
	rendered := func(out io.Writer, done collection) {
		printCollection(out, done.Collection, done.Observations, w.Config.Delete.GracePeriodDays)
	}
	return printFindings(c, std, collection{memories, observations}, rendered,
		len(memories.Skipped)+len(observations.Failed) > 0)
}

// printCollection writes which memories were archived or deleted, and the files of
// observations that were removed. graceDays is how long a retired memory can be
// restored.
func printCollection(out io.Writer, c writer.Collection, removed observe.Removed, graceDays int) {
	if len(c.Archived)+len(c.Deleted)+len(removed.Files) == 0 {
		fmt.Fprintln(out, "nothing to collect")
	}
	printCollected(out, doneOr(c.DryRun, "archived"), c.Archived)
	printCollected(out, doneOr(c.DryRun, "deleted"), c.Deleted)
	printSkipped(out, c.Skipped)
	if c.Kept > 0 {
		fmt.Fprintf(out, "%s been retired for less than %s and can be restored\n",
			text.Plural(c.Kept, "memory has", "memories have"), text.Plural(graceDays, "day", "days"))
	}
	if len(removed.Files) > 0 {
		fmt.Fprintf(out, "%s the observations of %s, %.1f MB:\n", doneOr(c.DryRun, "removed"),
			sessions(len(removed.Files)), float64(removed.Bytes)/1e6)
	}
	printPaths(out, removed.Files)
	for _, path := range slices.Sorted(maps.Keys(removed.Failed)) {
		fmt.Fprintf(out, "could not remove %s: %s\n", text.Printable(path), text.Printable(removed.Failed[path]))
	}
}

func printCollected(out io.Writer, done string, list []string) {
	if len(list) > 0 {
		fmt.Fprintf(out, "%s %s:\n", done, memories(len(list)))
	}
	printPaths(out, list)
}
