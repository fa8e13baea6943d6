package memdir

import (
	"errors"

	"golang.org/x/sys/unix"
)

// placeNew renames within the folder and never replaces. Neither name has a slash:
// memctl chose it or checked it.
func (f *Folder) placeNew(from, to string) error {
	fd := int(f.handle.Fd())
	err := unix.Renameat2(fd, from, fd, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return f.placeChecked(from, to) // the file system cannot do it
	}
	return err
}
