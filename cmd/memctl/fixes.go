package main

import (
	"context"
	"fmt"
	"io"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
)

// runFixes lists what failed and worked later.
func runFixes(ctx context.Context, std streams, root memdir.Root, cfg schemas.Config, f retrieve.ObservationFilter, asJSON bool) error {
	var runs []retrieve.Run
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) (err error) {
		runs, err = retrieve.Runs(ctx, ix.DB, f)
		return err
	})
	if err != nil {
		return err
	}
	fixes := retrieve.Fixes(runs)
	if n := len(fixes); f.Limit > 0 && n > f.Limit {
		fixes = fixes[n-f.Limit:]
	}
	if asJSON {
		return writeJSON(std.out, nonNil(fixes))
	}
	if len(fixes) == 0 {
		fmt.Fprintln(std.err, "memctl: nothing failed and worked later in the same session")
		if !cfg.Observations.Enabled {
			printNothingObserved(std.err, cfg)
		}
	}
	for _, fix := range fixes {
		printFix(std.out, fix)
	}
	return nil
}

func printFix(out io.Writer, fix retrieve.Fix) {
	fmt.Fprintf(out, "%s  %s\n", localTime(fix.FixedAt), onLine(fix.Tool+" "+fix.Subject))
	fmt.Fprintf(out, "  failed %s: %s\n", plural(fix.Failures, "time", "times"), onLine(fix.Error))
	for _, step := range fix.Between {
		fmt.Fprintf(out, "  then: %s\n", onLine(step))
	}
}
