package hooks

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"memctl/memdir"
	"memctl/observe"
)

func (r *Run) outcome() observe.Outcome {
	switch {
	case r.err == nil && r.answer.blocks():
		return observe.Blocked
	case r.err == nil:
		return observe.OK
	case errors.As(r.err, new(Silence)), errors.Is(r.err, memdir.ErrNoRoot):
		return observe.Silent
	}
	return observe.Failed
}

// reason returns the run's error as the log may hold it. A panic may quote anything, so
// the log has the text only of those of the Go runtime.
func (r *Run) reason() string {
	p := new(panicError)
	if !errors.As(r.err, &p) {
		return r.err.Error()
	}
	if cause, ok := p.cause.(runtime.Error); ok {
		return "internal error: " + cause.Error()
	}
	return fmt.Sprintf("internal error: panic with a %T; %s has more", p.cause, traceVariable)
}

// panicError is a recovered panic.
type panicError struct {
	cause any
	stack []byte
}

func (p *panicError) Error() string { return fmt.Sprintf("internal error: %v", p.cause) }

// recovered calls run and returns a panic as its error.
func recovered(run func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &panicError{cause, debug.Stack()}
		}
	}()
	return run()
}
