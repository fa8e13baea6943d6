//go:build unix

package hub

import (
	"fmt"
	"os"
	"syscall"

	"memctl/cmd/command"
)

// runProgram becomes the program: streams, signals and the exit status are its own.
func runProgram(_ command.Streams, path string, args []string) error {
	err := syscall.Exec(path, append([]string{hubProgram}, args...), os.Environ())
	return fmt.Errorf("run %s: %w", path, err)
}
