package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/gate"
	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
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

func (r *Run) outcome() observe.Outcome {
	switch {
	case r.err == nil && r.answer.blocks():
		return observe.Blocked
	case r.err == nil:
		return observe.OK
	case errors.As(r.err, new(Silence)), errors.Is(r.err, files.ErrNoRoot):
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
	return fmt.Sprintf("internal error: panic with a %T; %s has more", p.cause, TraceVariable)
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

// TraceVariable is the environment variable that names the file to which every run is appended in detail.
const TraceVariable = "MEMCTL_LOG"

// traceWait bounds writing to a trace that is a pipe.
const traceWait = 100 * time.Millisecond

// trace appends the run to a file. logErr says why the run is not in the log.
func (r *Run) trace(path string, logErr error) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("expected an absolute path, got %q", path)
	}
	file, err := gate.AppendTo(path)
	if err != nil {
		return err
	}
	_ = file.SetWriteDeadline(time.Now().Add(traceWait)) // regular files have no deadline and need none
	_, err = io.WriteString(file, r.traceText(logErr))
	return errors.Join(err, file.Close())
}

// traceText is one line about the run and, indented below it, its stderr.
func (r *Run) traceText(logErr error) string {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(r.entry().Line(), "\n"))
	e := r.call.Event
	for _, field := range []struct{ name, value string }{
		{"event", e.Name}, {"session", e.SessionID}, {"source", e.Source}, {"tool", e.ToolName}, {"cwd", e.Cwd},
		{"root", r.call.rootArg},
	} {
		if field.value != "" {
			fmt.Fprintf(&b, " %s=%q", field.name, text.Brief(field.value))
		}
	}
	fmt.Fprintf(&b, " prompt=%dB stdout=%dB stderr=%dB", len(e.Prompt), len(r.stdout), len(r.stderr))
	before := time.Duration(0)
	for _, s := range slices.Concat([]step{{"read", r.read}}, r.call.steps, []step{{"answer", r.took}}) {
		fmt.Fprintf(&b, " %s=%v", s.name, (s.at - before).Round(time.Microsecond))
		before = s.at
	}
	fmt.Fprintf(&b, " pid=%d\n", os.Getpid())
	b.WriteString(indented(r.stderr))
	if p := new(panicError); errors.As(r.err, &p) {
		b.WriteString(indented(string(p.stack)))
	}
	if logErr != nil {
		b.WriteString(indented("not in the log: " + logErr.Error()))
	}
	return b.String()
}

func indented(s string) string {
	if s == "" {
		return ""
	}
	return text.Indent(text.Paragraph(s), "  ") + "\n"
}
