package main

import (
	"context"
	"fmt"
	"io"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// runFixes lists what failed and worked later.
func runFixes(ctx context.Context, std streams, root memdir.Root, cfg schemas.Config, f retrieve.ObservationFilter, asJSON bool) error {
	var runs []observe.Run
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) (err error) {
		runs, err = retrieve.Runs(ctx, ix.DB, f)
		return err
	})
	if err == nil && len(runs) == 0 {
		err = checkReadable(root)
	}
	if err != nil {
		return err
	}
	fixes := observe.Fixes(runs)
	if n := len(fixes); f.Limit > 0 && n > f.Limit {
		fixes = fixes[n-f.Limit:]
	}
	if asJSON {
		return writeJSON(std.Out, nonNil(fixes))
	}
	if len(fixes) == 0 {
		fmt.Fprintln(std.Err, "memctl: nothing failed and worked later in the same session")
		if !cfg.Observations.Enabled {
			printNothingObserved(std.Err, cfg)
		}
	}
	for _, fix := range fixes {
		printFix(std.Out, fix)
	}
	return nil
}

func printFix(out io.Writer, fix observe.Fix) {
	fmt.Fprintf(out, "%s  %s\n", localTime(fix.FixedAt), onLine(fix.Tool+" "+fix.Subject))
	fmt.Fprintf(out, "  failed %s: %s\n", text.Plural(fix.Failures, "time", "times"), onLine(fix.Error))
	for _, step := range fix.Between {
		fmt.Fprintf(out, "  then: %s\n", onLine(step))
	}
}
