package memdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// A journal is a file of the staging folder that many processes append lines to
// at once and that is bounded all the same: past a number of bytes it becomes the
// old journal, and what was old is gone.

var errFull = errors.New("the file is full")

// oldSuffix is added to the name of a journal that was full.
const oldSuffix = ".1"

// Append adds a line to a journal of at most about limit bytes, its old one not
// counted. It waits for nobody: a line written at the moment when another process
// sets the full journal aside stands in the old one.
func (s *Staged) Append(name string, line []byte, limit int64) error {
	file, size, err := s.open(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	defer file.Close()
	if size < 2*limit { // else it could not be set aside, many times
		_, err = file.Write(line)
		size += int64(len(line))
	} else {
		err = fmt.Errorf("%s: %w", name, errFull)
	}
	if size > limit {
		err = errors.Join(err, s.turn(name, limit))
	}
	return err
}

// ReadJournal returns what a journal holds, the old one first; nothing where there
// is none.
func (s *Staged) ReadJournal(name string, limit int64) ([]byte, error) {
	var all []byte
	for _, name := range []string{name + oldSuffix, name} {
		file, size, err := s.open(name, os.O_RDONLY)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return all, err
		}
		all, err = appendAll(all, file, len(all)+int(max(size, 3*limit)))
		file.Close()
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// turn sets a full journal aside, unless somebody else is about it or has done so.
func (s *Staged) turn(name string, limit int64) error {
	lockName := name + ".lock"
	if info, err := s.dir.Lstat(lockName); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w, found %s", lockName, ErrNotFile, kind(info.Mode()))
	}
	lock := flock.New(filepath.Join(s.path, lockName), flock.SetPermissions(0o600))
	defer lock.Close()
	if mine, err := lock.TryLock(); err != nil || !mine {
		return err
	}
	info, err := s.dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() <= limit {
		return nil
	}
	if err != nil {
		return err
	}
	return s.dir.Rename(name, name+oldSuffix)
}
