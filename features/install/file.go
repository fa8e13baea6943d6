package install

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/files/gate"
)

// lockTimeout is how long another memctl may edit a file.
const lockTimeout = 5 * time.Second

// file is a file of the client as it was read.
type file struct {
	place gate.Place
	path  string // as the client names it; where a link leads, that file is written, and the link stays
	data  []byte // nil if there is no file
	step  func() // called between the steps of a write, for tests
}

// edit calls a function with a file while no other memctl edits it.
func edit(ctx context.Context, place gate.Place, path string, step func(), fn func(file) error) error {
	lock, err := files.LockFolder(ctx, filepath.Dir(path), lockTimeout)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	data, err := clients.ReadAt(place, path)
	if err != nil {
		return err
	}
	return fn(file{place, path, data, step})
}

// write replaces the file's bytes, or removes the file if data is nil. A link is never
// removed or replaced. The caller holds the lock.
func (f file) write(data []byte) error {
	if err := f.checkUnchanged(); err != nil {
		return err
	}
	if data == nil && clients.IsLink(f.path) {
		data = []byte("{}\n")
	}
	return inFolder(f.place, f.path, f.step, func(folder *files.Folder, name string) error {
		switch {
		case data == nil:
			return folder.Remove(name)
		case f.data == nil:
			return folder.WriteNew(name, data)
		}
		if err := folder.CheckWritable(name); err != nil {
			return err
		}
		return folder.Replace(name, data)
	})
}

// inFolder opens the folder of a path for writing.
func inFolder(place gate.Place, path string, step func(), write func(folder *files.Folder, name string) error) error {
	dir, name, err := place.Parent(path)
	if err != nil {
		return err
	}
	folder, err := files.FolderIn(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	folder.Step = step
	if err = folder.RemoveTemp(); err == nil {
		err = write(folder, name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func (f file) checkUnchanged() error {
	now, err := clients.ReadAt(f.place, f.path)
	if err == nil && !bytes.Equal(now, f.data) {
		err = fmt.Errorf("%s has changed meanwhile; try again", f.path)
	}
	return err
}

// backup returns the bytes of the copy, nil if there is none that can be read.
func (f file) backup() []byte {
	paths, places, err := clients.CopiesOf(f.place, f.path)
	for i, path := range paths {
		if data, readErr := places[i].Read(path, clients.MaxFile); err == nil && readErr == nil {
			return append([]byte{}, data...)
		}
	}
	return nil
}

func (f file) removeBackup() error {
	paths, places, err := clients.CopiesOf(f.place, f.path)
	for i, path := range paths {
		if err == nil {
			err = inFolder(places[i], path, f.step, (*files.Folder).RemoveIfThere)
		}
	}
	return err
}

// backUp copies the file unless there is a copy already. It returns the path of a copy
// that has the file's present bytes, else "".
func (f file) backUp() (string, error) {
	paths, places, err := clients.CopiesOf(f.place, f.path)
	if f.data == nil || err != nil {
		return "", err
	}
	if copied := f.backup(); copied != nil {
		if bytes.Equal(copied, f.data) {
			return paths[0], nil
		}
		return "", nil
	}
	if err := f.checkUnchanged(); err != nil {
		return "", err
	}
	return paths[0], inFolder(places[0], paths[0], f.step, func(folder *files.Folder, name string) error {
		return folder.WriteNewMode(name, f.data, 0o600) // for the user alone
	})
}
