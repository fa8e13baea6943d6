package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// The exit statuses of commands. Hooks have their own.
const (
	ExitDone    = 0
	ExitFailed  = 1   // refused, or something was found wrong
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
var ErrFindings = &Failure{Err: errors.New("something was found wrong"), Code: ExitFailed}

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
	return &Failure{Err: err, Hint: ReadHelp(c), Code: ExitUsage}
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
