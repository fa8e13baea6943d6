package main

import (
	"context"
	"time"

	"memctl/memdir"
	"memctl/text"
)

// checkObservations says whether tools are observed where they should be, and
// whether git keeps out of it.
func (d *diagnosis) checkObservations(ctx context.Context, root memdir.Root, runs recollection) {
	const name = "observations"
	cfg, _, err := root.Config()
	if err != nil {
		return // said already
	}
	switch {
	case runs.recordedErr != nil:
		d.warn(name, "move away what stands there", "nothing can be recorded: %v", runs.recordedErr)
		return
	case !runs.recorded.IsZero() && d.observationsInGit(ctx, root):
		return
	case !cfg.Observations.Enabled:
		d.ok(name, "off")
	case !runs.recorded.IsZero():
		d.ok(name, "on, the last %s", ago(runs.now.Sub(runs.recorded)))
	case len(runs.tallies) > 0:
		d.warn(name, "memctl install, and start the agent anew: the hooks after its tools are needed", "on, but nothing was ever recorded, though other hooks have run")
	default:
		d.ok(name, "on, nothing recorded yet")
	}
}

// newestSession is when a session was written to last, the zero time for none.
func newestSession(root memdir.Root) (newest time.Time, err error) {
	sessions, err := root.OpenSessions()
	if sessions == nil {
		return newest, err
	}
	defer sessions.Close()
	files, err := sessions.List()
	for _, f := range files {
		if at := time.Unix(0, f.MtimeNS); at.After(newest) {
			newest = at
		}
	}
	return newest, err
}

// observationsInGit warns of what is about to become everybody's.
func (d *diagnosis) observationsInGit(ctx context.Context, root memdir.Root) bool {
	const name = "observations"
	folder := text.ShellWord(root.Join(memdir.SessionsFolder))
	if inside, err := askGit(ctx, root, "rev-parse", "--is-inside-work-tree"); err != nil || inside != "true" {
		return false
	}
	if tracked, err := askGit(ctx, root, "ls-files", "--", memdir.SessionsFolder+"/*.jsonl"); err == nil && tracked != "" {
		d.warn(name, "git rm -r --cached "+folder, "what tools did is in git, for everybody to read")
		return true
	}
	if _, err := askGit(ctx, root, "check-ignore", "--quiet", memdir.SessionsFolder+"/"+memdir.SessionFileName("x")); err != nil {
		d.warn(name, "add the line observations/ to "+d.shown(root.Join(".gitignore")), "git would take in what tools did")
		return true
	}
	return false
}
