package sessions

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

// TestSearchTimes prints how long a search takes, with all that precedes it, of 600 sessions and of SESSIONS.
func TestSearchTimes(t *testing.T) {
	most, err := strconv.Atoi(os.Getenv("SESSIONS"))
	if err != nil {
		t.Skip("SESSIONS says how many")
	}
	for _, n := range []int{600, most} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			h := newHome(t)
			prompts := h.made(n)
			began := time.Now()
			h.own()
			first := time.Since(began)
			var all []time.Duration
			for i := range 41 {
				began := time.Now()
				l := h.own()
				opened := time.Since(began)
				if _, err := l.Search(t.Context(), prompts[i*7%n], 10); err != nil {
					t.Fatal(err)
				}
				all = append(all, time.Since(began))
				if i == 20 {
					t.Logf("opening took %s of %s", opened, all[i])
				}
			}
			t.Logf("%d sessions: read in %s (%.0f turns a minute), a search takes %s", n, first.Round(time.Millisecond),
				float64(10*n)/first.Minutes(), median(all).Round(100*time.Microsecond))
		})
	}
}

func median(list []time.Duration) time.Duration {
	for i := range list {
		for k := i; k > 0 && list[k] < list[k-1]; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	return list[len(list)/2]
}
