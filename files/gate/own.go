package gate

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// These functions take a path as it is. It is for places that the person chose, by the command line or the environment,
// and for memctl's own: the state folder, the temporary folder, a root that Place has checked.

// Lstat describes a path without following a link in its place.
func Lstat(path string) (fs.FileInfo, error) {
	if err := step("lstat", path, ""); err != nil {
		return nil, err
	}
	return os.Lstat(path)
}

// Stat describes what a path leads to.
func Stat(path string) (fs.FileInfo, error) {
	if err := step("stat", path, ""); err != nil {
		return nil, err
	}
	return os.Stat(path)
}

// OpenAny opens what the command line names for reading, which may be a pipe. A pipe that no program writes to is
// empty.
func OpenAny(path string) (*File, error) {
	if err := step("open", path, ""); err != nil {
		return nil, err
	}
	return fileOf(os.OpenFile(path, ReadOnly, 0))
}

// OpenDevice opens a terminal's device for reading and writing.
func OpenDevice(path string) (*File, error) {
	if err := step("open", path, ""); err != nil {
		return nil, err
	}
	return fileOf(os.OpenFile(path, os.O_RDWR, 0))
}

// Create makes a file that must not exist.
func Create(path string, mode fs.FileMode) (*File, error) {
	if err := step("create", path, ""); err != nil {
		return nil, err
	}
	return fileOf(os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode))
}

// AppendTo opens a file of the person for appending, and makes it if it does not exist. It does not wait for the other
// end of a pipe.
func AppendTo(path string) (*File, error) {
	if err := step("create", path, ""); err != nil {
		return nil, err
	}
	return fileOf(os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|nonBlocking, 0o600))
}

// Remove removes a file that memctl made.
func Remove(path string) error {
	if err := step("remove", path, ""); err != nil {
		return err
	}
	return os.Remove(path)
}

// MakeFolder makes a folder and those above it.
func MakeFolder(path string, mode fs.FileMode) error {
	if err := step("mkdir", path, ""); err != nil {
		return err
	}
	return os.MkdirAll(path, mode)
}

// MakeTemp makes a folder in the temporary folder. Remove removes it with all that is in it.
func MakeTemp(prefix string) (path string, remove func() error, err error) {
	if err := step("mkdir", os.TempDir(), prefix); err != nil {
		return "", nil, err
	}
	path, err = os.MkdirTemp("", prefix)
	return path, func() error { return os.RemoveAll(path) }, err
}

// WriteNew makes a file with these bytes, which must not exist.
func WriteNew(path string, data []byte, mode fs.FileMode) error {
	file, err := Create(path, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// List lists a folder.
func List(path string) ([]fs.DirEntry, error) {
	if err := step("list", path, ""); err != nil {
		return nil, err
	}
	return os.ReadDir(path)
}

// Below calls use with each file below a folder, by its path from there, until that returns false. It passes over
// hidden folders and those whose names skips takes, and reports whether it went through all: it lists most entries at
// most.
func Below(folder string, most int, skips, use func(name string) bool) (all bool) {
	listed := 0
	for folders := []string{""}; len(folders) > 0; folders = folders[1:] {
		entries, _ := List(filepath.Join(folder, filepath.FromSlash(folders[0]))) // else it has none
		if listed += len(entries); listed > most {
			return false
		}
		for _, e := range entries {
			below := path.Join(folders[0], e.Name())
			switch {
			case !e.IsDir():
				if !use(below) {
					return false
				}
			case !strings.HasPrefix(e.Name(), ".") && !skips(e.Name()):
				folders = append(folders, below)
			}
		}
	}
	return true
}

// Lock is a kernel lock on a file. The kernel frees it when its holder dies.
type Lock struct{ lock *flock.Flock }

// NewLock returns a lock that is not taken yet.
func NewLock(path string) *Lock { return &Lock{flock.New(path, flock.SetPermissions(0o666))} }

// TryShared takes the lock unless another process holds it exclusively, and reports whether it did. It makes the file
// if it does not exist.
func (l *Lock) TryShared() (bool, error) {
	if err := step("lock", l.lock.Path(), ""); err != nil {
		return false, err
	}
	return l.lock.TryRLock()
}

// TryExclusive is TryShared for a lock that no other process holds.
func (l *Lock) TryExclusive() (bool, error) {
	if err := step("lock", l.lock.Path(), ""); err != nil {
		return false, err
	}
	return l.lock.TryLock()
}

// Close frees the lock.
func (l *Lock) Close() error { return l.lock.Close() }
