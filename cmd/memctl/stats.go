package main

import (
	"context"
	"fmt"
	"io"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const statsDescription = `Sums up the observations: runs and failures of each tool, sessions, and what the
privacy filter kept from the disk.`

func statsCommand(std streams) *cli.Command {
	return wholeRootCommand("stats", "sum up what the agent's tools did", statsDescription, func(ctx context.Context, root memdir.Root, asJSON bool) error {
		return runStats(ctx, std, root, asJSON)
	})
}

func runStats(ctx context.Context, std streams, root memdir.Root, asJSON bool) error {
	var s retrieve.ToolStats
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) (err error) {
		s, err = retrieve.Stats(ctx, ix.DB)
		return err
	})
	if err == nil && s.Observations == 0 {
		err = checkReadable(root)
	}
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(std.Out, s)
	}
	if s.Observations == 0 {
		fmt.Fprintln(std.Err, "memctl: no observations")
		return nil
	}
	printStats(std.Out, s)
	return nil
}

func printStats(out io.Writer, s retrieve.ToolStats) {
	fmt.Fprintf(out, "%s of %s, %s to %s\n\n", text.Plural(s.Observations, "run", "runs"), text.Plural(s.Sessions, "session", "sessions"), day(s.First), day(s.Last))
	fmt.Fprintf(out, "%-24s %8s %8s %10s\n", "tool", "runs", "failed", "mean ms")
	for _, t := range s.Tools {
		mean := "-"
		if t.MeanMS != nil {
			mean = fmt.Sprintf("%.0f", *t.MeanMS)
		}
		fmt.Fprintf(out, "%-24s %8d %8d %10s\n", text.Ellipsis(text.Printable(t.Tool), 24), t.Runs, t.Failures, mean)
	}
	fmt.Fprintf(out, "%-24s %8d %8d\n\n", "total", s.Observations, s.Failures)
	fmt.Fprintf(out, "kept from the disk: %s", text.Plural(s.PrivateSections, "private section", "private sections"))
	for _, k := range s.Secrets {
		fmt.Fprintf(out, ", %d %s", k.Count, text.Printable(k.Kind))
	}
	fmt.Fprintln(out)
	if s.BrokenLines > 0 {
		fmt.Fprintf(out, "left out: %s; memctl validate names them\n", text.Plural(s.BrokenLines, "broken line", "broken lines"))
	}
}
