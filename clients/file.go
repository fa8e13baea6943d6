package clients

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memctl/memdir"
)

const (
	maxFile     = 8 << 20 // limits how much is read of a settings file, in bytes
	lockTimeout = 5 * time.Second
)

// Error says that a file of the client cannot be edited, and what to do about it.
type Error struct {
	err  error
	hint string
}

func (e *Error) Error() string { return e.err.Error() }
func (e *Error) Unwrap() error { return e.err }
func (e *Error) Hint() string  { return e.hint }

// formatError is about the content of a file; err has the line and the column.
func (o Options) formatError(path string, form form, err error) error {
	return &Error{
		fmt.Errorf("%s: %w", path, err),
		fmt.Sprintf("fix it and try again; %s takes %s, and nothing was changed", o.Client.Title, form.rules()),
	}
}

// file is a file of the client as it was read.
type file struct {
	path   string // as the client names it
	target string // where its links lead: that file is written, and a link stays a link
	data   []byte // nil if there is no file
	step   func() // called between the steps of a write, for tests
}

// edit calls a function with a file while no other memctl edits it.
func edit(ctx context.Context, path string, step func(), fn func(file) error) error {
	lock, err := memdir.LockFolder(ctx, filepath.Dir(path), lockTimeout)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	f, err := readFile(path)
	if err != nil {
		return err
	}
	f.step = step
	return fn(f)
}

// ReadFile returns the bytes of a file of the client, nil if there is none.
func ReadFile(path string) ([]byte, error) {
	f, err := readFile(path)
	return f.data, err
}

func readFile(path string) (file, error) {
	f := file{path: path, target: path}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if f.isLink() {
			return f, &Error{
				fmt.Errorf("%s is a link to a file that is not there", path),
				"make the file it leads to, or remove the link",
			}
		}
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("read %s: %w", path, err)
	}
	f.target = target
	f.data, err = readLimited(target)
	return f, err
}

// readLimited returns a file's bytes, never nil.
func readLimited(path string) ([]byte, error) {
	in, size, err := memdir.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if size > maxFile {
		return nil, fmt.Errorf("%s: larger than %d MiB", path, maxFile>>20)
	}
	return io.ReadAll(io.LimitReader(in, maxFile))
}

func (f file) isLink() bool {
	info, err := os.Lstat(f.path)
	return err == nil && info.Mode().Type() == fs.ModeSymlink
}

// write replaces the file's bytes, or removes the file if data is nil. A link is never
// removed or replaced. The caller holds the lock.
func (f file) write(data []byte) error {
	if err := os.MkdirAll(filepath.Dir(f.target), 0o755); err != nil {
		return err
	}
	if err := f.checkUnchanged(); err != nil {
		return err
	}
	if data == nil && f.isLink() {
		data = []byte("{}\n")
	}
	return f.inFolder(f.target, func(folder *memdir.Folder, name string) error {
		switch {
		case data == nil:
			return folder.Remove(name)
		case f.data == nil:
			return folder.WriteNew(name, data)
		}
		return folder.Replace(name, data)
	})
}

// inFolder opens the folder of a path for writing.
func (f file) inFolder(path string, write func(folder *memdir.Folder, name string) error) error {
	folder, err := memdir.FolderAt(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	folder.Step = f.step
	if err = folder.RemoveTemp(); err == nil {
		err = write(folder, filepath.Base(path))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// checkUnchanged fails if the file has changed since it was read, or if its owner made
// it read-only.
func (f file) checkUnchanged() error {
	now, err := readFile(f.path)
	if err != nil {
		return err
	}
	if now.target != f.target || !bytes.Equal(now.data, f.data) {
		return fmt.Errorf("%s has changed meanwhile; try again", f.path)
	}
	if f.data == nil {
		return nil
	}
	writable, err := os.OpenFile(f.target, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return writable.Close()
}

// A file is copied once, before memctl first changes it. The copy is never
// overwritten. Uninstall removes it when the file has the same bytes again.

const backupSuffix = ".memctl-backup"

func (f file) backupPath() string { return f.path + backupSuffix }

// backup returns the bytes of the copy, nil if there is none that can be read.
func (f file) backup() []byte {
	data, err := readLimited(f.backupPath())
	if err != nil {
		return nil
	}
	return data
}

// backUp copies the file unless there is a copy already. It returns the path of a copy
// that has the file's present bytes, else "".
func (f file) backUp() (string, error) {
	if f.data == nil {
		return "", nil
	}
	path := f.backupPath()
	if _, err := os.Lstat(path); err == nil {
		if bytes.Equal(f.backup(), f.data) {
			return path, nil
		}
		return "", nil
	}
	if err := f.checkUnchanged(); err != nil {
		return "", err
	}
	info, err := os.Stat(f.target)
	if err != nil {
		return "", err
	}
	return path, f.inFolder(path, func(folder *memdir.Folder, name string) error {
		return folder.WriteNewMode(name, f.data, info.Mode().Perm()&0o700) // for the user alone
	})
}
