package answers

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"time"

	"memctl/hooklog"
	"memctl/schemas"
)

// log records how the hook ended. Nothing that goes wrong here is the client's
// business; only where MEMCTL_LOG asks for more is it told.
func (r *Run) log(err error, took time.Duration) {
	var logged error
	if r.name != "" {
		logged = r.logShort(err, took)
	}
	if r.trace == nil {
		return
	}
	traced := r.trace.write(r, err, logged, took)
	if traced != nil && !errors.As(err, new(*Blocked)) {
		fmt.Fprintf(r.std.Err, "memctl: MEMCTL_LOG: %v\n", traced)
	}
}

// logShort adds the line that memctl doctor reads. A project without a memory root
// has no log.
func (r *Run) logShort(err error, took time.Duration) error {
	root, findErr := r.call.Root()
	if findErr != nil {
		return findErr
	}
	return hooklog.Append(root, r.entry(err, took))
}

func (r *Run) entry(err error, took time.Duration) hooklog.Entry {
	outcome := outcomeOf(err)
	e := hooklog.Entry{Time: time.Now(), Hook: cmp.Or(r.name, "-"), Outcome: outcome, Took: took}
	if outcome == hooklog.Silent || outcome == hooklog.Failed {
		e.Reason, _ = Filter(schemas.DefaultConfig()).Text(reasonOf(err)) // it may name a path from outside
	}
	return e
}

// reasonOf keeps back what a panic says, which may be anything, unless the Go
// runtime says it.
func reasonOf(err error) string {
	p := new(panicked)
	if !errors.As(err, &p) {
		return err.Error()
	}
	if cause, ok := p.cause.(runtime.Error); ok {
		return "internal error: " + cause.Error()
	}
	return fmt.Sprintf("internal error: panic with a %T; MEMCTL_LOG has more", p.cause)
}
