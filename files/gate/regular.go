package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// nonBlocking opens without waiting for the other end of a pipe.
const nonBlocking = syscall.O_NONBLOCK

// ReadOnly opens for reading, without waiting for the other end of a pipe.
const ReadOnly = os.O_RDONLY | nonBlocking

// OpenRegular opens a regular file for reading and returns its size. It refuses
// folders, devices and pipes.
func OpenRegular(path string) (*File, int64, error) {
	return Regular(OpenAny(path))
}

// ReadRegular reads a regular file, or fails with ErrTooLarge if it has more bytes than limit.
func ReadRegular(path string, limit int64) ([]byte, error) {
	file, _, err := OpenRegular(path)
	return read(file, err, limit)
}

// ReadIn is ReadRegular for a file of an opened folder, which links do not leave.
func ReadIn(dir *Dir, name string, limit int64) ([]byte, error) {
	file, _, err := OpenIn(dir, name)
	return read(file, err, limit)
}

// read reads a file that was opened, and closes it.
func read(file *File, err error, limit int64) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadLimited(file, limit)
}

// OpenWithin is OpenRegular for a path that an event or a list of the user's files names, which may be absolute: after
// resolving links the file has to be below one of the folders. It ignores folders that are not absolute or do not
// exist.
func OpenWithin(path Named, folders ...string) (*File, int64, error) {
	dir, rel, err := within(path.path, folders)
	if err != nil {
		return nil, 0, err
	}
	defer dir.Close()
	return OpenIn(dir, rel) // stays in the folder even if links change now
}

// FolderWithin is OpenWithin for the folder of a file.
func FolderWithin(path Named, folders ...string) (*Dir, error) {
	dir, rel, err := within(filepath.Dir(path.path), folders)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Enter(rel)
}

// within opens the one of the folders below which a path leads, and returns the way from there.
func within(path string, folders []string) (dir *Dir, rel string, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, "", err
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, "", err
	}
	for _, folder := range folders {
		if !filepath.IsAbs(folder) {
			continue
		}
		folder, err := filepath.EvalSymlinks(folder)
		if err != nil {
			continue
		}
		rel, err := filepath.Rel(folder, target)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		dir, err = openDir(folder)
		return dir, rel, err
	}
	return nil, "", fmt.Errorf("%s %w", path, ErrOutside)
}

// OpenIn is OpenRegular for a file of an opened folder, which links do not leave.
func OpenIn(dir *Dir, name string) (*File, int64, error) {
	return Regular(dir.OpenFile(name, ReadOnly, 0))
}

// Regular closes a file that was opened unless it is a regular one, of which it returns the
// size.
func Regular(file *File, err error) (*File, int64, error) {
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w, found %s", file.Name(), ErrNotFile, Kind(info.Mode()))
	}
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// ReadLimited reads a file to its end, or fails with ErrTooLarge. A file may be larger
// than its stat says, so ReadLimited counts while it reads.
func ReadLimited(file *File, limit int64) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, Reason(err)
	}
	if info.Size() > limit {
		return nil, TooLarge(info.Size(), limit)
	}
	var data bytes.Buffer
	data.Grow(int(info.Size()) + bytes.MinRead)
	size, err := data.ReadFrom(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, Reason(err)
	}
	if size > limit {
		return nil, TooLarge(size, limit)
	}
	return data.Bytes(), nil
}

// TooLarge is the error for a file over its limit, both in bytes.
func TooLarge(size, limit int64) error {
	return fmt.Errorf("%w: %.1f MiB, the limit is %d MiB", ErrTooLarge, float64(size)/(1<<20), limit>>20)
}

// Reason drops the path from a file error: the message around it names it.
func Reason(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	var linkErr *os.LinkError
	if errors.As(err, &linkErr) {
		return linkErr.Err
	}
	return err
}

// Kind words what stands in the place of a file.
func Kind(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a regular file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link (links are not followed)"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
