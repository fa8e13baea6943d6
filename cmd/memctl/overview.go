package main

import (
	"fmt"
	"io"

	"memctl/retrieve"
	"memctl/schemas"
)

func printOverview(out io.Writer, o retrieve.Overview) {
	fmt.Fprintf(out, "%s\n\n%-16s %8s %8s %8s\n", o.Root, "", "active", "retired", "archived")
	total := everyStatus(nil)
	for _, info := range schemas.Categories {
		printCounts(out, string(info.Category), o.Memories[info.Category])
		for status, n := range o.Memories[info.Category] {
			total[status] += n
		}
	}
	printCounts(out, "total", total)
	fmt.Fprintf(out, "\nindex: %s, %s, built %s\n", o.Index.State, sizeOf(o.Index.SizeBytes), o.Index.BuiltAt)
	printProblems(out, o.Problems)
}

func printCounts(out io.Writer, name string, counts map[schemas.Status]int) {
	fmt.Fprintf(out, "%-16s %8d %8d %8d\n", name, counts[schemas.Active], counts[schemas.Retired], counts[schemas.Archived])
}

func sizeOf(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KiB", (bytes+1023)/1024)
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}
