package memdir

import (
	"bufio"
	"errors"
	"io"
)

// MaxLine is the longest line of a session's file that memctl reads, in bytes. Those
// it writes are less than a quarter as long.
const MaxLine = 1 << 20

// Lines reads whole lines and passes each to use without its line feed, nil for one
// that is too long. It returns their number of bytes and leaves out what follows the
// last line feed, which is still being written.
func Lines(in io.Reader, use func(line []byte) error) (read int64, err error) {
	r := bufio.NewReaderSize(in, 64<<10)
	var line []byte
	var size int64
	for {
		part, err := r.ReadSlice('\n')
		size += int64(len(part))
		if size <= MaxLine {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			return read, nil
		case err != nil:
			return read, err
		}
		whole := line[:max(0, len(line)-1)]
		if size > MaxLine {
			whole = nil
		}
		if err := use(whole); err != nil {
			return read, err
		}
		read += size
		line, size = line[:0], 0
	}
}
