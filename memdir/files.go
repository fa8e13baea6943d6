package memdir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"memctl/schemas"
)

// What stands where a folder or a file should be and is not followed or opened.
var (
	ErrNotFolder = errors.New("expected a folder")
	ErrNotFile   = errors.New("expected a regular file")
)

// Entry is one *.json entry of a category folder, of any kind.
type Entry struct {
	Name  string
	Inode uint64 // 0 where a listing does not tell it
}

// Stat is what the file system says of an entry.
type Stat struct {
	Entry
	Size    int64
	MtimeNS int64
	Mode    fs.FileMode
}

// Folder is an opened category folder. Names are resolved within it only: a
// symbolic link can lead nowhere else.
type Folder struct {
	Name    string
	MtimeNS int64  // of the folder itself, read before its files are
	Step    func() // called between the steps of a write, for tests; nil normally
	dir     *os.Root
	handle  *os.File // the same folder, for listing
}

// FolderMtime returns a category folder's mtime in nanoseconds, 0 where there
// is no such folder.
func (r Root) FolderMtime(name string) (int64, error) {
	info, err := os.Lstat(r.Join(name))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return info.ModTime().UnixNano(), nil
}

// OpenFolder opens a category folder; nil where there is none. A folder that is
// a link or no folder is an error: it is not followed.
func (r Root) OpenFolder(name string) (*Folder, error) {
	info, err := os.Lstat(r.Join(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%w, found %s", ErrNotFolder, kind(info.Mode()))
	}
	f, err := FolderAt(r.Join(name))
	if err != nil {
		return nil, err
	}
	f.Name, f.MtimeNS = name, info.ModTime().UnixNano()
	return f, nil
}

// FolderAt opens any folder, for writing files there as memories are written,
// which takes a lock of its own: see LockBeside.
func FolderAt(path string) (*Folder, error) {
	dir, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	handle, err := dir.Open(".")
	if err != nil {
		dir.Close()
		return nil, err
	}
	return &Folder{dir: dir, handle: handle}, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return errors.Join(f.handle.Close(), f.dir.Close()) }

// List returns the *.json entries of the folder, in no order.
func (f *Folder) List() ([]Entry, error) {
	var entries []Entry
	err := f.list(func(name string, inode uint64) {
		if strings.HasSuffix(name, ".json") {
			entries = append(entries, Entry{name, inode})
		}
	})
	return entries, err
}

// Names returns the names of entries, sorted.
func Names(entries []Entry) []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name
	}
	slices.Sort(names)
	return names
}

// Stat looks at one entry without following links.
func (f *Folder) Stat(name string) (Stat, error) {
	info, err := f.dir.Lstat(name)
	if err != nil {
		return Stat{}, err
	}
	return Stat{Entry{name, inodeOf(info)}, info.Size(), info.ModTime().UnixNano(), info.Mode()}, nil
}

// Read returns a file's bytes and its stat as of before they were read, so that
// a change in between shows up at the next comparison. It refuses what is no
// regular file and what is too large for a memory, and says so.
func (f *Folder) Read(name string) ([]byte, Stat, error) {
	s, err := f.Stat(name)
	if err != nil {
		return nil, s, err
	}
	if !s.Mode.IsRegular() {
		return nil, s, fmt.Errorf("%w, found %s", ErrNotFile, kind(s.Mode))
	}
	if s.Size > schemas.MaxFileBytes {
		return nil, s, tooLarge(s.Size)
	}
	// Non-blocking, in case the file has just been replaced by a pipe.
	file, err := f.dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, s, plainReason(err)
	}
	defer file.Close()
	data := make([]byte, 0, s.Size+1)
	data, err = appendAll(data, file, schemas.MaxFileBytes)
	return data, s, err
}

// appendAll reads to the end, at most limit bytes.
func appendAll(data []byte, from io.Reader, limit int) ([]byte, error) {
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := from.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if len(data) > limit {
			return nil, tooLarge(int64(len(data)))
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, plainReason(err)
		}
	}
}

func readLimited(path string, limit int) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w, found %s", ErrNotFile, kind(info.Mode()))
	}
	file, err := openUnpolled(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return appendAll(make([]byte, 0, info.Size()+1), file, limit)
}

func tooLarge(size int64) error {
	return fmt.Errorf("too large: %.1f MiB, a memory file holds at most %d MiB",
		float64(size)/(1<<20), schemas.MaxFileBytes>>20)
}

// plainReason drops the path from a file error: the row it goes to names it.
func plainReason(err error) error {
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

func kind(mode fs.FileMode) string {
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

// Settled tells whether an mtime can be trusted to change with the next write:
// a write so soon after another may fall into the same tick of the file
// system's clock (git's "racily clean" entries). Some file systems count whole
// or even seconds only.
func Settled(mtimeNS, lookedNS int64) bool {
	tick := 100 * time.Millisecond
	if mtimeNS%int64(time.Second) == 0 {
		tick = 2 * time.Second
	}
	return mtimeNS+int64(tick) < lookedNS
}
