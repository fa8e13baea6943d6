// Package indexer keeps the index equal to the memory files: it lists the category
// folders, compares their files with the index, reads and decodes those that changed,
// and writes their rows, or it rebuilds everything. A file that is not a memory becomes
// a row with the reason. The package never writes a memory file.
package indexer

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"memctl/db"
	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
)

// Depth says how closely Use compares the files with the index.
type Depth int

const (
	// Quick compares only the folders whose mtime has changed, or every folder of a
	// small store. In a large store it may miss an edit in place: the next Full finds
	// it, and so does Stale when the memory is about to be shown. Quick leaves
	// observations out.
	Quick Depth = iota
	// Usual is Quick and takes in new observations.
	Usual
	// Full compares every file and takes in new observations.
	Full
)

// quickLimit is the number of files up to which Quick compares all of them.
const quickLimit = 300

// ErrUnreadable means that a folder of a root in the catalogue cannot be read.
var ErrUnreadable = errors.New("cannot read the memories")

// Sync brings the index up to date with the memory files and returns how many files
// it added, replaced or removed.
func Sync(ctx context.Context, d *db.DB, root files.Root, depth Depth) (int, error) {
	return syncFiles(ctx, d, root, "", depth)
}

// SyncPlace is Sync for an index of many roots, the catalogue, in which a prefix begins
// the paths of each root. It compares every file. What the catalogue has of a root with
// a folder that cannot be read stays.
func SyncPlace(ctx context.Context, d *db.DB, root files.Root, prefix string) error {
	_, err := syncFiles(ctx, d, root, prefix, Full)
	return err
}

func syncFiles(ctx context.Context, d *db.DB, root files.Root, prefix string, depth Depth) (int, error) {
	recorded, large, err := d.Folders(ctx, prefix, quickLimit)
	if err != nil {
		return 0, err
	}
	var noted, now listings
	if depth == Full && prefix == "" {
		if noted, now, err = readListings(ctx, d); err != nil {
			return 0, err
		}
	}
	var outdated []*folder
	for _, name := range schemas.Folders() {
		folder, ok := recorded[prefix+name]
		if ok && large && depth != Full && unchanged(root, folder) {
			continue
		}
		f := listFolder(root, prefix, name)
		defer f.close()
		if prefix != "" && f.state.Problem != "" {
			return 0, ErrUnreadable
		}
		if !now.add(f, noted) {
			if err := f.compareTo(ctx, d); err != nil {
				return 0, err
			}
		}
		if f.outdated(folder) {
			outdated = append(outdated, f)
		}
	}
	if len(outdated) == 0 {
		return 0, now.note(ctx, d, noted)
	}
	b := newBatch(ctx, d, root)
	b.trusts = prefix != ""
	for _, f := range outdated {
		if f.state.Problem != recorded[f.state.Folder].Problem {
			b.changed++
		}
		if err := b.addFolder(ctx, d, f); err != nil {
			return 0, err
		}
		b.folders = append(b.folders, f.state)
	}
	return b.changed, b.flush()
}

// outdated reports whether there is anything to write: files, a problem of the folder,
// or that it can be skipped from now on.
func (f *folder) outdated(recorded db.Folder) bool {
	skipped := f.state.MtimeNS == recorded.MtimeNS && settled(recorded)
	return f.changes() > 0 || len(f.racy) > 0 || f.state.Problem != recorded.Problem || !skipped && settled(f.state)
}

// unchanged reports whether no file of a folder was added, removed or renamed since
// memctl last compared them.
func unchanged(root files.Root, recorded db.Folder) bool {
	mtime := int64(0) // of a folder that does not exist
	info, err := gate.Lstat(root.Join(recorded.Folder))
	if err == nil {
		mtime = info.ModTime().UnixNano()
	}
	return (err == nil || errors.Is(err, fs.ErrNotExist)) && mtime == recorded.MtimeNS && settled(recorded)
}

// settled reports whether the next change of a folder is sure to change its mtime.
func settled(f db.Folder) bool { return files.Settled(f.MtimeNS, f.ListedNS) }

// Stale returns the paths among stamps whose file differs from the indexed one, or may
// differ.
func Stale(root files.Root, stamps []db.Stamp) []string {
	var paths []string
	for _, s := range stamps {
		info, err := gate.Lstat(root.Join(s.Path))
		if err != nil || info.Size() != s.Size || info.ModTime().UnixNano() != s.MtimeNS ||
			!files.Settled(s.MtimeNS, s.ReadNS) {
			paths = append(paths, s.Path)
		}
	}
	return paths
}

// Record updates the rows of files that the caller has just written, moved or
// removed. It leaves an index that is missing, damaged or of another version to the next
// reader, which rebuilds it.
//
// A process that ends now is not lasting: after success Record closes neither the index
// nor its lock, which the kernel does. To close the index would merge the write-ahead
// log, which waits for the disk several times, so Record merges only a long log.
func Record(ctx context.Context, root files.Root, paths []string, lasting bool) error {
	ix, err := openOnDisk(ctx, root)
	if err == nil {
		_, err = Refresh(ctx, ix.DB, root, paths)
		if err == nil && !lasting && !hasLongLog(root) {
			return nil
		}
		err = errors.Join(err, ix.Close())
	}
	if db.Rebuildable(err) {
		return nil
	}
	return err
}

// Refresh updates the rows of the given files and reports whether any changed. It
// leaves the other files of their folders to Sync.
func Refresh(ctx context.Context, d *db.DB, root files.Root, paths []string) (bool, error) {
	byFolder := map[string][]string{}
	for _, path := range slices.Sorted(slices.Values(paths)) {
		name := path[:len(path)-len(baseName(path))-1]
		byFolder[name] = append(byFolder[name], path)
	}
	b := newBatch(ctx, d, root)
	for name, paths := range byFolder {
		opened, err := root.OpenFolder(name)
		if err != nil {
			return false, err
		}
		f := &folder{Folder: opened, path: name + "/"}
		defer f.close()
		if err := f.compareSome(ctx, d, paths); err != nil {
			return false, err
		}
		if err := b.addFolder(ctx, d, f); err != nil {
			return false, err
		}
	}
	err := b.flush()
	return b.changed > 0, err
}

// compareSome compares some files of a folder with the index.
func (f *folder) compareSome(ctx context.Context, d *db.DB, paths []string) error {
	for _, path := range paths {
		if f.Folder == nil {
			break
		}
		stat, err := f.Stat(baseName(path))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		f.stats = append(f.stats, stat)
	}
	indexed, err := d.StampsOf(ctx, paths)
	f.difference = compare(f.stats, indexed)
	return err
}
