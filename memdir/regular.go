package memdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// ErrElsewhere says that a file lies where it is not looked at.
var ErrElsewhere = errors.New("lies outside the folders where it may be")

// readOnly does not wait for the other end of a pipe.
const readOnly = os.O_RDONLY | syscall.O_NONBLOCK

// OpenRegular opens a file for reading that is neither a folder nor a device nor
// a pipe, and returns its size.
func OpenRegular(path string) (*os.File, int64, error) {
	return regular(os.OpenFile(path, readOnly, 0))
}

// OpenWithin is OpenRegular for a path that a stranger gave: what its links lead
// to has to lie below one of the folders. Folders that are not absolute or do
// not exist are passed over.
func OpenWithin(path string, folders ...string) (*os.File, int64, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, 0, err
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, 0, err
	}
	for _, folder := range folders {
		if !filepath.IsAbs(folder) {
			continue
		}
		folder, err := filepath.EvalSymlinks(folder)
		if err != nil {
			continue
		}
		rel, err := filepath.Rel(folder, target)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		dir, err := os.OpenRoot(folder)
		if err != nil {
			return nil, 0, err
		}
		defer dir.Close()
		return regular(dir.OpenFile(rel, readOnly, 0)) // not out of it, though links may have changed
	}
	return nil, 0, fmt.Errorf("%s %w", path, ErrElsewhere)
}

func regular(file *os.File, err error) (*os.File, int64, error) {
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: expected a regular file, found %s", file.Name(), kind(info.Mode()))
	}
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}
