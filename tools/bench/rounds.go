package main

import (
	"context"
	"fmt"
)

// series is what runs in turn: A B C A B C ...
type series struct {
	list   []measurement
	rounds int
}

// seriesOf puts the measurements with runs of their own last, each alone.
func seriesOf(list []measurement, runs int) []series {
	together := series{rounds: runs}
	var alone []series
	for _, m := range list {
		if m.runs == 0 {
			together.list = append(together.list, m)
		} else {
			alone = append(alone, series{[]measurement{m}, min(m.runs, runs)})
		}
	}
	return append([]series{together}, alone...)
}

// measure returns the samples by the measurement's name.
func measure(ctx context.Context, b *testbed, list []measurement, runs int) (map[string]samples, error) {
	all := map[string]samples{}
	for _, s := range seriesOf(list, runs) {
		progress("%d memories: %d rounds of %d", b.size, s.rounds, len(s.list))
		for round := range 1 + s.rounds {
			if err := s.round(ctx, b, all, round == 0); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// round runs each measurement once. The warm-up does not count.
func (s series) round(ctx context.Context, b *testbed, all map[string]samples, warmUp bool) error {
	for _, m := range s.list {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := m.run(b)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if !warmUp {
			all[m.name] = append(all[m.name], r)
		}
	}
	return nil
}
