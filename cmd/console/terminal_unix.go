//go:build !windows

package console

import (
	"io"
	"os"
)

// OpenTerminal opens the terminal of the person who has started the program, whatever its streams are.
func OpenTerminal() (io.ReadWriteCloser, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }
