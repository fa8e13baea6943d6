package gate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memctl/files/gate/internal/fault"
)

// step comes before every operation on a file or a folder. It is the one place where a test can make it fail.
func step(operation, folder, name string) error {
	if fault.Before == nil {
		return nil
	}
	return fault.Before(operation, filepath.Join(folder, name))
}

// Dir is an opened folder. The names that its methods take are below it, and links do not lead out of it.
type Dir struct{ root *os.Root }

func openDir(path string) (*Dir, error) {
	if err := step("open", path, ""); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Dir{root}, nil
}

// Name returns the folder's path as it was opened.
func (d *Dir) Name() string { return d.root.Name() }

// Close closes the folder.
func (d *Dir) Close() error { return d.root.Close() }

// do runs an operation on a name in the folder.
func (d *Dir) do(operation, name string, run func() error) error {
	if err := step(operation, d.Name(), name); err != nil {
		return err
	}
	return run()
}

// Enter opens a folder in the folder.
func (d *Dir) Enter(name string) (*Dir, error) {
	if err := step("open", d.Name(), name); err != nil {
		return nil, err
	}
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Dir{root}, nil
}

// Open opens a file or a folder for reading.
func (d *Dir) Open(name string) (*File, error) { return d.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile opens a file as os.OpenFile does.
func (d *Dir) OpenFile(name string, flag int, mode fs.FileMode) (*File, error) {
	operation := "open"
	if flag&os.O_CREATE != 0 {
		operation = "create"
	}
	if err := step(operation, d.Name(), name); err != nil {
		return nil, err
	}
	return fileOf(d.root.OpenFile(name, flag, mode))
}

// Lstat describes a name without following a link in its place.
func (d *Dir) Lstat(name string) (info fs.FileInfo, err error) {
	return info, d.do("lstat", name, func() error { info, err = d.root.Lstat(name); return err })
}

// Stat describes what a name leads to.
func (d *Dir) Stat(name string) (info fs.FileInfo, err error) {
	return info, d.do("stat", name, func() error { info, err = d.root.Stat(name); return err })
}

// Mkdir makes a folder.
func (d *Dir) Mkdir(name string, mode fs.FileMode) error {
	return d.do("mkdir", name, func() error { return d.root.Mkdir(name, mode) })
}

// MkdirAll makes a folder and those above it.
func (d *Dir) MkdirAll(name string, mode fs.FileMode) error {
	return d.do("mkdir", name, func() error { return d.root.MkdirAll(name, mode) })
}

// Remove removes a file or an empty folder.
func (d *Dir) Remove(name string) error {
	return d.do("remove", name, func() error { return d.root.Remove(name) })
}

// RemoveAll removes a folder with all that is in it.
func (d *Dir) RemoveAll(name string) error {
	return d.do("remove", name, func() error { return d.root.RemoveAll(name) })
}

// Rename renames a file, and replaces what has the new name.
func (d *Dir) Rename(from, to string) error {
	return d.do("rename", to, func() error { return d.root.Rename(from, to) })
}

// Chmod sets the permissions of a file or a folder.
func (d *Dir) Chmod(name string, mode fs.FileMode) error {
	return d.do("chmod", name, func() error { return d.root.Chmod(name, mode) })
}

// Chtimes sets the times of a file.
func (d *Dir) Chtimes(name string, accessed, written time.Time) error {
	return d.do("chtimes", name, func() error { return d.root.Chtimes(name, accessed, written) })
}

// FS returns the folder for fs.WalkDir, fs.Glob and fs.ReadDir.
func (d *Dir) FS() fs.FS { return folder{d.root.FS(), d.Name()} }

type folder struct {
	fs.FS
	name string
}

func (f folder) Open(name string) (fs.File, error) {
	if err := step("open", f.name, name); err != nil {
		return nil, err
	}
	return f.FS.Open(name)
}

func (f folder) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := step("list", f.name, name); err != nil {
		return nil, err
	}
	return fs.ReadDir(f.FS, name)
}

func (f folder) Stat(name string) (fs.FileInfo, error) {
	if err := step("stat", f.name, name); err != nil {
		return nil, err
	}
	return fs.Stat(f.FS, name)
}

func (f folder) Lstat(name string) (fs.FileInfo, error) {
	if err := step("lstat", f.name, name); err != nil {
		return nil, err
	}
	return fs.Lstat(f.FS, name)
}

func (f folder) ReadLink(name string) (string, error) {
	if err := step("readlink", f.name, name); err != nil {
		return "", err
	}
	return fs.ReadLink(f.FS, name)
}

// File is an opened file or folder.
type File struct{ file *os.File }

func fileOf(file *os.File, err error) (*File, error) {
	if err != nil {
		return nil, err
	}
	return &File{file}, nil
}

// Name returns the file's path as it was opened.
func (f *File) Name() string { return f.file.Name() }

// Close closes the file.
func (f *File) Close() error {
	if err := step("close", f.Name(), ""); err != nil {
		return errors.Join(err, f.file.Close())
	}
	return f.file.Close()
}

// Read is io.Reader's.
func (f *File) Read(p []byte) (int, error) {
	if err := step("read", f.Name(), ""); err != nil {
		return 0, err
	}
	return f.file.Read(p)
}

// ReadAt is io.ReaderAt's.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	if err := step("read", f.Name(), ""); err != nil {
		return 0, err
	}
	return f.file.ReadAt(p, off)
}

// Write is io.Writer's. A test has half of the bytes written before it fails.
func (f *File) Write(p []byte) (int, error) {
	if err := step("write", f.Name(), ""); err != nil {
		n, _ := f.file.Write(p[:len(p)/2])
		return n, err
	}
	return f.file.Write(p)
}

// WriteString writes a text.
func (f *File) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// Seek is io.Seeker's.
func (f *File) Seek(offset int64, whence int) (int64, error) { return f.file.Seek(offset, whence) }

// Stat describes the file.
func (f *File) Stat() (fs.FileInfo, error) {
	if err := step("stat", f.Name(), ""); err != nil {
		return nil, err
	}
	return f.file.Stat()
}

// Chmod sets the file's permissions.
func (f *File) Chmod(mode fs.FileMode) error {
	if err := step("chmod", f.Name(), ""); err != nil {
		return err
	}
	return f.file.Chmod(mode)
}

// Truncate changes the file's size.
func (f *File) Truncate(size int64) error {
	if err := step("truncate", f.Name(), ""); err != nil {
		return err
	}
	return f.file.Truncate(size)
}

// Sync brings the file to disk.
func (f *File) Sync() error {
	if err := step("sync", f.Name(), ""); err != nil {
		return err
	}
	return f.file.Sync()
}

// SetWriteDeadline bounds how long a write to a pipe waits.
func (f *File) SetWriteDeadline(t time.Time) error { return f.file.SetWriteDeadline(t) }

// Readdir describes the next entries of a folder without following links.
func (f *File) Readdir(n int) ([]fs.FileInfo, error) {
	if err := step("list", f.Name(), ""); err != nil {
		return nil, err
	}
	return f.file.Readdir(n)
}

// ReadDir lists the next entries of a folder.
func (f *File) ReadDir(n int) ([]fs.DirEntry, error) {
	if err := step("list", f.Name(), ""); err != nil {
		return nil, err
	}
	return f.file.ReadDir(n)
}

// Readdirnames lists the next names in a folder.
func (f *File) Readdirnames(n int) ([]string, error) {
	if err := step("list", f.Name(), ""); err != nil {
		return nil, err
	}
	return f.file.Readdirnames(n)
}

// RenameNew renames within an opened folder and never replaces. Not every system and file system can:
// errors.ErrUnsupported, or EINVAL.
func (f *File) RenameNew(from, to string) error {
	if err := step("rename", f.Name(), to); err != nil {
		return err
	}
	return renameNew(int(f.file.Fd()), from, to)
}
