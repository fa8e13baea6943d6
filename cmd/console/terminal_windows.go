package console

import (
	"errors"
	"io"
	"os"
)

// screenAndKeys are the two ends of a console.
type screenAndKeys struct{ keys, screen *os.File }

func (s screenAndKeys) Read(p []byte) (int, error)  { return s.keys.Read(p) }
func (s screenAndKeys) Write(p []byte) (int, error) { return s.screen.Write(p) }
func (s screenAndKeys) Close() error                { return errors.Join(s.keys.Close(), s.screen.Close()) }

// OpenTerminal opens the console of the person who has started the program, whatever its streams are.
func OpenTerminal() (io.ReadWriteCloser, error) {
	keys, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	screen, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(err, keys.Close())
	}
	return screenAndKeys{keys, screen}, nil
}
