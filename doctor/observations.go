package doctor

import (
	"context"
	"time"

	"memctl/memdir"
)

// checkObservations checks whether tools are observed if the configuration says so,
// and whether git leaves observations out.
func (e *examination) checkObservations(ctx context.Context, root memdir.Root, runs hookRuns) {
	const name = "observations"
	cfg, _, err := root.Config()
	if err != nil {
		return // checkConfig reports it
	}
	switch {
	case runs.recordedErr != nil:
		e.warn(name, "move away what stands there", "nothing can be recorded: %v", runs.recordedErr)
	case !runs.recorded.IsZero() && e.checkSessionsInGit(ctx, root):
	case !cfg.Observations.Enabled:
		e.ok(name, "off")
	case !runs.recorded.IsZero():
		e.ok(name, "on, the last %s", ago(e.now.Sub(runs.recorded)))
	case len(runs.tallies)+len(runs.clients) > 0:
		e.warn(name, "memctl install, and restart the agent: the hooks after its tools are needed",
			"on, but nothing was ever recorded, though other hooks have run")
	default:
		e.ok(name, "on, nothing recorded yet")
	}
}

// lastRecorded is when a session was last written to. It is zero if there is none.
func lastRecorded(root memdir.Root) (last time.Time, err error) {
	sessions, err := root.OpenSessions()
	if sessions == nil {
		return last, err
	}
	defer sessions.Close()
	files, err := sessions.List()
	for _, f := range files {
		if at := time.Unix(0, f.MtimeNS); at.After(last) {
			last = at
		}
	}
	return last, err
}
