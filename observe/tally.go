package observe

import "time"

// Tally sums up some runs.
type Tally struct {
	Last       time.Time // the latest run; zero if there is none
	LastGood   time.Time // the latest run that did not fail
	Runs       int       // since the time given to TallyUp
	Failed     int       // of Runs
	Reason     string    // of the last failure
	FailedLast bool      // the latest run failed
}

// TallyUp sums up the runs in a log, oldest first: those of Claude Code by their hooks,
// those of other clients by the client. It counts the runs and failures since a time.
func TallyUp(entries []LogEntry, since time.Time) (byHook, byClient map[string]Tally) {
	byHook, byClient = map[string]Tally{}, map[string]Tally{}
	for _, e := range entries {
		tallies, name := byHook, e.Hook
		if e.Client != "" {
			tallies, name = byClient, e.Client
		}
		t := tallies[name]
		t.add(e, since)
		tallies[name] = t
	}
	return byHook, byClient
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
