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

// TallyUp sums up a log, oldest entry first, by hook. It counts the runs and failures
// since a time.
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
	failed := e.Outcome == Failed
	t.Last, t.FailedLast = e.Time, failed
	if failed {
		t.Reason = e.Reason
	} else {
		t.LastGood = e.Time
	}
	if e.Time.Before(since) {
		return
	}
	t.Runs++
	if failed {
		t.Failed++
	}
}
