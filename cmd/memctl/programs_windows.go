package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"memctl/cmd/console"

	"golang.org/x/sys/windows"
)

// runProgram runs the program and ends with its exit status. Ctrl-C reaches every program
// of the console; the started one decides.
func runProgram(std streams, path string, args []string) error {
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = std.In, console.Unfiltered(std.Out), console.Unfiltered(std.Err)
	signal.Ignore(os.Interrupt)
	err := cmd.Run()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return &console.Failure{Err: console.ErrFindings, Code: exit.ExitCode()}
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", path, err)
	}
	return nil
}

// shellCommand returns the command of an editor that is named with arguments. Windows has
// no sh; the program's path and the arguments may be quoted as in any command of it.
func shellCommand(named, path string) (*exec.Cmd, error) {
	words, err := windows.DecomposeCommandLine(named)
	if err != nil || len(words) == 0 {
		return nil, editorFailed(fmt.Errorf("%q is not a command:  %w", named, err))
	}
	return exec.Command(words[0], append(words[1:], path)...), nil
}
