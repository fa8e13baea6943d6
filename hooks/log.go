package hooks

import (
	"cmp"
	"time"

	"memctl/observe"
	"memctl/schemas"
)

// log appends the run to the log of the memory root.
func (r *Run) log() error {
	if r.hook == "" || r.call.unlogged {
		return nil
	}
	root, err := r.call.Root()
	if err != nil {
		return err // without a root there is no log
	}
	return r.entry().Append(root)
}

func (r *Run) entry() observe.LogEntry {
	e := observe.LogEntry{Time: time.Now(), Client: r.client.LogName(), Hook: cmp.Or(r.hook, "-"),
		Outcome: r.outcome(), Took: r.took}
	if r.err != nil {
		e.Reason, _ = schemas.DefaultConfig().Privacy.Filter().Text(r.reason()) // it may name a path from outside
	}
	return e
}
