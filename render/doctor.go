package render

import (
	"fmt"
	"io"

	"memctl/doctor"
	"memctl/text"
)

// Diagnosis prints what doctor found, with a fix for each warning and failure.
func Diagnosis(out io.Writer, r doctor.Report) {
	counts := map[doctor.State]int{}
	width := 0
	for _, f := range r.Findings {
		counts[f.State]++
		width = max(width, len(f.Check))
	}
	for _, f := range r.Findings {
		fmt.Fprintf(out, "%-7s  %-*s  %s\n", f.State, width, f.Check, text.Printable(f.Message))
		if f.Fix != "" {
			fmt.Fprintf(out, "%-7s  %-*s  fix: %s\n", "", width, "", text.Printable(f.Fix))
		}
	}
	fmt.Fprintf(out, "\n%s: %d ok, %s, %d failed\n", text.Printable(r.Project), counts[doctor.OK], text.Plural(counts[doctor.Warning], "warning", "warnings"), counts[doctor.Failed])
}
