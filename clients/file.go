package clients

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"memctl/files"
	"memctl/files/gate"
	"memctl/text"
)

const (
	maxFile     = 8 << 20 // limits how much is read of a settings file, in bytes
	lockTimeout = 5 * time.Second
)

// formatError is about the content of a file; err has the line and the column.
func (o Options) formatError(path string, form Form, err error) error {
	return text.WithHint(fmt.Errorf("%s: %w", path, err),
		fmt.Sprintf("fix it and try again; %s takes %s, and nothing was changed", o.Client.Title, form.Rules()))
}

// file is a file of the client as it was read.
type file struct {
	place gate.Place
	path  string // as the client names it; where a link leads, that file is written, and the link stays
	data  []byte // nil if there is no file
	step  func() // called between the steps of a write, for tests
}

// placeOf says who wrote a file of a client: strangers, if it lies in the project.
func placeOf(project, path string) gate.Place {
	if project == "" && !filepath.IsAbs(path) {
		project = "."
	}
	if project == "" || !gate.Contains(project, path) || files.IsHome(project) {
		return gate.Place{Folder: filepath.Dir(path), Owner: gate.User}
	}
	return gate.Place{Folder: project}
}

// edit calls a function with a file while no other memctl edits it.
func edit(ctx context.Context, place gate.Place, path string, step func(), fn func(file) error) error {
	lock, err := files.LockFolder(ctx, filepath.Dir(path), lockTimeout)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	f, err := readFile(place, path)
	if err != nil {
		return err
	}
	f.step = step
	return fn(f)
}

// ReadFile returns the bytes of a file of the client, nil if there is none. In the project it
// follows no link out of it.
func ReadFile(project, path string) ([]byte, error) {
	f, err := readFile(placeOf(project, path), path)
	return f.data, err
}

func readFile(place gate.Place, path string) (file, error) {
	f := file{place: place, path: path}
	data, err := place.Read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.isLink():
		return f, text.WithHint(fmt.Errorf("%s is a link to a file that is not there", path),
			"make the file it leads to, or remove the link")
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case errors.Is(err, gate.ErrLeadsOut), errors.Is(err, gate.ErrGit):
		return f, text.WithHint(err, "put a file in the place of the link")
	case err != nil:
		return f, fmt.Errorf("read %s: %w", path, err)
	}
	f.data = append([]byte{}, data...) // not nil
	return f, nil
}

func (f file) isLink() bool {
	info, err := gate.Lstat(f.path)
	return err == nil && info.Mode().Type() == fs.ModeSymlink
}

// write replaces the file's bytes, or removes the file if data is nil. A link is never
// removed or replaced. The caller holds the lock.
func (f file) write(data []byte) error {
	if err := f.checkUnchanged(); err != nil {
		return err
	}
	if data == nil && f.isLink() {
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
	now, err := readFile(f.place, f.path)
	if err == nil && !bytes.Equal(now.data, f.data) {
		err = fmt.Errorf("%s has changed meanwhile; try again", f.path)
	}
	return err
}

// A file is copied once, before memctl first changes it. The copy is never
// overwritten. Uninstall removes it when the file has the same bytes again. Copies lie in
// the user's state folder: they may hold tokens, and git would take them in a project.

// olderCopy ends the name of a copy by earlier versions, which lies next to the file.
const olderCopy = ".memctl-backup"

// CopyPath is where the copy of a file is, or would be.
func CopyPath(path string) (string, error) {
	state, err := files.State()
	if err != nil {
		return "", fmt.Errorf("keep a copy of %s: %w", path, err)
	}
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(state, fmt.Sprintf("copy-%x-%s", sum[:6], filepath.Base(path))), nil
}

// copies are the places of the file's copy: that of earlier versions is the second.
func (f file) copies() (paths [2]string, places [2]gate.Place, err error) {
	path, err := CopyPath(f.path)
	return [2]string{path, f.path + olderCopy},
		[2]gate.Place{{Folder: filepath.Dir(path), Owner: gate.User}, f.place}, err
}

// Copies lists the copies of the files that memctl has changed for a project and its user, and
// those in the project by earlier versions.
func Copies(project string) (copies, older []string) {
	for _, client := range All() {
		for _, t := range client.Targets(project) {
			for _, path := range []string{t.Settings, t.Servers} {
				found, _, err := file{path: path, place: placeOf(project, path)}.copies()
				for i, list := range []*[]string{&copies, &older} {
					if _, statErr := gate.Lstat(found[i]); err == nil && statErr == nil &&
						!slices.Contains(*list, found[i]) {
						*list = append(*list, found[i])
					}
				}
			}
		}
	}
	return copies, older
}

// backup returns the bytes of the copy, nil if there is none that can be read.
func (f file) backup() []byte {
	paths, places, err := f.copies()
	for i, path := range paths {
		if data, readErr := places[i].Read(path, maxFile); err == nil && readErr == nil {
			return append([]byte{}, data...)
		}
	}
	return nil
}

func (f file) removeBackup() error {
	paths, places, err := f.copies()
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
	paths, places, err := f.copies()
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
