package hooks

import (
	"cmp"
	"errors"
	"time"

	"memctl/memdir"
	"memctl/schemas"
)

const (
	// LogName is the name of the log in the staging folder.
	LogName = "hooks.log"
	// logLimit is the size at which the log starts over, in bytes: some thousand runs.
	logLimit = 256 << 10
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
	staged, err := root.OpenStaging()
	if err != nil {
		return err
	}
	return errors.Join(staged.Append(LogName, []byte(r.entry().Line()), logLimit), staged.Close())
}

func (r *Run) entry() LogEntry {
	e := LogEntry{Time: time.Now(), Client: r.client.LogName(), Hook: cmp.Or(r.hook, "-"), Outcome: r.outcome(), Took: r.took}
	if r.err != nil {
		e.Reason, _ = filterOf(schemas.DefaultConfig()).Text(r.reason()) // it may name a path from outside
	}
	return e
}

// ReadLog returns the runs that the log of a memory root holds, oldest first.
func ReadLog(root memdir.Root) ([]LogEntry, error) {
	staged, err := root.OpenStaging()
	if err != nil {
		return nil, err
	}
	defer staged.Close()
	data, err := staged.ReadJournal(LogName, logLimit)
	return parseLog(data), err
}
