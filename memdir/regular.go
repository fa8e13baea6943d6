package memdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// ErrElsewhere means that a file lies outside the folders that memctl reads.
var ErrElsewhere = errors.New("lies outside the folders where it may be")

// readOnly opens without waiting for the other end of a pipe.
const readOnly = os.O_RDONLY | syscall.O_NONBLOCK

// OpenRegular opens a regular file for reading and returns its size. It refuses
// folders, devices and pipes.
func OpenRegular(path string) (*os.File, int64, error) {
	return regular(os.OpenFile(path, readOnly, 0))
}

// OpenWithin is OpenRegular for an untrusted path: after resolving links the file has
// to be below one of the folders. It ignores folders that are not absolute or do not
// exist.
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
		return regular(dir.OpenFile(rel, readOnly, 0)) // stays in the folder even if links change now
	}
	return nil, 0, fmt.Errorf("%s %w", path, ErrElsewhere)
}

func regular(file *os.File, err error) (*os.File, int64, error) {
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w, found %s", file.Name(), ErrNotFile, kind(info.Mode()))
	}
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}
