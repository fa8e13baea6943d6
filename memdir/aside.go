package memdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// SetAside renames a file that is not a valid memory, given by its path below the
// root, to PATH.invalid.UNIXTIME or the next free number, and returns the new path. It
// renames a link itself, and a link in a folder's place cannot lead out of the root.
func (r Root) SetAside(path string, now time.Time) (string, error) {
	dir, err := os.OpenRoot(r.Path)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	aside, err := reserve(dir, path, now.Unix())
	if err != nil {
		return "", fmt.Errorf("set %s aside: %w", path, plainReason(err))
	}
	if err := dir.Rename(filepath.FromSlash(path), filepath.FromSlash(aside)); err != nil {
		dir.Remove(filepath.FromSlash(aside))
		return "", fmt.Errorf("set %s aside: %w", path, plainReason(err))
	}
	return aside, nil
}

// reserve makes an empty file to rename over: a rename alone would replace what
// another process has set aside in the same second.
func reserve(dir *os.Root, path string, number int64) (string, error) {
	for ; ; number++ {
		aside := fmt.Sprintf("%s.invalid.%d", path, number)
		file, err := dir.OpenFile(filepath.FromSlash(aside), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return aside, file.Close()
	}
}
