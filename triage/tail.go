package triage

import (
	"bytes"
	"errors"
	"io"
)

const (
	// chunk is small, for each fresh page of memory costs a short-lived process
	// more than another read.
	chunk = 16 << 10
	// maxLine is the longest line that is read. Longer ones, results of tools most
	// of the time, count as messages without text.
	maxLine = 2 << 20
)

// tail reads a file's lines from its end, in memory bounded by maxLine.
type tail struct {
	in    io.ReaderAt
	at    int64 // where the bytes in hand begin in the file
	floor int64 // nothing before it is read
	hand  []byte
	room  int // free bytes before the ones in hand, of the same array
	array []byte
	done  bool
}

// newTail reads at most budget bytes of a file of that size.
func newTail(in io.ReaderAt, size, budget int64) *tail {
	return &tail{in: in, at: size, floor: max(0, size-budget)}
}

// next returns the line before the one returned last, without its line feed, as
// long as next is not called again; tooLong instead of one longer than maxLine.
func (t *tail) next() (line []byte, tooLong bool, err error) {
	if t.done {
		return nil, false, io.EOF
	}
	for searched := 0; ; {
		unsearched := t.hand[:len(t.hand)-searched]
		if i := bytes.LastIndexByte(unsearched, '\n'); i >= 0 {
			line = t.hand[i+1:]
			t.hand = t.hand[:i]
			return line, tooLong, nil
		}
		if len(t.hand) > maxLine {
			t.drop()
			tooLong = true
		}
		searched = len(t.hand)
		if t.at == t.floor {
			t.done = true
			if t.floor > 0 {
				return nil, false, io.EOF // its beginning was not read
			}
			return t.hand, tooLong, nil
		}
		if err := t.more(); err != nil {
			return nil, false, err
		}
	}
}

// drop forgets the bytes in hand.
func (t *tail) drop() {
	t.hand, t.room = nil, len(t.array)
}

// more puts the chunk before the bytes in hand in front of them.
func (t *tail) more() error {
	n := int(min(chunk, t.at-t.floor))
	if t.room < n {
		t.grow()
	}
	start := t.room - n
	if got, err := t.in.ReadAt(t.array[start:t.room], t.at-int64(n)); errors.Is(err, io.EOF) && got < n {
		return io.ErrUnexpectedEOF // the file has just become shorter
	} else if got < n {
		return err
	}
	t.at -= int64(n)
	t.hand = t.array[start : t.room+len(t.hand)]
	t.room = start
	return nil
}

// grow moves the bytes in hand to the end of an array with room for a chunk.
func (t *tail) grow() {
	array := t.array
	if need := len(t.hand) + chunk; need > len(array) {
		array = make([]byte, 2*need)
	}
	t.room = len(array) - len(t.hand)
	copy(array[t.room:], t.hand)
	t.array = array
}
