package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"

	"memctl/files/gate"
	"memctl/schemas"
)

// tempName is a file while it is being written; List leaves it out. Writers hold the
// root's write lock, so one name in each folder is enough, and what a killed writer
// left can be found without listing.
const tempName = ".memctl-write.tmp"

// MakeFolder opens a category folder for writing. It makes the folder and the root if
// they do not exist.
func (r Root) MakeFolder(name string) (*Folder, error) {
	if err := gate.MakeFolder(r.Path, 0o755); err != nil {
		return nil, err
	}
	dir, err := gate.Enter(r.Path)
	if err != nil {
		return nil, err
	}
	top, err := FolderIn(dir)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	if err = dir.Mkdir(name, 0o755); err == nil {
		err = top.sync()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return r.OpenFolder(name)
}

// WriteLock is held by one writer at a time, from reading a file until the new one is
// on disk. Git ignores it with the index's other files.
const WriteLock = IndexName + ".write.lock"

// Sweep is RemoveTemps for readers: it does nothing if there is nothing to remove or
// another process is writing.
func (r Root) Sweep(ctx context.Context) {
	if !slices.ContainsFunc(writtenFolders(), func(folder string) bool {
		_, err := gate.Lstat(r.Join(folder + "/" + tempName))
		return err == nil
	}) {
		return
	}
	if lock, err := r.LockExclusive(ctx, WriteLock, 0); err == nil {
		defer lock.Unlock()
		r.RemoveTemps()
	}
}

// An index that is being built, until it replaces the old one. BuildLock is held
// meanwhile.
const (
	BuildName = IndexName + ".new"
	BuildLock = IndexName + ".build.lock"
)

// RemoveIndex deletes an index of the root and its write-ahead log. It deletes a folder
// of that name only if it is empty.
func (r Root) RemoveIndex(name string) {
	_ = r.within(func(dir *gate.Dir) error {
		for _, suffix := range []string{"-wal", "-shm", "-journal", ""} {
			dir.Remove(name + suffix)
		}
		return nil
	})
}

// PlaceIndex puts the index that was built in the place of the old one.
func (r Root) PlaceIndex() error {
	return r.within(func(dir *gate.Dir) error { return dir.Rename(BuildName, IndexName) })
}

// KeepOther renames a file that stands in the place of memctl's index and is no database, to
// the next free name: index.db.other-1.
func (r Root) KeepOther(name string) error {
	return r.within(func(dir *gate.Dir) error {
		for n := 1; ; n++ {
			other := fmt.Sprintf("%s.other-%d", name, n)
			if _, err := dir.Lstat(other); errors.Is(err, fs.ErrNotExist) {
				return dir.Rename(name, other)
			} else if err != nil {
				return err
			}
		}
	})
}

// RemoveStaleBuild removes what an unfinished rebuild left, unless another process is
// building an index now. The caller has an index that is complete.
func (r Root) RemoveStaleBuild() {
	if _, err := gate.Lstat(r.Join(BuildName)); err != nil {
		return
	}
	if lock, err := r.LockExclusive(context.Background(), BuildLock, 0); err == nil {
		defer lock.Unlock()
		r.RemoveIndex(BuildName)
	}
}

// RemoveTemps removes what killed writers left. The caller holds the write
// lock.
func (r Root) RemoveTemps() error {
	return r.within(func(dir *gate.Dir) error {
		for _, folder := range writtenFolders() {
			// A link in a folder's place is not memctl's.
			if err := dir.Remove(folder + "/" + tempName); err == nil || errors.Is(err, fs.ErrNotExist) {
				continue
			} else if info, statErr := dir.Lstat(folder); statErr == nil && info.IsDir() {
				return err
			}
		}
		return nil
	})
}

// writtenFolders are the folders that memctl writes to: the categories', the sessions',
// and the root for its configuration.
func writtenFolders() []string {
	return append([]string{".", SessionsFolder}, schemas.Folders()...)
}

// RemoveTemp is RemoveTemps for a single folder, which the caller has locked.
func (f *Folder) RemoveTemp() error {
	if err := f.dir.Remove(tempName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return gate.Reason(err)
	}
	return nil
}

// WriteNew makes a file, whole and on disk or not at all: fs.ErrExist if the name is
// taken, also by a twin.
func (f *Folder) WriteNew(name string, data []byte) error { return f.WriteNewMode(name, data, 0o644) }

// WriteNewMode is WriteNew for a file with other permissions.
func (f *Folder) WriteNewMode(name string, data []byte, mode fs.FileMode) error {
	return f.write(data, mode, func() error { return f.placeMemory(tempName, name) })
}

// Replace replaces a file's content, whole and on disk or not at all. The file keeps
// its permissions.
func (f *Folder) Replace(name string, data []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := f.dir.Lstat(name); err == nil {
		mode = info.Mode().Perm()
	}
	return f.write(data, mode, func() error { return untilFree(func() error { return f.dir.Rename(tempName, name) }) })
}

// Put writes a file of a place, whole and on disk or not at all.
func Put(place gate.Place, path string, data []byte) error {
	dir, name, err := place.Parent(path)
	if err != nil {
		return err
	}
	folder, err := FolderIn(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	if err = folder.RemoveTemp(); err == nil {
		err = folder.Replace(name, data)
	}
	return err
}

// CheckWritable returns an error for a file that its owner made read-only.
func (f *Folder) CheckWritable(name string) error {
	file, err := f.dir.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return gate.Reason(err)
	}
	return file.Close()
}

// SetTime sets a file's mtime.
func (f *Folder) SetTime(name string, written time.Time) error {
	return gate.Reason(f.dir.Chtimes(name, written, written))
}

// MoveNew renames a file within the folder: fs.ErrExist if the new name is taken, also by
// a twin.
func (f *Folder) MoveNew(from, to string) error {
	if err := f.placeMemory(from, to); err != nil {
		return gate.Reason(err)
	}
	f.step()
	return f.sync()
}

// Remove deletes a file, for good once this returns.
func (f *Folder) Remove(name string) error {
	f.step()
	if err := untilFree(func() error { return f.dir.Remove(name) }); err != nil {
		return gate.Reason(err)
	}
	f.step()
	return f.sync()
}

// write makes a file that place renames to its name, and brings both to disk.
func (f *Folder) write(data []byte, mode fs.FileMode, place func() error) error {
	if err := f.add(data, mode, place); err != nil {
		return err
	}
	return f.sync()
}

// add makes a temporary file in the folder, and place renames it.
func (f *Folder) add(data []byte, mode fs.FileMode, place func() error) error {
	err := f.writeTemp(data, mode)
	if err == nil {
		f.step()
		err = place()
	}
	if err != nil {
		f.dir.Remove(tempName)
		return gate.Reason(err)
	}
	f.step()
	return nil
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

// step tells a test that a step of a write is done.
func (f *Folder) step() {
	if f.Step != nil {
		f.Step()
	}
}

// sync brings the folder's names to disk. Windows has no such call: its file systems
// keep a journal of names.
func (f *Folder) sync() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	if err := f.handle.Sync(); err != nil {
		return fmt.Errorf("written, but perhaps not to disk: %w", gate.Reason(err))
	}
	return nil
}

// placeNew renames within the folder and never replaces. Neither name has a slash:
// memctl chose it or checked it.
func (f *Folder) placeNew(from, to string) error {
	err := f.handle.RenameNew(from, to)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return f.placeChecked(from, to) // the system or the file system cannot do it
	}
	return err
}

// placeChecked is placeNew for systems that cannot rename without replacing: the write
// lock keeps out other memctl processes.
func (f *Folder) placeChecked(from, to string) error {
	_, err := f.dir.Lstat(to)
	if err == nil {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return untilFree(func() error { return f.dir.Rename(from, to) })
}

// busyTime is how long a change waits for programs that read the file meanwhile.
const busyTime = time.Second

// untilFree repeats a change of a file until no other program has the file open. Windows
// refuses it before.
func untilFree(change func() error) error {
	for deadline := time.Now().Add(busyTime); ; time.Sleep(retryDelay) {
		if err := change(); !inUse(err) || time.Now().After(deadline) {
			return err
		}
	}
}

// AddNew is WriteNew for one of many files: the file is on disk when AddNew returns, its
// name when Flush does.
func (f *Folder) AddNew(name string, data []byte) error {
	return f.add(data, 0o644, func() error { return f.placeMemory(tempName, name) })
}

// Flush brings the names of the folder's files to disk.
func (f *Folder) Flush() error { return f.sync() }
