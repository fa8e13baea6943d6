package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"memctl/cmd/console"
	"memctl/term"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// report writes the error of a command to stderr and returns the exit status. The refusal of
// a change has its own lines.
func report(ctx context.Context, std streams, err error) int {
	var refused *writer.Error
	if ctx.Err() == nil && errors.As(err, &refused) && !errors.Is(err, console.ErrFindings) {
		fmt.Fprintln(std.Err, text.Paragraph(refused.Error()))
		return console.ExitFailed
	}
	return console.Report(ctx, std.Err, err)
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
func printPaged[T any](c *cli.Context, std streams, result T, rendered func(term.Screen, T)) error {
	if c.Bool("json") {
		return writeJSON(std.Out, result)
	}
	return paged(c, std, func(s term.Screen) error {
		rendered(s, result)
		return nil
	})
}

// noteNone says that a list has no elements, where a person reads it.
func noteNone(c *cli.Context, std streams, n int, note string) {
	if n == 0 && !c.Bool("json") {
		term.Note(std.Err, "%s", note)
	}
}

// printFindings is printResult for a command that fails if it found something wrong.
func printFindings[T any](c *cli.Context, std streams, result T, rendered func(io.Writer, T), wrong bool) error {
	if err := printResult(c, std, result, rendered); err != nil || !wrong {
		return err
	}
	return console.ErrFindings
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

// checkStdout returns the error of a command that ended with err: a failed write, unless
// the command failed on its own.
func checkStdout(out *console.Stdout, err error) error {
	if out.Err == nil || err != nil && !errors.Is(err, console.ErrFindings) {
		return err
	}
	return &console.Failure{Err: out.Err, Hint: hintFor(out.Err), Code: console.ExitFailed}
}
