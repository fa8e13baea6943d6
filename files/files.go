package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
)

// What memctl refuses in place of a folder or a file.
var (
	ErrNotFolder = gate.ErrNotFolder
	ErrNotFile   = gate.ErrNotFile
	ErrTooLarge  = gate.ErrTooLarge
)

// Stat describes an entry of a category folder, as the file system does.
type Stat struct {
	Name    string
	Size    int64
	MtimeNS int64
	Mode    fs.FileMode
}

func newStat(info fs.FileInfo) Stat {
	return Stat{info.Name(), info.Size(), info.ModTime().UnixNano(), info.Mode()}
}

// Folder is an opened category folder. Names are resolved within it only: a
// symbolic link can lead nowhere else.
type Folder struct {
	Name    string
	MtimeNS int64  // of the folder itself, read before its files are
	Step    func() // called between the steps of a write, for tests; nil normally
	dir     *gate.Dir
	handle  *gate.File          // the same folder, for listing and syncing
	keys    map[string][]string // the names of the files by NameKey; nil until checkTwin
}

// OpenFolder opens a category folder, nil if it does not exist. It does not follow
// links: a link or a file in the folder's place is an error.
func (r Root) OpenFolder(name string) (*Folder, error) {
	dir, mtime, err := r.enter(name)
	if dir == nil || err != nil {
		return nil, err
	}
	f, err := FolderIn(dir)
	if err == nil {
		f.Name, f.MtimeNS = name, mtime
	}
	return f, err
}

// enter opens a folder of the root, nil if it does not exist, and returns its mtime from before.
func (r Root) enter(name string) (dir *gate.Dir, mtimeNS int64, err error) {
	info, err := gate.Lstat(r.Join(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	case !info.IsDir():
		return nil, 0, fmt.Errorf("%w, found %s", ErrNotFolder, gate.Kind(info.Mode()))
	}
	dir, err = gate.Enter(r.Join(name))
	return dir, info.ModTime().UnixNano(), err
}

// FolderAt opens a folder outside a memory root, to write files there the way
// memories are written. LockFolder locks such a folder.
func FolderAt(path string) (*Folder, error) {
	dir, err := gate.Enter(path)
	if err != nil {
		return nil, err
	}
	return FolderIn(dir)
}

// FolderIn is FolderAt for an opened folder, which Close closes.
func FolderIn(dir *gate.Dir) (*Folder, error) {
	handle, err := dir.Open(".")
	if err != nil {
		dir.Close()
		return nil, err
	}
	return &Folder{dir: dir, handle: handle}, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return errors.Join(f.handle.Close(), f.dir.Close()) }

// names returns the names of all entries of the folder, sorted.
func (f *Folder) names() ([]string, error) {
	if _, err := f.handle.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	names, err := f.handle.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// List returns the names of the *.json entries of the folder, sorted.
func (f *Folder) List() ([]string, error) {
	names, err := f.names()
	return slices.DeleteFunc(names, func(name string) bool { return !isMemoryFile(name) }), err
}

// PartSize is the number of entries that NextStats reads. A larger folder comes in
// parts, because its entries may not fit in a hook's memory.
const PartSize = 4096

// NextStats returns what the file system says of the next *.json entries of the folder,
// sorted by name, and whether more may follow. It follows no links.
func (f *Folder) NextStats() (stats []Stat, more bool, err error) {
	more = true
	for left := PartSize; left > 0 && more; {
		infos, err := f.handle.Readdir(left)
		if err != nil && err != io.EOF {
			return nil, false, err
		}
		left -= len(infos)
		more = err == nil
		for _, info := range infos {
			if isMemoryFile(info.Name()) {
				stats = append(stats, newStat(info))
			}
		}
	}
	slices.SortFunc(stats, func(a, b Stat) int { return strings.Compare(a.Name, b.Name) })
	return stats, more, nil
}

// MemoryPaths lists the files of the category folders, broken ones too, by their paths
// below the root.
func (r Root) MemoryPaths() ([]string, error) {
	var paths []string
	for _, info := range schemas.Categories {
		folder, err := r.OpenFolder(info.Folder)
		if err != nil {
			return nil, err
		}
		if folder == nil {
			continue
		}
		names, err := folder.List()
		folder.Close()
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			paths = append(paths, info.Folder+"/"+name)
		}
	}
	return paths, nil
}

func isMemoryFile(name string) bool { return strings.HasSuffix(name, ".json") }

// Stat describes one entry without following links.
func (f *Folder) Stat(name string) (Stat, error) {
	info, err := f.dir.Lstat(name)
	if err != nil {
		return Stat{}, err
	}
	return newStat(info), nil
}

// Read returns a file's bytes and its stat from before they were read, so that
// the next comparison notices a change in between. It refuses anything but a
// regular file, and a file that is too large for a memory.
func (f *Folder) Read(name string) ([]byte, Stat, error) {
	return f.ReadUpTo(name, schemas.MaxFileBytes)
}

// ReadUpTo is Read for files of another size.
func (f *Folder) ReadUpTo(name string, limit int64) ([]byte, Stat, error) {
	s, err := f.Stat(name)
	if err != nil {
		return nil, s, err
	}
	if !s.Mode.IsRegular() {
		return nil, s, fmt.Errorf("%w, found %s", ErrNotFile, gate.Kind(s.Mode))
	}
	// Non-blocking, in case the file has just been replaced by a pipe.
	file, err := f.dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, s, gate.Reason(err)
	}
	defer file.Close()
	data, err := gate.ReadLimited(file, limit)
	return data, s, err
}

// Settled reports whether the next write of a file is sure to change its mtime: a
// write so soon after another may fall into the same tick of the file system's
// clock (git's "racily clean" entries). Some file systems count whole or even
// seconds only.
func Settled(mtimeNS, seenNS int64) bool {
	tick := 100 * time.Millisecond
	if mtimeNS%int64(time.Second) == 0 {
		tick = 2 * time.Second
	}
	return mtimeNS+int64(tick) < seenNS
}

// ConflictSuffix ends the name of the file that a merge writes next to ID.json if both
// sides changed the same value: ID.conflict. It is not a memory, and git ignores it.
const ConflictSuffix = ".conflict"

// Conflicts returns the ids of the *.conflict files of the folder, sorted.
func (f *Folder) Conflicts() ([]string, error) {
	var ids []string
	names, err := f.names()
	for _, name := range names {
		if id, ok := strings.CutSuffix(name, ConflictSuffix); ok && id != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, err
}

// ConflictsOf returns the fields in conflict of a memory, given with its file: by git's markers in the file, or by the
// record beside it.
func (r Root) ConflictsOf(at string, data []byte) []schemas.Conflict {
	if schemas.ConflictLine(data) > 0 {
		return schemas.MarkedConflicts(data)
	}
	data, err := r.ReadFile(strings.TrimSuffix(at, ".json") + ConflictSuffix)
	if err != nil {
		return nil
	}
	record, _ := schemas.DecodeConflictRecord(data) // doctor names one that cannot be read
	return record.Conflicts[:min(len(record.Conflicts), maxConflicts)]
}

// maxConflicts is more fields than a memory has. Strangers write records, too.
const maxConflicts = 50

// ResolveCommand returns the command that ends the conflict of a memory.
func (r Root) ResolveCommand(at string) string {
	words := "memctl resolve " + text.ShellWord(strings.TrimSuffix(path.Base(at), ".json"))
	if r.Scope == UserScope {
		words += " --user"
	}
	return words
}

// InConflict returns the paths of the memories beside which a merge left a record.
func (r Root) InConflict() (paths []string) {
	for _, name := range schemas.Folders() {
		folder, err := r.OpenFolder(name)
		if folder == nil || err != nil {
			continue
		}
		ids, _ := folder.Conflicts() // doctor says why a folder cannot be read
		folder.Close()
		for _, id := range ids {
			paths = append(paths, name+"/"+id+".json")
		}
	}
	return paths
}

// RemoveIfThere is Remove for a file that may not exist.
func (f *Folder) RemoveIfThere(name string) error {
	if err := f.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	return nil
}
