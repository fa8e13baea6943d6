package answers

import (
	"errors"
	"fmt"
	"runtime"

	"memctl/hooklog"
	"memctl/memdir"
	"memctl/text"
)

// The exit statuses of a hook.
const (
	exitDone  = 0
	ExitBlock = 2 // of the stop hook alone: the agent is to go on
)

// Quiet is why a hook that works has nothing to say.
type Quiet string

func (q Quiet) Error() string { return string(q) }

// Blocked is how a hook holds the agent up. It is no failure. The stop hook asks
// for something on stderr and by its exit status; a tool's hook has its answer on
// stdout.
type Blocked struct{ Ask string }

func (b *Blocked) Error() string { return b.Ask }

// Refused is the end of a hook that wrote a refusal to stdout.
func Refused(err error) error {
	if err != nil {
		return err
	}
	return new(Blocked)
}

// panicked is a panic, which is an error like others.
type panicked struct {
	cause any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("internal error: %v", p.cause) }

func recovered(run func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &panicked{cause, stack()}
		}
	}()
	return run()
}

// maxStack is how much of a stack is kept, in bytes.
const maxStack = 64 << 10

func stack() []byte {
	b := make([]byte, maxStack)
	return b[:runtime.Stack(b, false)]
}

func outcomeOf(err error) hooklog.Outcome {
	switch {
	case err == nil:
		return hooklog.OK
	case errors.As(err, new(*Blocked)):
		return hooklog.Blocked
	case errors.As(err, new(Quiet)), errors.Is(err, memdir.ErrNoRoot):
		return hooklog.Silent
	}
	return hooklog.Failed
}

// failOpen is how every hook ends (DESIGN §5).
func failOpen(std Streams, err error) int {
	if err == nil {
		return exitDone
	}
	b := new(Blocked)
	switch {
	case !errors.As(err, &b):
		fmt.Fprintf(std.Err, "memctl: %s\n", text.Printable(err.Error()))
		return exitDone
	case b.Ask == "":
		return exitDone
	}
	fmt.Fprint(std.Err, b.Ask)
	return ExitBlock
}
