package main

import (
	"slices"

	"memctl/tools/bench/child"
)

// samples are the runs of one measurement, in the order of the rounds.
type samples []child.Result

// wallMS are the milliseconds from start to exit.
func (s samples) wallMS() []float64 {
	return s.each(func(r child.Result) float64 { return float64(r.WallNS) / 1e6 })
}

// cpuMS are the milliseconds of user and system time.
func (s samples) cpuMS() []float64 {
	return s.each(func(r child.Result) float64 { return float64(r.CPUNS) / 1e6 })
}

func (s samples) each(figure func(child.Result) float64) []float64 {
	list := make([]float64, len(s))
	for i, r := range s {
		list[i] = figure(r)
	}
	return list
}

// peakMiB is the largest peak of all runs; atFloor says that the program may have
// needed less (package child). 0 where the system does not tell.
func (s samples) peakMiB() (mib float64, atFloor bool) {
	for _, r := range s {
		if p := float64(r.Peak) / (1 << 20); p > mib {
			mib, atFloor = p, r.Peak <= r.Floor
		}
	}
	return mib, atFloor
}

// timesOf is the median of the ratios of single rounds: what disturbs a whole
// round disturbs both of its sides.
func (s samples) timesOf(base samples) float64 {
	a, b := s.wallMS(), base.wallMS()
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i] / b[i]
	}
	return median(ratios)
}

// median of an even number of figures is the mean of the middle two, of none 0.
func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
