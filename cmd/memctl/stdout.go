package main

import (
	"errors"

	"memctl/cmd/console"
)

// checkStdout returns the error of a command that ended with err: a failed write, unless
// the command failed on its own.
func checkStdout(out *console.Stdout, err error) error {
	if out.Err == nil || err != nil && !errors.Is(err, console.ErrFindings) {
		return err
	}
	return &console.Failure{Err: out.Err, Hint: hintFor(out.Err), Code: console.ExitFailed}
}
