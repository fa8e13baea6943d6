package main

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
	maxSettings     = 8 << 20 // bounds what is read for a settings file
	settingsTimeout = 5 * time.Second
)

// settingsFile is a settings.json of the client as it was read.
type settingsFile struct {
	path   string // as the client names it
	target string // where its links lead: that file is written, a link stays one
	data   []byte // nil where there is no file
}

// editSettings gives a function a settings file and what that is without memctl,
// while no other memctl writes there.
func editSettings(ctx context.Context, path string, edit func(file settingsFile, was former) error) error {
	lock, err := memdir.LockBeside(ctx, filepath.Dir(path), settingsTimeout)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	file, err := readSettings(path)
	if err != nil {
		return err
	}
	was, err := file.former()
	if err != nil {
		return err
	}
	return edit(file, was)
}

func readSettings(path string) (settingsFile, error) {
	f := settingsFile{path: path, target: path}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return f, &failure{
				err:  fmt.Errorf("%s is a link to a file that is not there", path),
				hint: "make the file it leads to, or remove the link",
				code: exitFailed,
			}
		}
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("read %s: %w", path, err)
	}
	f.target = target
	f.data, err = readBounded(target)
	return f, err
}

// readBounded returns a file's bytes, never nil.
func readBounded(path string) ([]byte, error) {
	file, size, err := memdir.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size > maxSettings {
		return nil, fmt.Errorf("%s: larger than %d MiB", path, maxSettings>>20)
	}
	data, err := io.ReadAll(io.LimitReader(file, maxSettings))
	return append([]byte{}, data...), err
}

// mistaken is an error of the file's content.
func (f settingsFile) mistaken(err error) error {
	return &failure{
		err:  fmt.Errorf("%s: %w", f.path, err),
		hint: "mend it and try again; Claude Code takes strict JSON, without comments, and nothing was changed",
		code: exitFailed,
	}
}

// write puts other bytes in the file's place, or removes it for nil. A link is
// never removed or replaced. The caller holds the lock.
func (f settingsFile) write(data []byte) error {
	if err := os.MkdirAll(filepath.Dir(f.target), 0o755); err != nil {
		return err
	}
	if err := f.unchanged(); err != nil {
		return err
	}
	return inFolder(f.target, func(folder *memdir.Folder, name string) error {
		switch {
		case f.data == nil:
			return folder.WriteNew(name, data)
		case data != nil:
			return folder.Replace(name, data)
		case f.isLink():
			return folder.Replace(name, []byte("{}\n"))
		}
		return folder.Remove(name)
	})
}

// inFolder opens the folder of a file for writing it, and names the file where
// that goes wrong.
func inFolder(path string, write func(folder *memdir.Folder, name string) error) error {
	folder, err := memdir.FolderAt(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	folder.Step = writeStep
	if err = folder.RemoveTemp(); err == nil {
		err = write(folder, filepath.Base(path))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func (f settingsFile) isLink() bool {
	info, err := os.Lstat(f.path)
	return err == nil && info.Mode().Type() == fs.ModeSymlink
}

// unchanged refuses to overwrite what somebody has written since the file was
// read, and a file that its owner has made read-only.
func (f settingsFile) unchanged() error {
	now, err := readSettings(f.path)
	if err != nil {
		return err
	}
	if now.target != f.target || !bytes.Equal(now.data, f.data) {
		return fmt.Errorf("%s has changed meanwhile; try again", f.path)
	}
	if f.data == nil {
		return nil
	}
	file, err := os.OpenFile(f.target, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}
