package answers

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

// trace is what MEMCTL_LOG asks for: one line a run, and below it what went to
// stderr. It does not repeat what the stop hook quotes to the agent.
type trace struct {
	path   string
	stderr strings.Builder
}

func newTrace() *trace {
	if path := os.Getenv(traceVariable); path != "" {
		return &trace{path: path}
	}
	return nil
}

// watch lets the trace see what goes to stderr.
func (t *trace) watch(std Streams) Streams {
	std.Err = io.MultiWriter(std.Err, &t.stderr)
	return std
}

// write appends the run to the trace. logged is what became of the run's line in
// the log.
func (t *trace) write(r *Run, err, logged error, took time.Duration) error {
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

func (t *trace) render(r *Run, err, logged error, took time.Duration) string {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(r.entry(err, took).Line(), "\n"))
	e := r.call.Event
	for _, word := range []struct{ name, value string }{
		{"event", e.Name}, {"session", e.SessionID}, {"source", e.Source}, {"tool", e.ToolName}, {"cwd", e.Cwd}, {"root", r.call.RootArg},
	} {
		if word.value != "" {
			fmt.Fprintf(&b, " %s=%q", word.name, text.Brief(word.value))
		}
	}
	fmt.Fprintf(&b, " prompt=%dB stdout=%dB stderr=%dB read=%v answer=%v pid=%d\n", len(e.Prompt), r.out.Len(), t.stderr.Len(),
		r.read.Round(time.Microsecond), (took - r.read).Round(time.Microsecond), os.Getpid())
	if !errors.As(err, new(*Blocked)) {
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
	return text.Indent(text.Paragraph(s), "  ") + "\n"
}
