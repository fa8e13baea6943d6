package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"memctl/text"
)

// traceVariable names the file that is told more of every hook's run.
const traceVariable = "MEMCTL_LOG"

// traceWait bounds writing to a trace that is a pipe.
const traceWait = 100 * time.Millisecond

// hookTrace is what MEMCTL_LOG asks for: one line a run, and below it what went to
// stderr. It does not repeat what the stop hook quotes to the agent.
type hookTrace struct {
	path   string
	stderr strings.Builder
}

func newHookTrace() *hookTrace {
	if path := os.Getenv(traceVariable); path != "" {
		return &hookTrace{path: path}
	}
	return nil
}

// watch lets the trace see what goes to stderr.
func (t *hookTrace) watch(std streams) streams {
	std.err = io.MultiWriter(std.err, &t.stderr)
	return std
}

// write appends the run to the trace. logged is what became of the run's line in
// the log.
func (t *hookTrace) write(r *hookRun, err, logged error, took time.Duration) error {
	if !filepath.IsAbs(t.path) {
		return fmt.Errorf("expected an absolute path, got %q", t.path)
	}
	file, openErr := os.OpenFile(t.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o600)
	if openErr != nil {
		return openErr
	}
	_ = file.SetWriteDeadline(time.Now().Add(traceWait)) // pipes have one, files need none
	_, writeErr := io.WriteString(file, t.render(r, err, logged, took))
	return errors.Join(writeErr, file.Close())
}

func (t *hookTrace) render(r *hookRun, err, logged error, took time.Duration) string {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(r.entry(err, took).Line(), "\n"))
	e := r.event
	for _, word := range []struct{ name, value string }{
		{"event", e.Name}, {"session", e.SessionID}, {"source", e.Source}, {"tool", e.ToolName}, {"cwd", e.Cwd}, {"root", r.rootArg},
	} {
		if word.value != "" {
			fmt.Fprintf(&b, " %s=%q", word.name, text.Ellipsis(word.value, maxTold))
		}
	}
	fmt.Fprintf(&b, " prompt=%dB stdout=%dB stderr=%dB read=%v answer=%v pid=%d\n", len(e.Prompt), r.out.Len(), t.stderr.Len(),
		r.read.Round(time.Microsecond), (took - r.read).Round(time.Microsecond), os.Getpid())
	if !errors.As(err, new(*blocked)) {
		b.WriteString(indented(t.stderr.String()))
	}
	if p := new(panicked); errors.As(err, &p) {
		b.WriteString(indented(string(p.stack)))
	}
	if logged != nil {
		b.WriteString(indented("not in the log: " + logged.Error()))
	}
	return b.String()
}

func indented(s string) string {
	if s == "" {
		return ""
	}
	return indent(text.Paragraph(s), "  ") + "\n"
}
