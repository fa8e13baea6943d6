//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// runProgram becomes the program: streams, signals and the exit status are its own.
func runProgram(_ Streams, path string, args []string) error {
	err := syscall.Exec(path, append([]string{hubProgram}, args...), os.Environ())
	return fmt.Errorf("run %s: %w", path, err)
}

// shellCommand returns the command of an editor that is named with arguments.
func shellCommand(named, path string) (*exec.Cmd, error) {
	return exec.Command("sh", "-c", named+` "$@"`, named, path), nil
}
