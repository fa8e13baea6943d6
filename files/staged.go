package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"memctl/files/gate"
	"memctl/text"
)

// The names of staged files that an agent reads start with one of these.
const (
	DraftPrefix  = "draft-"
	TriagePrefix = "triage-" // what the stop hook found
	// MomentsPrefix begins the names of what sessions have said and were not asked about.
	MomentsPrefix = "moments-"
)

// Key names the root in memctl's files outside of it: a hash of its path.
func (r Root) Key() string { return text.Hash(r.Path, 6) }

// Staging is the folder for drafts and the context files of triage. Each user and each
// root has a separate one, of mode 0700, in the system's temporary folder.
func (r Root) Staging() string {
	return filepath.Join(StagingPath(), r.Key())
}

// StagingPath has the staging folders of all roots of this user.
func StagingPath() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("memctl-%d", os.Getuid()))
}

// Staged is the opened staging folder of a root. It writes nothing outside the folder.
type Staged struct {
	path string
	dir  *gate.Dir
}

// OpenStaging opens the root's staging folder, and makes it if it does not exist. Any
// user may make folders in a shared temporary folder, so OpenStaging refuses a link
// and another user's folder.
func (r Root) OpenStaging() (*Staged, error) {
	path := r.Staging()
	temp, err := gate.Enter(os.TempDir())
	if err != nil {
		return nil, err
	}
	defer temp.Close()
	user, err := privateFolder(temp, filepath.Base(filepath.Dir(path)))
	if err != nil {
		return nil, fmt.Errorf("staging folder %s: %w", filepath.Dir(path), err)
	}
	defer user.Close()
	dir, err := privateFolder(user, filepath.Base(path))
	if err != nil {
		return nil, fmt.Errorf("staging folder %s: %w", path, err)
	}
	return &Staged{path, dir}, nil
}

// privateFolder opens a folder that only this user can enter.
func privateFolder(in *gate.Dir, name string) (*gate.Dir, error) {
	named, err := in.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := in.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, gate.Reason(err)
		}
		named, err = in.Lstat(name)
	}
	if err != nil {
		return nil, gate.Reason(err)
	}
	if !named.IsDir() {
		return nil, fmt.Errorf("expected a folder, found %s", gate.Kind(named.Mode()))
	}
	dir, err := in.Enter(name)
	if err != nil {
		return nil, gate.Reason(err)
	}
	opened, err := dir.Stat(".")
	switch {
	case err != nil:
	case !os.SameFile(named, opened):
		err = errors.New("it has just been replaced")
	case !isOwn(opened):
		err = errors.New("it belongs to another user")
	case opened.Mode().Perm()&0o077 != 0:
		err = gate.Reason(dir.Chmod(".", 0o700))
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	return dir, nil
}

// Close closes the folder.
func (s *Staged) Close() error { return s.dir.Close() }

// Write writes a file that only this user can read, and returns its path. It replaces
// what has the name, even a link.
func (s *Staged) Write(name, text string) (string, error) {
	if err := s.dir.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	file, err := s.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(text)
	return filepath.Join(s.path, name), errors.Join(err, file.Close())
}

// Replace writes a file that only this user can read, whole or not at all. The caller holds a lock of the folder.
func (s *Staged) Replace(name string, data []byte) error {
	temp := tempName + "-" + name // others may write other files meanwhile
	if _, err := s.Write(temp, string(data)); err != nil {
		return err
	}
	return s.dir.Rename(temp, name)
}

// Written returns when a file was written, zero if it does not exist.
func (s *Staged) Written(name string) time.Time {
	info, err := s.dir.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}
	}
	return info.ModTime()
}

// Remove removes a file.
func (s *Staged) Remove(name string) error { return s.dir.Remove(name) }

// Mark makes an empty file and reports whether it did not exist yet. If the file cannot
// be made, Mark reports true each time.
func (s *Staged) Mark(name string) (isNew bool) {
	file, err := s.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		file.Close()
	}
	return !errors.Is(err, fs.ErrExist)
}

// StagedFile is one file of the folder.
type StagedFile struct {
	Name    string
	Size    int64 // bytes
	Written time.Time
}

// List returns the drafts and what triage keeps, sorted by name. The other files are
// memctl's own notes.
func (s *Staged) List() ([]StagedFile, error) { return s.named(DraftPrefix, TriagePrefix) }

// Moments returns the files of what sessions have said, sorted by name.
func (s *Staged) Moments() ([]StagedFile, error) { return s.named(MomentsPrefix) }

// named returns the files whose names begin with one of the prefixes.
func (s *Staged) named(prefixes ...string) ([]StagedFile, error) {
	entries, err := fs.ReadDir(s.dir.FS(), ".")
	if err != nil {
		return nil, err
	}
	var files []StagedFile
	for _, entry := range entries {
		begins := func(prefix string) bool { return strings.HasPrefix(entry.Name(), prefix) }
		if !slices.ContainsFunc(prefixes, begins) {
			continue
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, StagedFile{entry.Name(), info.Size(), info.ModTime()})
		}
	}
	return files, nil
}

// Read returns what a file holds, if it has at most limit bytes.
func (s *Staged) Read(name string, limit int64) ([]byte, error) {
	file, _, err := s.open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return gate.ReadLimited(file, limit)
}

// open opens a regular file of the folder, without waiting for the other end of a pipe.
func (s *Staged) open(name string, how int) (*gate.File, int64, error) {
	return gate.Regular(s.dir.OpenFile(name, how|syscall.O_NONBLOCK, 0o600))
}

// Sweep removes the files whose names start with prefix and that were written before a
// time, as far as it can.
func (s *Staged) Sweep(prefix string, before time.Time) {
	files, _ := s.named(prefix)
	for _, f := range files {
		if f.Written.Before(before) {
			s.dir.Remove(f.Name)
		}
	}
}

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

// Keep adds lines to a file that only grows, up to limit bytes: a full one is an error. A new
// line comes first, so that the end of a write that was cut off spoils no other line.
func (s *Staged) Keep(name string, lines []string, limit int64) error {
	file, size, err := s.open(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	defer file.Close()
	added := "\n" + strings.Join(lines, "\n")
	if size+int64(len(added)) > limit {
		return fmt.Errorf("%s: %w", filepath.Join(s.path, name), errFull)
	}
	_, err = file.WriteString(added)
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
		if len(all) > 0 {
			data = append(all, data...)
		}
		all = data // mostly the only one, which is not copied
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
