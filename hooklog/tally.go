package hooklog

import "time"

// Tally is what the log says of one hook.
type Tally struct {
	Last     time.Time // of its runs; zero: it has none
	LastGood time.Time // of its runs that did not fail
	Runs     int       // since a time
	Failed   int       // of those
	Reason   string    // of the last failure
	// FailedLast tells whether the latest run failed.
	FailedLast bool
}

// TallyUp sums entries up by hook; runs and failures are counted from a time on.
func TallyUp(entries []Entry, since time.Time) map[string]Tally {
	tallies := map[string]Tally{}
	for _, e := range entries {
		t := tallies[e.Hook]
		t.add(e, since)
		tallies[e.Hook] = t
	}
	return tallies
}

func (t *Tally) add(e Entry, since time.Time) {
	t.Last = later(t.Last, e.Time)
	failed := e.Outcome == Failed
	t.FailedLast = failed
	if failed {
		t.Reason = e.Reason
	} else {
		t.LastGood = later(t.LastGood, e.Time)
	}
	if e.Time.Before(since) {
		return
	}
	t.Runs++
	if failed {
		t.Failed++
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
