package hooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
)

const (
	// readTimeout is how long a hook waits for more of an event. Claude Code closes
	// stdin at once, but other callers may leave it open.
	readTimeout = 2 * time.Second
	// totalTimeout bounds all the waiting for an event that arrives in pieces.
	totalTimeout = 8 * time.Second
	// maxEvent bounds an event, in bytes. A hook holds it in memory several times: raw,
	// decoded and filtered.
	maxEvent = 8 << 20
	// tick is the unit in which waiting is counted.
	tick = readTimeout / 10
)

var errTooLong = fmt.Errorf("more than %d MiB", maxEvent>>20)

// readValue reads one JSON value from in, without waiting for the end of in. It
// counts the ticks in which nothing arrives instead of comparing times: a process
// that is suspended misses its ticks.
func readValue(in io.Reader) (json.RawMessage, error) {
	if file, ok := in.(*os.File); ok && isatty.IsTerminal(file.Fd()) {
		return nil, errors.New("stdin is a terminal; a hook is given its event there")
	}
	type result struct {
		raw json.RawMessage
		err error
	}
	event := &eventReader{in: in}
	done := make(chan result, 1)
	go func() {
		raw, err := firstValue(event)
		done <- result{raw, err}
	}()
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	arrived := int64(0)
	silent, waited := time.Duration(0), time.Duration(0)
	for silent < readTimeout && waited < totalTimeout {
		select {
		case r := <-done:
			return r.raw, r.err
		case <-ticks.C:
			if n := event.arrived.Load(); n > arrived {
				arrived, silent = n, 0
				continue
			}
			silent += tick
			waited += tick
		}
	}
	return nil, fmt.Errorf("no whole JSON value within %v", readTimeout)
}

// eventReader counts the bytes that arrive and refuses too many.
type eventReader struct {
	in      io.Reader
	arrived atomic.Int64
}

func (r *eventReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	arrived := r.arrived.Add(int64(n))
	if arrived > maxEvent {
		return 0, errTooLong
	}
	if arrived > smallEvent && arrived-int64(n) <= smallEvent {
		LimitMemory()
	}
	return n, err
}

func firstValue(in io.Reader) (raw json.RawMessage, err error) {
	err = json.NewDecoder(in).Decode(&raw)
	if errors.Is(err, io.EOF) {
		return nil, errors.New("it is empty")
	}
	return raw, err
}

const (
	// maxMemory is the memory that the Go runtime may use, in bytes, before it collects garbage at
	// any cost. With the program itself and SQLite a hook stays below 64 MiB.
	maxMemory = 18 << 20
	// smallEvent is the size of an event, in bytes, that needs little memory.
	smallEvent = 64 << 10
	// quickAnswer is how long most hooks take at most. Setting the limit stops the
	// world, so they do without.
	quickAnswer = 20 * time.Millisecond
)

// LimitMemory limits the memory of this process.
func LimitMemory() { debug.SetMemoryLimit(maxMemory) }
