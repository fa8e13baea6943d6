package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"memctl/text"
	"memctl/writer"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"
)

// The exit statuses of commands; hooks have their own (answers).
const (
	exitDone    = 0
	exitFailed  = 1   // refused, or something was found wrong
	exitUsage   = 2   // the command line makes no sense
	exitStopped = 130 // Ctrl-C
)

// failure is an error with its exit status and what to do about it.
type failure struct {
	err  error
	hint string
	code int
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// errFindings ends a command that has already said what is wrong.
var errFindings = &failure{err: errors.New("something was found wrong"), code: exitFailed}

func usagef(format string, args ...any) error {
	return &failure{err: fmt.Errorf(format, args...), code: exitUsage}
}

func usageError(c *cli.Context, err error, _ bool) error {
	return &failure{err: err, hint: readHelp(c), code: exitUsage}
}

// report prints an error the way every command does and returns the status.
func report(ctx context.Context, std streams, err error) int {
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil {
		fmt.Fprintln(std.Err, "memctl: stopped")
		return exitStopped
	}
	if errors.Is(err, errFindings) {
		return exitFailed
	}
	var refused *writer.Error
	if errors.As(err, &refused) {
		fmt.Fprintln(std.Err, refused)
		return exitFailed
	}
	f := &failure{err: err, code: exitFailed}
	errors.As(err, &f)
	fmt.Fprintf(std.Err, "memctl: error: %s\n", text.Paragraph(err.Error()))
	if f.hint != "" {
		fmt.Fprintf(std.Err, "memctl: hint: %s\n", f.hint)
	}
	return f.code
}

func writeJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// isTerminal tells whether a stream is a terminal on which progress may be drawn
// or a question asked.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd()) && os.Getenv("TERM") != "dumb"
}

// more names the rest of a list, by its number.
func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}
