package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// row is one measurement and what it should be.
type row struct {
	name  string
	base  string  // the row to compare with; "" for open
	limit float64 // of the ratio, at most; 0 for none
	// elapsed compares the time that passes, not that of the processor.
	elapsed bool
	// memories is how many a run takes in; with it the figure is memories per second
	// and limit the least.
	memories int
	measure  func() (sample, error)
	samples  []sample
}

// sample is one run, in milliseconds.
type sample struct{ cpu, wall float64 }

const openRow = "open"

func (r *row) times(elapsed bool) []float64 {
	list := make([]float64, len(r.samples))
	for i, s := range r.samples {
		list[i] = s.cpu
		if elapsed {
			list[i] = s.wall
		}
	}
	return list
}

// ratio is the median of the ratios of single rounds: what disturbs a round disturbs
// both of its sides.
func (r *row) ratio(base *row) float64 {
	ratios, bases := r.times(r.elapsed), base.times(r.elapsed)
	for i := range ratios {
		ratios[i] /= bases[i]
	}
	return median(ratios)
}

// median of an even number of figures is the mean of the middle two.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// printTable prints all rows as one Markdown table.
func printTable(w io.Writer, rows []*row) {
	byName := map[string]*row{}
	for _, r := range rows {
		byName[r.name] = r
	}
	fmt.Fprintln(w, "| measurement | CPU ms | elapsed ms | / open | compared with | ratio | limit | |")
	fmt.Fprintln(w, "|---|--:|--:|--:|---|--:|--:|---|")
	for _, r := range rows {
		cpu := fmt.Sprintf("%.2f", median(r.times(false)))
		if r.elapsed {
			cpu = ""
		}
		fmt.Fprintf(w, "| %s | %s | %.2f | %.2f |", r.name, cpu, median(r.times(true)), r.ratio(byName[openRow]))
		r.printGoal(w, byName)
	}
}

// printGoal prints the cells that say whether a row is as it should be.
func (r *row) printGoal(w io.Writer, byName map[string]*row) {
	if r.memories > 0 {
		perSecond := float64(r.memories) / median(r.times(true)) * 1000
		fmt.Fprintf(w, " | %.0f/s | ≥ %.0f/s | %s |\n", perSecond, r.limit, verdict(perSecond >= r.limit))
		return
	}
	if r.limit == 0 {
		fmt.Fprintln(w, " | | | |")
		return
	}
	base := cmp.Or(r.base, openRow)
	ratio := r.ratio(byName[base])
	fmt.Fprintf(w, " %s | %.2f | ≤ %.1f | %s |\n", base, ratio, r.limit, verdict(ratio <= r.limit))
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "NOT MET"
}
