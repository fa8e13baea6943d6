package hooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
)

const (
	// readTimeout, which errLate names, is how long a whole JSON value may take to arrive after the last
	// bytes of it that did. The client closes stdin at once, but other callers may
	// leave it open.
	readTimeout = 2 * time.Second
	// slowTimeout is for a huge value that keeps arriving.
	slowTimeout = 8 * time.Second
	// maxEvent bounds what is read from stdin.
	maxEvent = 256 << 20
)

// errLate says that nothing came in time. It is not put together by fmt: that would
// be done at every start.
var errLate = errors.New("no whole JSON value within 2s")

// ReadValue reads one JSON value from in, without waiting for its end.
func ReadValue(in io.Reader) (json.RawMessage, error) {
	if file, ok := in.(*os.File); ok {
		if isatty.IsTerminal(file.Fd()) {
			return nil, errors.New("stdin is a terminal; a hook is given its event there")
		}
		in = &patient{source: source{file: file}}
	}
	var raw json.RawMessage
	limited := &io.LimitedReader{R: in, N: maxEvent}
	err := json.NewDecoder(limited).Decode(&raw)
	switch {
	case limited.N <= 0:
		return nil, fmt.Errorf("more than %d MiB", maxEvent>>20)
	case errors.Is(err, io.EOF):
		return nil, errors.New("it is empty")
	}
	return raw, err
}

// patient reads a file, but not for ever. It counts waits, not the clock: while the
// machine stands still whoever writes to stdin does too.
type patient struct {
	source
	waits int // in all, each a tick
}

// tick is how long one wait is.
const tick = readTimeout / 10

func (p *patient) Read(b []byte) (int, error) {
	for range readTimeout / tick {
		n, err := p.within(b, tick)
		if !errors.Is(err, errLate) {
			return n, err
		}
		if p.waits++; p.waits >= int(slowTimeout/tick) {
			break
		}
	}
	return 0, errLate
}
