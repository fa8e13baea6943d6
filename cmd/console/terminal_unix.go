//go:build !windows

package console

import (
	"io"

	"memctl/files/gate"
)

// OpenTerminal opens the terminal of the person who has started the program, whatever its streams are.
func OpenTerminal() (io.ReadWriteCloser, error) { return gate.OpenDevice("/dev/tty") }
