package hub

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"memctl/cmd/command"
	"memctl/cmd/console"
)

// runProgram runs the program and ends with its exit status. Ctrl-C reaches every program
// of the console; the started one decides.
func runProgram(std command.Streams, path string, args []string) error {
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
