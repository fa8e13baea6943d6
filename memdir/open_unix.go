//go:build unix

package memdir

import (
	"io/fs"
	"os"
	"syscall"
)

// openUnpolled opens a file that is known to be a regular one. os.OpenFile would set
// up the runtime's poller first, which is of no use to regular files: eight system
// calls, in a hook that makes forty.
func openUnpolled(path string, how int) (*os.File, error) {
	for {
		fd, err := syscall.Open(path, how|syscall.O_CLOEXEC, 0)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), path), nil
		case syscall.EINTR:
			continue
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
}
