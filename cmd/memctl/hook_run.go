package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"memctl/hooks"
	"memctl/text"
)

// hookRun is one run of a hook and what is known of it so far.
type hookRun struct {
	std     streams
	started time.Time
	name    string // "" until the command line is understood
	rootArg string
	event   hooks.Event
	read    time.Duration // from the start until the event was read
	out     bytes.Buffer
	trace   *hookTrace // nil unless MEMCTL_LOG asks for it
}

func newHookRun(std streams) *hookRun {
	r := &hookRun{std: std, started: time.Now(), trace: newHookTrace()}
	if r.trace != nil {
		r.std = r.trace.watch(r.std)
	}
	return r
}

// answerHook runs the hook that the arguments name and returns its exit status.
func answerHook(args []string, std streams) int {
	r := newHookRun(std)
	return r.finish(func() error {
		hook, rootArg := parseHook(args)
		rest, err := r.observe(hook, rootArg)
		if rest == nil {
			return err
		}
		if err != nil {
			failOpen(r.std, err)
		}
		r.std.in = rest
		for _, known := range hookTable {
			if known.name == hook {
				return r.answer(context.Background(), hook, rootArg, known.answer)
			}
		}
		app := newApp(r.std, hookCommand(r))
		return app.Run(interspersed(app, args))
	})
}

// parseHook reads the command line that clients run, which is not worth setting up
// a library for: "hook NAME", perhaps with --root. Of any other line it returns no
// name.
func parseHook(args []string) (hook, rootArg string) {
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

// observe records a tool's run. One that goes well leaves no line in the log: it is
// a line of its own already.
func (r *hookRun) observe(hook, rootArg string) (rest io.Reader, err error) {
	if hook != afterTool && hook != afterFailure {
		return r.std.in, nil
	}
	if rest, err = observeTool(hook, rootArg, r.std.in); err != nil {
		r.name, r.rootArg = hook, rootArg
	}
	return rest, err
}

// finish is the only place where a hook ends, whatever became of it: the client
// is told, then the log.
func (r *hookRun) finish(run func() error) (code int) {
	err := recovered(run)
	took := time.Since(r.started)
	code = failOpen(r.std, err)
	r.log(err, took)
	return code
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
			err = &panicked{cause, debug.Stack()}
		}
	}()
	return run()
}

// answer runs a hook on the event on stdin.
func (r *hookRun) answer(ctx context.Context, name, rootArg string, hook hookFunc) (err error) {
	r.name, r.rootArg = name, rootArg
	r.event, err = hooks.ReadEvent(r.std.in)
	r.read = time.Since(r.started)
	if err != nil {
		return err
	}
	err = hook(ctx, r.event, rootArg, streams{r.std.in, &r.out, r.std.err})
	if err == nil || errors.As(err, new(*blocked)) {
		if _, writeErr := r.std.out.Write(r.out.Bytes()); writeErr != nil {
			return writeErr
		}
	}
	return err
}

// failOpen is how every hook ends (DESIGN §5).
func failOpen(std streams, err error) int {
	if err == nil {
		return exitDone
	}
	b := new(blocked)
	switch {
	case !errors.As(err, &b):
		fmt.Fprintf(std.err, "memctl: %s\n", text.Printable(err.Error()))
		return exitDone
	case b.ask == "":
		return exitDone
	}
	fmt.Fprint(std.err, b.ask)
	return exitBlock
}
