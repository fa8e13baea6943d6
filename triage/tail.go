package triage

import (
	"bytes"
	"errors"
	"io"
)

const (
	// chunk is the least that is read at once.
	chunk = 16 << 10
	// maxLine is the longest line that is read. Longer ones, mostly results of tools,
	// count as messages without text.
	maxLine = 2 << 20
)

// tail reads the lines of a file from its end. It holds little more than maxLine in
// memory.
type tail struct {
	in     io.ReaderAt
	offset int64 // where unread begins in the file
	floor  int64 // nothing before it is read
	unread []byte
	done   bool
}

// newTail reads at most budget bytes of a file of that size.
func newTail(in io.ReaderAt, size, budget int64) *tail {
	return &tail{in: in, offset: size, floor: max(0, size-budget)}
}

// previous returns the line before the one it returned last, without its line feed.
// A line longer than maxLine is tooLong and not returned. The error is io.EOF after
// the first line.
func (t *tail) previous() (line []byte, tooLong bool, err error) {
	for !t.done {
		end := bytes.LastIndexByte(t.unread, '\n')
		if line = t.unread[end+1:]; len(line) > maxLine {
			line, tooLong = nil, true
			t.unread = t.unread[:end+1]
		}
		if end >= 0 {
			t.unread = t.unread[:end]
			return line, tooLong, nil
		}
		if t.offset == t.floor {
			t.done = true
			if t.floor > 0 {
				break // the line's beginning is not to be read
			}
			return line, tooLong, nil
		}
		if err := t.read(); err != nil {
			return nil, false, err
		}
	}
	return nil, false, io.EOF
}

// read puts the bytes before the unread ones in front of them. It reads more for
// longer lines, so that the copies of a line cost no more than twice its length.
func (t *tail) read() error {
	n := min(max(chunk, len(t.unread)), int(t.offset-t.floor))
	data := make([]byte, n, n+len(t.unread))
	switch got, err := t.in.ReadAt(data, t.offset-int64(n)); {
	case got == n:
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF // the file has just become shorter
	default:
		return err
	}
	t.offset -= int64(n)
	t.unread = append(data, t.unread...)
	return nil
}
