package main

import (
	"fmt"
	"io"
	"strings"
)

func (r *report) printHead(w io.Writer) {
	fmt.Fprintf(w, "%s; sqlite3 %s; %d CPUs; %d rounds\n", r.Memctl, firstWord(r.SQLite3), r.CPUs, r.Runs)
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// print writes one Markdown table.
func (s storeReport) print(w io.Writer) {
	fmt.Fprintf(w, "\n### %d memories\n\n", s.Memories)
	fmt.Fprintf(w, "Selective prompt: %s. Broad prompt: %s.\n\n", s.Selective.describe(s.Memories), s.Broad.describe(s.Memories))
	fmt.Fprintln(w, "| measurement | median ms | min ms | CPU ms | peak MiB | ratio | target | |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|---|---|---|")
	for _, m := range s.Measurements {
		m.print(w)
	}
}

func (p prompt) describe(all int) string {
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(1, all)) }
	return fmt.Sprintf("%d words, %d memories (%.1f %%), %d with prefixes (%.1f %%)",
		len(p.Words), p.Memories, percent(p.Memories), p.WithPrefixes, percent(p.WithPrefixes))
}

// print writes a row, and one more for each further figure that has a target.
func (r result) print(w io.Writer) {
	cells := []string{r.Name + ": " + r.What, millis(r.MedianMS), millis(r.MinMS), millis(r.CPUMS), r.peak()}
	for _, f := range r.Figures {
		if f.Target == nil && f.Unit == mebibytes {
			continue // stands in its column already
		}
		printRow(w, append(cells, f.value(), f.target(), f.verdict()))
		cells = make([]string, 5)
	}
	if cells[0] != "" {
		printRow(w, append(cells, "", "", ""))
	}
}

func printRow(w io.Writer, cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }

func millis(ms float64) string { return fmt.Sprintf("%.1f", ms) }

func (r result) peak() string {
	switch {
	case r.PeakMiB == 0:
		return "?"
	case r.PeakAtFloor:
		return fmt.Sprintf("≤ %.1f", r.PeakMiB)
	}
	return fmt.Sprintf("%.1f", r.PeakMiB)
}
