package memdir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"time"

	"memctl/schemas"
)

// tempName is a file while it is being written; List does not take it for a
// memory. Writers hold the root's write lock, so one name a folder is enough,
// and what a killed writer left is found without listing.
const tempName = ".memctl-write.tmp"

// MakeFolder opens a category folder to write in, and makes it and the root
// where there are none.
func (r Root) MakeFolder(name string) (*Folder, error) {
	if err := os.MkdirAll(r.Path, 0o755); err != nil {
		return nil, err
	}
	err := os.Mkdir(r.Join(name), 0o755)
	if err == nil {
		err = syncFolder(r.Path)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return r.OpenFolder(name)
}

// WriteLock is held by one writer at a time, from reading a file to its being on
// disk. Git ignores it with the rest of the index's files.
const WriteLock = IndexName + ".write.lock"

// Sweep is RemoveTemps for readers: it does nothing where there is nothing to
// remove, or while a writer is at work.
func (r Root) Sweep(ctx context.Context) {
	if !slices.ContainsFunc(writtenFolders(), func(folder string) bool {
		_, err := os.Lstat(r.Join(folder + "/" + tempName))
		return err == nil
	}) {
		return
	}
	if lock, err := r.LockExclusive(ctx, WriteLock, retryDelay); err == nil {
		defer lock.Unlock()
		r.RemoveTemps()
	}
}

// RemoveTemps removes what writers left that were killed. The caller holds the
// write lock.
func (r Root) RemoveTemps() error {
	dir, err := os.OpenRoot(r.Path)
	if err != nil {
		return err
	}
	defer dir.Close()
	for _, folder := range writtenFolders() {
		// A folder that is a link out of the root is none of ours.
		if err := dir.Remove(folder + "/" + tempName); err == nil || errors.Is(err, fs.ErrNotExist) {
			continue
		} else if info, statErr := dir.Lstat(folder); statErr == nil && info.IsDir() {
			return err
		}
	}
	return nil
}

// writtenFolders are those of the categories, the sessions', and the root for its
// configuration.
func writtenFolders() []string {
	folders := []string{".", SessionsFolder}
	for _, info := range schemas.Categories {
		folders = append(folders, info.Folder)
	}
	return folders
}

// RemoveTemp is RemoveTemps for a single folder. The caller keeps other writers
// away from it.
func (f *Folder) RemoveTemp() error {
	if err := f.dir.Remove(tempName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return plainReason(err)
	}
	return nil
}

// WriteNew makes a file whole and on disk, or not at all: fs.ErrExist where
// there is an entry of that name.
func (f *Folder) WriteNew(name string, data []byte) error { return f.WriteNewMode(name, data, 0o644) }

// WriteNewMode is WriteNew for a file of other permissions.
func (f *Folder) WriteNewMode(name string, data []byte, mode fs.FileMode) error {
	return f.write(data, mode, func() error { return f.placeNew(tempName, name) })
}

// Replace puts other bytes in the place of a file's, whole and on disk or not at
// all. The file keeps its permissions.
func (f *Folder) Replace(name string, data []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := f.dir.Lstat(name); err == nil {
		mode = info.Mode().Perm()
	}
	return f.write(data, mode, func() error { return f.dir.Rename(tempName, name) })
}

// SetTime sets when a file was written to last.
func (f *Folder) SetTime(name string, written time.Time) error {
	return plainReason(f.dir.Chtimes(name, written, written))
}

// MoveNew renames a file within the folder: fs.ErrExist where there is an entry
// of the new name.
func (f *Folder) MoveNew(from, to string) error {
	if err := f.placeNew(from, to); err != nil {
		return plainReason(err)
	}
	f.step()
	return f.sync()
}

// Remove deletes a file, for good once this returns.
func (f *Folder) Remove(name string) error {
	f.step()
	if err := f.dir.Remove(name); err != nil {
		return plainReason(err)
	}
	f.step()
	return f.sync()
}

// write makes a temporary file of the folder, which place puts where it belongs.
func (f *Folder) write(data []byte, mode fs.FileMode, place func() error) error {
	err := f.writeTemp(data, mode)
	if err == nil {
		f.step()
		err = place()
	}
	if err != nil {
		f.dir.Remove(tempName)
		return plainReason(err)
	}
	f.step()
	return f.sync()
}

func (f *Folder) writeTemp(data []byte, mode fs.FileMode) error {
	file, err := f.dir.OpenFile(tempName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	f.step()
	_, err = file.Write(data)
	f.step()
	if mode != 0o644 && err == nil {
		err = file.Chmod(mode) // whatever the umask says
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// step tells a test that one more step of a write is done.
func (f *Folder) step() {
	if f.Step != nil {
		f.Step()
	}
}

// sync makes names of the folder last. Windows has no such call: its file
// systems keep a journal of names.
func (f *Folder) sync() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	if err := f.handle.Sync(); err != nil {
		return fmt.Errorf("written, but perhaps not to disk: %w", plainReason(err))
	}
	return nil
}

func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// placeChecked renames where the system has no call that fails if there is an
// entry of the new name: the write lock keeps out other writers of ours.
func (f *Folder) placeChecked(from, to string) error {
	_, err := f.dir.Lstat(to)
	if err == nil {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return f.dir.Rename(from, to)
}
