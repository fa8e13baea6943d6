package hooks

import "time"

// Tally sums up the runs of one hook.
type Tally struct {
	Last       time.Time // the latest run; zero if there is none
	LastGood   time.Time // the latest run that did not fail
	Runs       int       // since the time given to TallyUp
	Failed     int       // of Runs
	Reason     string    // of the last failure
	FailedLast bool      // the latest run failed
}

// TallyUp sums up a log by hook, and counts the runs and failures since a time.
func TallyUp(entries []LogEntry, since time.Time) map[string]Tally {
	tallies := map[string]Tally{}
	for _, e := range entries {
		t := tallies[e.Hook]
		t.add(e, since)
		tallies[e.Hook] = t
	}
	return tallies
}

func (t *Tally) add(e LogEntry, since time.Time) {
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
