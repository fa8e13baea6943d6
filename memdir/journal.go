package memdir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A journal is a bounded file of the staging folder to which several processes append
// lines at once. Past a number of bytes it becomes the old journal, which replaces the
// one before.

var errFull = errors.New("the file is full")

// oldSuffix marks the old journal.
const oldSuffix = ".1"

// Append adds a line to a journal of about limit bytes, not counting the old one. It
// waits for no other process: a line written while another process sets the full
// journal aside goes to the old one.
func (s *Staged) Append(name string, line []byte, limit int64) error {
	file, size, err := s.open(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	defer file.Close()
	if size < 2*limit { // a larger one could not be rotated, many times
		_, err = file.Write(line)
		size += int64(len(line))
	} else {
		err = fmt.Errorf("%s: %w", name, errFull)
	}
	if size > limit {
		err = errors.Join(err, s.rotate(name, limit))
	}
	return err
}

// ReadJournal returns what a journal holds, the old one first, nil if neither exists.
func (s *Staged) ReadJournal(name string, limit int64) ([]byte, error) {
	var all []byte
	for _, name := range []string{name + oldSuffix, name} {
		data, err := s.Read(name, 3*limit)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return all, err
		}
		all = append(all, data...)
	}
	return all, nil
}

// rotate sets a full journal aside, unless another process is doing so or has done it.
func (s *Staged) rotate(name string, limit int64) error {
	lock, err := Root{Path: s.path}.LockExclusive(context.Background(), name+".lock", 0)
	if errors.Is(err, ErrLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Unlock()
	info, err := s.dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() <= limit {
		return nil
	}
	if err != nil {
		return err
	}
	return s.dir.Rename(name, name+oldSuffix)
}
