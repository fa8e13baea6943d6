package hooks

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

// traceVariable names the file to which every run is appended in detail.
const traceVariable = "MEMCTL_LOG"

// traceWait bounds writing to a trace that is a pipe.
const traceWait = 100 * time.Millisecond

// trace appends the run to a file. logErr says why the run is not in the log.
func (r *Run) trace(path string, logErr error) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("expected an absolute path, got %q", path)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	_ = file.SetWriteDeadline(time.Now().Add(traceWait)) // regular files have no deadline and need none
	_, err = io.WriteString(file, r.traceText(logErr))
	return errors.Join(err, file.Close())
}

// traceText is one line about the run and, indented below it, what went to stderr.
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
	fmt.Fprintf(&b, " prompt=%dB stdout=%dB stderr=%dB read=%v answer=%v pid=%d\n",
		len(e.Prompt), len(r.stdout), len(r.stderr),
		r.read.Round(time.Microsecond), (r.took - r.read).Round(time.Microsecond), os.Getpid())
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
