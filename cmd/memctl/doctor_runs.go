package main

import (
	"fmt"
	"path/filepath"
	"time"

	"memctl/hooks"
	"memctl/memdir"
	"memctl/text"
)

// lately is how far back a run counts.
const lately = 7 * 24 * time.Hour

// recollection is what the log of the hooks says.
type recollection struct {
	path    string
	err     error
	tallies map[string]hooks.Tally
	now     time.Time
	// recorded is when a tool was recorded last: a run that goes well leaves that line
	// and none in the log.
	recorded    time.Time
	recordedErr error
}

// recall reads the log of a root, if there is a root to have one.
func recall(root memdir.Root, now time.Time) recollection {
	r := recollection{now: now}
	if root.Path == "" {
		return r
	}
	r.path = filepath.Join(root.Staging(), hooks.LogName)
	entries, err := hooks.ReadLog(root)
	r.err = err
	r.tallies = hooks.TallyUp(entries, now.Add(-lately))
	r.recorded, r.recordedErr = newestSession(root)
	return r
}

func (r recollection) lately(hook string) bool { return r.tallies[hook].Runs > 0 }

// checkRuns says whether the client calls the hooks.
func (d *diagnosis) checkRuns(r recollection) {
	switch {
	case r.err != nil:
		d.warn("runs", "see what is said of the staging folder", "the log of the hooks cannot be read: %v", r.err)
	case len(r.tallies) == 0 && r.recorded.IsZero():
		d.warn("runs", "start a session of the agent in this project and submit a prompt; if this stays, see whether the plugin is enabled or run memctl install",
			"no hook has ever run here, says %s", r.path)
	default:
		for _, h := range d.wanted {
			d.checkRunsOf(h.Event, h.Name(), r)
		}
	}
}

func (d *diagnosis) checkRunsOf(event, hook string, r recollection) {
	name := event + " runs"
	t := r.tallies[hook]
	switch {
	case hook == hooks.AfterTool && r.recorded.After(t.Last):
		d.ok(name, "last recorded a tool %s", ago(r.now.Sub(r.recorded)))
	case t.Last.IsZero() && hook == hooks.AfterFailure:
	case t.Last.IsZero() && (event == "PreToolUse" || event == "PostToolUse"):
		d.ok(name, "none yet; it runs when a file is written or edited")
	case t.Last.IsZero():
		d.warn(name, "start a session of the agent in this project; if this stays, run memctl install",
			"it has never run here, though other hooks have: is the plugin enabled?")
	case t.FailedLast, t.Failed > 0 && t.Failed*10 > t.Runs:
		d.warn(name, "start the agent with MEMCTL_LOG=/tmp/memctl-hooks.log to see more of each run",
			"%s; the last failure: %s", r.line(t), t.Reason)
	default:
		d.ok(name, "%s", r.line(t))
	}
}

func (r recollection) line(t hooks.Tally) string {
	good := "it never succeeded"
	if !t.LastGood.IsZero() {
		good = "last succeeded " + ago(r.now.Sub(t.LastGood))
	}
	return fmt.Sprintf("%s; %s in 7 days, %d failed", good, text.Plural(t.Runs, "run", "runs"), t.Failed)
}

// ago puts a duration in the words of a person.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < 2*time.Hour:
		return text.Plural(int(d.Minutes()), "minute", "minutes") + " ago"
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}
