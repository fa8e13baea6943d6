package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"memctl/schemas"

	"github.com/mattn/go-isatty"
)

const (
	// readTimeout, which errLate names, is how long a whole JSON value may take to arrive after the last
	// bytes of it that did. The client closes stdin at once, but other callers may
	// leave it open.
	readTimeout = 2 * time.Second
	// slowTimeout is for a huge value that keeps arriving.
	slowTimeout = 8 * time.Second
	// maxEvent, which errLong names, bounds what is read from stdin.
	maxEvent = 256 << 20
)

// errLate says that nothing came in time. It is not put together by fmt: that would
// be done at every start.
var errLate = errors.New("no whole JSON value within 2s")

var errLong = errors.New("more than 256 MiB")

// ReadValue reads one JSON value from in, without waiting for its end.
func ReadValue(in io.Reader) (json.RawMessage, error) {
	file, ok := in.(*os.File)
	if !ok {
		return firstValue(in)
	}
	if isatty.IsTerminal(file.Fd()) {
		return nil, errors.New("stdin is a terminal; a hook is given its event there")
	}
	p := patient{source: source{file: file}}
	data, err := p.read()
	if err == nil && schemas.Valid(data) {
		return data, nil // nearly always, and told in a third of the time
	}
	raw, firstErr := firstValue(bytes.NewReader(data))
	if firstErr != nil && err != nil {
		return nil, err
	}
	return raw, firstErr
}

// firstValue reads one value and leaves what follows it.
func firstValue(in io.Reader) (raw json.RawMessage, err error) {
	limited := &io.LimitedReader{R: in, N: maxEvent}
	err = json.NewDecoder(limited).Decode(&raw)
	switch {
	case limited.N <= 0:
		return nil, errLong
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

const (
	// tick is how long one wait is.
	tick = readTimeout / 10
	// firstRead is room for nearly every event.
	firstRead = 8 << 10
)

// read reads to the end, or until nothing more comes after a whole value.
func (p *patient) read() ([]byte, error) {
	data := make([]byte, 0, firstRead)
	for {
		data = slices.Grow(data, 1)
		n, err := p.within(data[len(data):cap(data)], 0)
		if err == errLate {
			if isWhole(data) {
				return data, nil
			}
			n, err = p.wait(data[len(data):cap(data)])
		}
		data = data[:len(data)+n]
		switch {
		case err == io.EOF: // as a file's is; errors.Is would cost every hook five page faults
			return data, nil
		case err != nil:
			return data, err
		case len(data) > maxEvent:
			return nil, errLong
		}
	}
}

// isWhole looks at the end first: what is still arriving seldom ends like an object.
func isWhole(data []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(data, " \t\r\n"), []byte("}")) && schemas.Valid(data)
}

func (p *patient) wait(b []byte) (int, error) {
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
