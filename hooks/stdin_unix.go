//go:build unix

package hooks

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// source asks before it reads: a second goroutine, and a timer to end the wait for
// it, would cost every hook more than reading does.
type source struct{ file *os.File }

func (s *source) within(b []byte, limit time.Duration) (int, error) {
	ready := []unix.PollFd{{Fd: int32(s.file.Fd()), Events: unix.POLLIN}}
	for deadline := time.Now().Add(limit); ; {
		n, err := unix.Poll(ready, milliseconds(time.Until(deadline)))
		switch {
		case errors.Is(err, unix.EINTR):
		case n == 0 && err == nil:
			return 0, errLate
		default: // reading says what is wrong
			return s.file.Read(b)
		}
	}
}

// milliseconds rounds up, lest waits end early.
func milliseconds(d time.Duration) int {
	return int(max(0, (d+time.Millisecond-1)/time.Millisecond))
}
