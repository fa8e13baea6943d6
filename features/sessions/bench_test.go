package sessions

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkSearch searches 600 and 10,000 sessions of ten turns, each time with all that precedes a search, and
// says how many turns a minute were read at first.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{600, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := newHome(b)
			prompts := h.writeSessions(n)
			began := time.Now()
			h.own()
			read := time.Since(began)
			for i := 0; b.Loop(); i++ {
				l := h.own()
				if _, err := l.Search(b.Context(), prompts[i*7%n], 10); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(10*n)/read.Minutes(), "turns/min")
		})
	}
}
