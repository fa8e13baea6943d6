package main

import (
	"context"
	"fmt"
	"slices"
)

// measure runs the measurements of equal runs in turn, after a warm-up round
// that does not count.
func measure(ctx context.Context, b *testbed, list []measurement) (map[string]samples, error) {
	all := map[string]samples{}
	for _, group := range byRuns(list) {
		progress("%d memories: %d measurements, %d rounds", b.size, len(group), group[0].runs)
		for round := range 1 + group[0].runs {
			for _, m := range group {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				result, err := m.run(b)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", m.name, err)
				}
				if round > 0 {
					all[m.name] = append(all[m.name], result)
				}
			}
		}
	}
	return all, nil
}

// byRuns groups the measurements by their number of runs, most first.
func byRuns(list []measurement) [][]measurement {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b measurement) int { return b.runs - a.runs })
	var groups [][]measurement
	for i, m := range list {
		if i == 0 || m.runs != list[i-1].runs {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], m)
	}
	return groups
}
