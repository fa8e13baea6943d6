package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"memctl/cmd/console"
	"memctl/render"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// The exit statuses of commands. Hooks have their own.
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

// report writes the error of a command to stderr and returns the exit status.
func report(ctx context.Context, std streams, err error) int {
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil {
		render.Note(std.Err, "stopped")
		return exitStopped
	}
	f := &failure{err: err, code: exitFailed}
	errors.As(err, &f)
	if errors.Is(err, errFindings) {
		return f.code
	}
	var refused *writer.Error
	if errors.As(err, &refused) {
		fmt.Fprintln(std.Err, text.Paragraph(refused.Error()))
		return exitFailed
	}
	render.Error(std.Err, err, f.hint)
	return f.code
}

// printResult prints the result of a command: as JSON with --json, else rendered for
// people.
func printResult[T any](c *cli.Context, std streams, result T, rendered func(io.Writer, T)) error {
	if c.Bool("json") {
		return writeJSON(std.Out, result)
	}
	rendered(std.Out, result)
	return nil
}

// printPaged is printResult for long results: rendered for the width of a terminal, in
// colours, and through a pager.
func printPaged[T any](c *cli.Context, std streams, result T, rendered func(render.Screen, T)) error {
	if c.Bool("json") {
		return writeJSON(std.Out, result)
	}
	return paged(c, std, func(s render.Screen) error {
		rendered(s, result)
		return nil
	})
}

// printFindings is printResult for a command that fails if it found something wrong.
func printFindings[T any](c *cli.Context, std streams, result T, rendered func(io.Writer, T), wrong bool) error {
	if err := printResult(c, std, result, rendered); err != nil || !wrong {
		return err
	}
	return errFindings
}

func writeJSON(out io.Writer, v any) error { return console.WriteJSON(out, v) }

// notNil makes JSON say [] for no elements.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// more names the rest of a list, by its number.
func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}
