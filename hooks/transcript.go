package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memctl/gate"
	"memctl/schemas"
	"memctl/triage"
)

const (
	// markTimeout is how long a hook waits for the client to write its transcript.
	markTimeout = 600 * time.Millisecond
	markTick    = 20 * time.Millisecond
	// maxMarked is how much of the transcript's end is searched for the mark, in bytes.
	maxMarked = 64 << 10
)

// readTranscript reads the end of the event's transcript.
func (c *Call) readTranscript(
	ctx context.Context, w triage.Window, cfg schemas.Config,
) (t triage.Transcript, err error) {
	err = c.useTranscript(func(source triage.Source) (err error) {
		t, err = triage.Read(source, w, cfg.Privacy.Filter().Within(ctx))
		return err
	})
	return t, err
}

// readTurns reads the turns of the event's transcript that are new, and when the last message
// was said.
func (c *Call) readTurns(
	ctx context.Context, w triage.Watch, cfg schemas.Config,
) (turns []triage.Turn, read time.Time, err error) {
	err = c.useTranscript(func(source triage.Source) (err error) {
		turns, read, err = triage.ReadTurns(source, w.Read, w.Turns+1, cfg.Privacy.Filter().Within(ctx))
		return err
	})
	return turns, read, err
}

// useTranscript calls use for the event's transcript and the last answer that the event has.
// Clients write late: at a stop there may be no file yet.
func (c *Call) useTranscript(use func(triage.Source) error) error {
	file, size, err := c.openTranscript()
	for waited := time.Duration(0); c.Event.TranscriptMark != "" && waited < markTimeout; waited += markTick {
		if err == nil && endsWith(file, size, c.Event.TranscriptMark) {
			break
		}
		time.Sleep(markTick)
		if err == nil {
			file.Close()
		}
		file, size, err = c.openTranscript()
	}
	source := triage.Source{Messages: c.client.Messages, LastAnswer: c.Event.LastAnswer}
	switch {
	case err == nil:
		defer file.Close()
		source.In, source.Size = file, size
	case errors.Is(err, fs.ErrNotExist) && source.LastAnswer != "":
		source.In = bytes.NewReader(nil) // the client has not written it yet
	default:
		return err
	}
	return use(source)
}

// endsWith reports whether the end of a file has a mark.
func endsWith(file *os.File, size int64, mark string) bool {
	end := make([]byte, min(size, maxMarked))
	n, _ := file.ReadAt(end, size-int64(len(end)))
	return bytes.Contains(end[:n], []byte(mark))
}

// openTranscript opens the event's transcript only if it lies where clients keep theirs.
// Otherwise the sender of an event could have the hook read any file.
func (c *Call) openTranscript() (*os.File, int64, error) {
	path := c.Event.TranscriptPath
	if path == "" {
		return nil, 0, errors.New("the event names no transcript")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Event.Cwd, path)
	}
	home, _ := os.UserHomeDir()
	file, size, err := gate.OpenWithin(path, home, os.TempDir(), os.Getenv(c.client.Home()))
	if err != nil {
		return nil, 0, fmt.Errorf("transcript: %w", err)
	}
	return file, size, nil
}
