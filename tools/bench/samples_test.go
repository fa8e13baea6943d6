package main

import (
	"testing"

	"memctl/tools/bench/child"
)

func millisOf(list ...int64) samples {
	var s samples
	for _, ms := range list {
		s = append(s, child.Result{WallNS: ms * 1e6})
	}
	return s
}

func TestMedian(t *testing.T) {
	for name, c := range map[string]struct {
		list []float64
		want float64
	}{
		"of none is 0":                         {nil, 0},
		"of one is the one":                    {[]float64{7}, 7},
		"of an odd number is the middle":       {[]float64{9, 1, 5}, 5},
		"of an even number is between the two": {[]float64{9, 1, 5, 3}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			if got := median(c.list); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// The second round was slow for both sides: the ratio of the medians would be 1.5.
func TestRatioIsPairedByRound(t *testing.T) {
	got := millisOf(20, 200, 30).timesOf(millisOf(10, 100, 20))
	if got != 2 {
		t.Errorf("got %v, want 2", got)
	}
}

func TestPeakAtTheRunnersFloorIsAnUpperBound(t *testing.T) {
	s := samples{{Peak: 2 << 20, Floor: 1 << 20}, {Peak: 3 << 20, Floor: 3 << 20}}
	if mib, atFloor := s.peakMiB(); mib != 3 || !atFloor {
		t.Errorf("got %v, %v", mib, atFloor)
	}
}

func TestGoal(t *testing.T) {
	all := map[string]samples{"a": millisOf(30), "base": millisOf(20)}
	for name, c := range map[string]struct {
		goal goal
		want string
	}{
		"a ratio below its limit is met":              {atMost("base", limits{600: 1.6}), "1.50x base, ≤ 1.60x, met"},
		"a ratio above its limit is not met":          {atMost("base", limits{600: 1.4}), "1.50x base, ≤ 1.40x, not met"},
		"another size has no target":                  {atMost("base", limits{10: 1.4}), "1.50x base, , "},
		"a rate below its limit is not met":           {atLeastPerSecond(limits{600: 30_000}), "20000/s, ≥ 30000/s, not met"},
		"a rate as high as its limit is met":          {atLeastPerSecond(limits{600: 20_000}), "20000/s, ≥ 20000/s, met"},
		"a peak that the system hides has no verdict": {peakAtMost(limits{600: 40}), "0.0 MiB, , "},
	} {
		t.Run(name, func(t *testing.T) {
			f := c.goal.figure(600, "a", all)
			if got := f.value() + ", " + f.target() + ", " + f.verdict(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
