package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"memctl/text"

	"github.com/urfave/cli/v2"
)

// Stdout is the standard output of a command. It removes what is not printable; what JSON
// has escaped stays. It remembers the first write that failed: what prints need not check
// each write, and no answer is cut short in silence.
type Stdout struct {
	io.Writer
	Err     error
	Silence *Stderr // ends with the first write; nil for none
}

// Write takes whole characters.
func (s *Stdout) Write(p []byte) (int, error) {
	Unfiltered(s)
	_, err := io.WriteString(s.Writer, WithoutCommands(text.Paragraph(string(p))))
	if s.Err == nil {
		s.Err = err
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Stderr is the standard error of a command. On a terminal, after each second in which nothing is printed, a line
// says that the command is at work. The first output takes its place and ends it, because the command may then wait
// for the person; the end of a bar of Progress begins it again.
type Stderr struct {
	io.Writer
	mu     sync.Mutex
	silent time.Time // since when; zero for not
	drawn  bool
}

// NewStderr returns the standard error of a command that begins now.
func NewStderr(w io.Writer) *Stderr {
	s := &Stderr{Writer: w}
	if drawsOn(w) {
		s.silent = time.Now()
		go func() {
			for now := range time.Tick(time.Second) {
				s.draw(now)
			}
		}()
	}
	return s
}

func (s *Stderr) draw(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if silence := now.Sub(s.silent); !s.silent.IsZero() && silence >= time.Second {
		fmt.Fprintf(s.Writer, "%smemctl: at work, %s", clearLine, silence.Truncate(time.Second))
		s.drawn = true
	}
}

// set ends the line, or begins it again if the silence is not zero.
func (s *Stderr) set(silent time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.drawn {
		fmt.Fprint(s.Writer, clearLine)
	}
	s.silent, s.drawn = silent, false
}

func (s *Stderr) Write(p []byte) (int, error) {
	s.set(time.Time{})
	_, err := io.WriteString(s.Writer, WithoutCommands(string(p)))
	return len(p), err
}

// Unfiltered returns what is below the filters of this package. Nothing is drawn on a terminal from then on: something
// else, such as an editor, may have it.
func Unfiltered(stream io.Writer) io.Writer {
	switch s := stream.(type) {
	case *Stdout:
		if s.Silence != nil {
			s.Silence.set(time.Time{})
		}
		return s.Writer
	case *Stderr:
		s.set(time.Time{})
		return s.Writer
	}
	return stream
}

// WriteJSON writes a result of a command as JSON.
func WriteJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(text.JSONWriter(out))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Interruptible returns what read returns, or the error of the context if that ends
// first. The read then goes on until the process ends.
func Interruptible[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	case r := <-done:
		return r.value, r.err
	}
}

// Error writes an error and, unless it is empty, a hint what to do about it.
func Error(out io.Writer, err error, hint string) {
	fmt.Fprintf(out, "memctl: error: %s\n", text.Paragraph(err.Error()))
	if hint != "" {
		Hint(out, "%s", hint)
	}
}

// Hint writes what to do.
func Hint(out io.Writer, format string, args ...any) { message(out, "hint: ", format, args) }

// Warning writes what went wrong although the command goes on.
func Warning(out io.Writer, format string, args ...any) { message(out, "warning: ", format, args) }

// Note writes what a person should know about a result.
func Note(out io.Writer, format string, args ...any) { message(out, "", format, args) }

func message(out io.Writer, kind, format string, args []any) {
	fmt.Fprintln(out, "memctl: "+kind+text.Paragraph(fmt.Sprintf(format, args...)))
}

// The exit statuses of commands. Hooks have their own.
const (
	ExitDone    = 0
	ExitFailed  = 1   // refused, or problems were found
	ExitUsage   = 2   // the command line makes no sense
	ExitStopped = 130 // Ctrl-C
)

// Failure is an error with its exit status and what to do about it.
type Failure struct {
	Err  error
	Hint string
	Code int
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// ErrFindings ends a command that has already said what is wrong.
var ErrFindings = &Failure{Err: errors.New("problems were found"), Code: ExitFailed}

// Usagef returns the error of a command line that makes no sense.
func Usagef(format string, args ...any) error {
	return &Failure{Err: fmt.Errorf(format, args...), Code: ExitUsage}
}

// Misused is Usagef with a hint.
func Misused(hint, format string, args ...any) error {
	return &Failure{Err: fmt.Errorf(format, args...), Hint: hint, Code: ExitUsage}
}

// Refused returns an error with a hint, of a command that makes sense and cannot be done.
func Refused(hint, format string, args ...any) error {
	return &Failure{Err: fmt.Errorf(format, args...), Hint: hint, Code: ExitFailed}
}

// UsageError is the OnUsageError of every command.
func UsageError(c *cli.Context, err error, _ bool) error {
	failure := &Failure{Err: err, Hint: ReadHelp(c), Code: ExitUsage}
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok { // by the package flag
		failure.Err = fmt.Errorf("unknown flag %s%s", "--"[:min(len(name), 2)], name)
		if meant := flagMeant(c.Command.Flags, name); meant != "" {
			failure.Hint = fmt.Sprintf("did you mean --%s?", meant)
		}
	}
	return failure
}

// flagMeant is the flag that a name begins with, as related-files does, or the nearest if no name begins so.
func flagMeant(flags []cli.Flag, name string) string {
	var names []string
	for _, flag := range flags {
		long := flag.Names()[0]
		if strings.HasPrefix(name, long+"-") {
			return long
		}
		names = append(names, long)
	}
	return text.Nearest(name, names)
}

// ReadHelp is the hint of an error that has no better one.
func ReadHelp(c *cli.Context) string {
	name := c.App.Name
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != name {
		name += " " + strings.TrimPrefix(c.Command.HelpName, name+" ")
	}
	return fmt.Sprintf(`run "%s --help" for usage`, name)
}

// Report writes the error of a command to stderr and returns the exit status.
func Report(ctx context.Context, stderr io.Writer, err error) int {
	if err == nil {
		return ExitDone
	}
	if ctx.Err() != nil {
		Note(stderr, "stopped")
		return ExitStopped
	}
	f := &Failure{Err: err, Code: ExitFailed}
	errors.As(err, &f)
	if !errors.Is(err, ErrFindings) {
		Error(stderr, err, f.Hint)
	}
	return f.Code
}
