package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"memctl/files/gate"
)

// asideTimeout is how long SetAside waits for a writer.
const asideTimeout = time.Second

// asideMark stands between the name of a file that was set aside and a number.
const asideMark = ".invalid."

// Quarantine renames a file that is not a valid memory, given by its path below the
// root, to PATH.invalid.UNIXTIME or the next free number, and returns the new path. It
// renames a link itself, and a link in a folder's place cannot lead out of the root.
//
// Another file may have been renamed to the path since the caller judged it. So valid
// judges the file again under its new path. SetAside puts a valid one back, unless the
// path is taken by now, and returns "".
func (r Root) Quarantine(ctx context.Context, at string, now time.Time, valid func(aside string) bool) (string, error) {
	lock, err := r.LockExclusive(ctx, WriteLock, asideTimeout)
	if err != nil {
		return "", &QuarantineError{WriteLock, err}
	}
	defer lock.Unlock()
	aside, err := r.renameAside(at, now)
	if err != nil {
		return "", r.whyNotAside(at, err)
	}
	if valid(aside) && r.putBack(aside, at) == nil {
		return "", nil
	}
	return aside, nil
}

// QuarantineError says why a file was not set aside.
type QuarantineError struct {
	What string // that was in the way, below the root
	Err  error
}

func (e *QuarantineError) Error() string {
	if blocked := new(inTheWay); errors.As(e.Err, &blocked) {
		return e.What + ": " + blocked.reason()
	}
	return e.What + ": " + gate.Reason(e.Err).Error()
}

func (e *QuarantineError) Unwrap() error { return e.Err }

// NeedsUser reports whether the file can be removed no more than it could be renamed, or should
// not be, because it lies elsewhere.
func (e *QuarantineError) NeedsUser() bool {
	return errors.Is(e.Err, fs.ErrPermission) || errors.Is(e.Err, syscall.EROFS) || errors.Is(e.Err, ErrNotFolder)
}

// whyNotAside finds the reason behind the error of a rename.
func (r Root) whyNotAside(at string, err error) error {
	folder := path.Dir(at)
	if dir, _, folderErr := r.enter(folder); errors.Is(folderErr, ErrNotFolder) {
		return &QuarantineError{folder, folderErr}
	} else if dir != nil {
		dir.Close()
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return &QuarantineError{folder + " is not writable", err}
	}
	return &QuarantineError{"its new name", err}
}

// IsAside reports whether a path is one that SetAside gives.
func IsAside(at string) bool {
	_, number, found := strings.Cut(path.Base(at), asideMark)
	return found && number != "" && strings.Trim(number, "0123456789") == ""
}

// Asides lists the regular files that were set aside, by their paths below the root. It
// follows no links. With an error it lists those that it could find.
func (r Root) Asides() (paths []string, unread error) {
	err := r.within(func(dir *gate.Dir) error {
		return fs.WalkDir(dir.FS(), ".", func(at string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				unread = errors.Join(unread, fmt.Errorf("%s: %w", at, gate.Reason(err)))
			case entry.Type().IsRegular() && IsAside(at):
				paths = append(paths, at)
			}
			return nil
		})
	})
	return paths, errors.Join(err, unread)
}

func (r Root) renameAside(at string, now time.Time) (aside string, err error) {
	err = r.within(func(dir *gate.Dir) (err error) {
		if aside, err = reserve(dir, at, now.Unix()); err != nil {
			return err
		}
		if err = dir.Rename(filepath.FromSlash(at), filepath.FromSlash(aside)); err != nil {
			dir.Remove(filepath.FromSlash(aside))
		}
		return err
	})
	return aside, err
}

// putBack renames a memory within its folder and replaces nothing.
func (r Root) putBack(aside, at string) error {
	folder, err := r.OpenFolder(path.Dir(at))
	if err != nil {
		return err
	}
	if folder == nil {
		return fs.ErrNotExist
	}
	defer folder.Close()
	return folder.MoveNew(path.Base(aside), path.Base(at))
}

// reserve makes an empty file to rename over: a rename alone would replace what
// another process has set aside in the same second.
func reserve(dir *gate.Dir, path string, number int64) (string, error) {
	for ; ; number++ {
		aside := fmt.Sprintf("%s%s%d", path, asideMark, number)
		file, err := dir.OpenFile(filepath.FromSlash(aside), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		switch {
		case err == nil:
			return aside, file.Close()
		case !errors.Is(err, fs.ErrExist):
			return "", err
		}
	}
}
