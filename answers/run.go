package answers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/hooks"
)

// Run is one run of a hook and what is known of it so far.
type Run struct {
	args    []string
	std     Streams
	started time.Time
	name    string // "" until the event is about to be answered
	call    Call
	read    time.Duration // from the start until the event was read
	out     bytes.Buffer
	trace   *trace // nil unless MEMCTL_LOG asks for it

	input    json.RawMessage // what stands on stdin, once that was read
	inputErr error
	later    bool // an answer was put off
}

// errLater puts an answer off until the rest of the program is set up.
var errLater = errors.New("the hook needs the rest of the program")

// Start begins the run that a command line asks for, which need not be a hook's.
func Start(args []string, std Streams) *Run {
	r := &Run{args: args, std: std, started: time.Now(), trace: newTrace()}
	if r.trace != nil {
		r.std = r.trace.watch(r.std)
	}
	return r
}

// Alone answers the event, if that takes no index, and returns the exit status.
// What it leaves is for Answer.
func (r *Run) Alone() (code int, done bool) {
	name, rootArg := parse(r.args)
	if name != AfterTool && name != AfterFailure {
		return r.answerOne(Unindexed, name, rootArg)
	}
	left, err := r.record(name, rootArg)
	switch r.later = errors.Is(err, errLater); {
	case r.later:
		return 0, false
	case !left:
		return r.finish(err), true
	}
	failOpen(r.std, err)
	return r.answerOne(Unindexed, name, rootArg)
}

// Answer has the event answered by one of the hooks, or by the command line's
// library where the line is not one that clients run.
func (r *Run) Answer(known []Hook, unknown func(Streams) error) (code int) {
	if r.later {
		if code, done := r.Alone(); done {
			return code
		}
	}
	name, rootArg := parse(r.args)
	if code, done := r.answerOne(known, name, rootArg); done {
		return code
	}
	return r.finish(recovered(func() error { return unknown(r.std) }))
}

func (r *Run) answerOne(known []Hook, name, rootArg string) (code int, done bool) {
	i := slices.IndexFunc(known, func(h Hook) bool { return h.Name == name })
	if i < 0 {
		return 0, false
	}
	err := recovered(func() error { return r.By(context.Background(), known[i], rootArg) })
	if r.later = errors.Is(err, errLater); r.later {
		return 0, false
	}
	return r.finish(err), true
}

// parse reads the command line that clients run, which is not worth setting up
// a library for: "hook NAME", perhaps with --root. Of any other line it returns no
// name.
func parse(args []string) (hook, rootArg string) {
	var words []string
	for i := 1; i < len(args); i++ {
		flag, value, assigned := strings.Cut(args[i], "=")
		switch {
		case flag != "--root" && flag != "-root":
			words = append(words, args[i])
		case assigned:
			rootArg = value
		case i+1 < len(args):
			i++
			rootArg = args[i]
		default:
			return "", "" // its value is missing
		}
	}
	if len(words) != 2 || words[0] != "hook" {
		return "", ""
	}
	return words[1], rootArg
}

// By has one hook answer the event on stdin.
func (r *Run) By(ctx context.Context, hook Hook, rootArg string) error {
	e, err := r.event()
	r.read = time.Since(r.started)
	r.begin(hook.Name, rootArg, e)
	if err != nil {
		return fmt.Errorf("read the event on stdin: %w", err)
	}
	err = hook.Answer(ctx, &r.call)
	if r.out.Len() > 0 && (err == nil || errors.As(err, new(*Blocked))) {
		if _, writeErr := r.std.Out.Write(r.out.Bytes()); writeErr != nil {
			return writeErr
		}
	}
	return err
}

func (r *Run) event() (hooks.Event, error) {
	raw, err := r.value()
	if err != nil {
		return hooks.Event{}, err
	}
	return hooks.ParseEvent(raw)
}

// value reads stdin, which can be done once.
func (r *Run) value() (json.RawMessage, error) {
	if r.input == nil && r.inputErr == nil {
		r.input, r.inputErr = hooks.ReadValue(r.std.In)
	}
	return r.input, r.inputErr
}

// begin notes what the log is to say of the run.
func (r *Run) begin(name, rootArg string, e hooks.Event) {
	r.name = name
	r.call = Call{Event: e, Std: Streams{r.std.In, &r.out, r.std.Err}, RootArg: rootArg}
}

// finish is the only place where a hook ends, whatever became of it: the client
// is told, then the log.
func (r *Run) finish(err error) (code int) {
	took := time.Since(r.started)
	code = failOpen(r.std, err)
	r.log(err, took)
	return code
}
