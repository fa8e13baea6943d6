package bench

import (
	"strings"
	"testing"
)

func rowOf(name string, cpu ...float64) *row {
	r := &row{name: name}
	for _, ms := range cpu {
		r.samples = append(r.samples, sample{cpu: ms, wall: 10 * ms})
	}
	return r
}

func TestMedian(t *testing.T) {
	for name, c := range map[string]struct {
		list []float64
		want float64
	}{
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
	if got := rowOf("a", 20, 200, 30).ratio(rowOf("b", 10, 100, 20)); got != 2 {
		t.Errorf("got %v, want 2", got)
	}
}

func TestTable(t *testing.T) {
	open := rowOf("open", 2, 2)
	small := rowOf("small", 3, 3)
	small.limit = 1.8
	large := rowOf("large", 9, 9)
	large.base, large.limit = "small", 2.5
	reindex := rowOf("reindex", 100, 100)
	reindex.memories, reindex.limit = 10_000, 8000
	var out strings.Builder
	printTable(&out, []*row{open, small, large, reindex})
	for _, want := range []string{
		"| open | 2.00 | 20.00 | 1.00 | | | | |\n",
		"| small | 3.00 | 30.00 | 1.50 | open | 1.50 | ≤ 1.8 | met |\n",
		"| large | 9.00 | 90.00 | 4.50 | small | 3.00 | ≤ 2.5 | NOT MET |\n",
		"| reindex | 100.00 | 1000.00 | 50.00 | | 10000/s | ≥ 8000/s | met |\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
}
