package doctor

import (
	"fmt"
	"path/filepath"
	"time"

	"memctl/clients"
	"memctl/memdir"
	"memctl/observe"
	"memctl/text"
)

// recent is how far back runs are counted.
const recent = 7 * 24 * time.Hour

// hookRuns are the runs of hooks that left a trace.
type hookRuns struct {
	logPath string
	tallies map[string]observe.Tally // of Claude Code, by the hook's name
	clients map[string]observe.Tally // of the others, by the client's name
	err     error                    // of reading the log
	// recorded is when a tool was last recorded. A hook that only does so leaves no
	// line in the log.
	recorded    time.Time
	recordedErr error
}

// readRuns reads the traces in a memory root; without one there are none.
func readRuns(root memdir.Root, now time.Time) hookRuns {
	if root.Path == "" {
		return hookRuns{}
	}
	entries, err := observe.ReadLog(root)
	r := hookRuns{
		logPath: filepath.Join(root.Staging(), observe.LogName),
		err:     err,
	}
	r.tallies, r.clients = observe.TallyUp(entries, now.Add(-recent))
	r.recorded, r.recordedErr = lastRecorded(root)
	return r
}

// checkRuns checks whether Claude Code calls the hooks, if it has them, and whether the
// other clients do.
func (e *examination) checkRuns(r hookRuns, claudeCode bool, others []clients.Target) {
	if r.err != nil {
		e.warn("runs", "see what is said of the staging folder", "the log of the hooks cannot be read: %v", r.err)
		return
	}
	whose := ""
	if len(r.clients) > 0 {
		whose = " of Claude Code"
	}
	switch {
	case !claudeCode && len(r.tallies) == 0:
	case len(r.tallies) == 0 && (r.recorded.IsZero() || len(r.clients) > 0):
		e.warn("runs", "start a session of the agent in this project and submit a prompt; if this stays, see "+
			"whether the plugin is enabled or run memctl install",
			"no hook%s has ever run here, says %s", whose, r.logPath)
	default:
		for _, h := range e.hooks {
			e.checkRunsOf(h.Event, h.Name(), r)
		}
	}
	for _, target := range others {
		e.checkClientRuns(target, r)
	}
}

// isExtra reports whether memctl works without a hook: only observations need the one, and
// only subagents the other.
func isExtra(hook string) bool { return hook == observe.AfterFailure || hook == "subagent-start" }

func (e *examination) checkRunsOf(event, hook string, r hookRuns) {
	name := event + " runs"
	t := r.tallies[hook]
	switch {
	case hook == observe.AfterTool && r.recorded.After(t.Last):
		e.ok(name, "last recorded a tool %s", ago(e.now.Sub(r.recorded)))
	case t.Last.IsZero() && isExtra(hook):
	case t.Last.IsZero() && (event == "PreToolUse" || event == "PostToolUse"):
		e.ok(name, "none yet; it runs when a file is written or edited")
	case t.Last.IsZero():
		e.warn(name, "start a session of the agent in this project; if this stays, run memctl install",
			"it has never run here, though other hooks have: is the plugin enabled?")
	default:
		e.checkTally(name, t)
	}
}

// checkTally says when the last run was, and warns if too many failed.
func (e *examination) checkTally(name string, t observe.Tally) {
	switch {
	case t.FailedLast, t.Failed > 0 && t.Failed*10 > t.Runs:
		e.warn(name, "start the agent with MEMCTL_LOG=/tmp/memctl-hooks.log to see more of each run",
			"%s; the last failure: %s", e.summary(t), t.Reason)
	default:
		e.ok(name, "%s", e.summary(t))
	}
}

func (e *examination) summary(t observe.Tally) string {
	success := "it never succeeded"
	if !t.LastGood.IsZero() {
		success = "last succeeded " + ago(e.now.Sub(t.LastGood))
	}
	return fmt.Sprintf("%s; %s in 7 days, %d failed", success, text.Plural(t.Runs, "run", "runs"), t.Failed)
}

// ago rounds a duration for people.
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
