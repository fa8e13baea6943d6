package console

import (
	"errors"
	"io"

	"memctl/files/gate"
)

// screenAndKeys are the two ends of a console.
type screenAndKeys struct{ keys, screen *gate.File }

func (s screenAndKeys) Read(p []byte) (int, error)  { return s.keys.Read(p) }
func (s screenAndKeys) Write(p []byte) (int, error) { return s.screen.Write(p) }
func (s screenAndKeys) Close() error                { return errors.Join(s.keys.Close(), s.screen.Close()) }

// OpenTerminal opens the console of the person who has started the program, whatever its streams are.
func OpenTerminal() (io.ReadWriteCloser, error) {
	keys, err := gate.OpenDevice("CONIN$")
	if err != nil {
		return nil, err
	}
	screen, err := gate.OpenDevice("CONOUT$")
	if err != nil {
		return nil, errors.Join(err, keys.Close())
	}
	return screenAndKeys{keys, screen}, nil
}
