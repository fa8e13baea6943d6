//go:build unix

package memdir

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// The hook after a tool opens two files, thousands of times a day, each in a process
// of its own. os.OpenFile would set up the runtime's poller for the first of them,
// which is of no use to regular files, and os.Root looks at each more than once.

// openUnpolled opens a file that is known to be a regular one.
func openUnpolled(path string) (*os.File, error) {
	fd, err := openAt(unix.AT_FDCWD, path, unix.O_RDONLY)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// openPrivate opens a file for appending that has something in it already, in a
// folder that only this user can enter, and returns its size. The folder and the
// file are no links. Why something is an error is not said: makeSession does.
func openPrivate(folder, name string) (*os.File, int64, error) {
	dir, err := openAt(unix.AT_FDCWD, folder, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err != nil {
		return nil, 0, err
	}
	defer unix.Close(dir)
	var st unix.Stat_t
	if err := unix.Fstat(dir, &st); err != nil || int(st.Uid) != os.Getuid() || st.Mode&0o077 != 0 || strings.Contains(name, "/") {
		return nil, 0, errNotAsMade
	}
	fd, err := openAt(dir, name, unix.O_RDWR|unix.O_APPEND|unix.O_NOFOLLOW) // for both: it waits for no pipe
	if err != nil {
		return nil, 0, err
	}
	file := os.NewFile(uintptr(fd), name)
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size == 0 {
		file.Close()
		return nil, 0, errNotAsMade
	}
	return file, st.Size, nil
}

var errNotAsMade = errors.New("not as memctl makes it")

func openAt(dir int, name string, how int) (int, error) {
	for {
		fd, err := unix.Openat(dir, name, how|unix.O_CLOEXEC, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}
