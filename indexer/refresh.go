package indexer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"memctl/db"
	"memctl/memdir"
)

// Stale returns the paths among stamps whose file differs from the indexed one, or may
// differ.
func Stale(root memdir.Root, stamps []db.Stamp) []string {
	var paths []string
	for _, s := range stamps {
		info, err := os.Lstat(root.Join(s.Path))
		if err != nil || info.Size() != s.Size || info.ModTime().UnixNano() != s.MtimeNS ||
			!memdir.Settled(s.MtimeNS, s.ReadNS) {
			paths = append(paths, s.Path)
		}
	}
	return paths
}

// Record updates the rows of files that the caller has just written, moved or
// removed. It leaves an index that is missing, damaged or of another version, and large
// changes, to the next reader, which rebuilds it.
//
// A process that ends now is not lasting: after success Record closes neither the index
// nor its lock, which the kernel does. To close the index would merge the write-ahead
// log, which waits for the disk several times, so Record merges only a long log.
func Record(ctx context.Context, root memdir.Root, paths []string, lasting bool) error {
	ix, err := openOnDisk(ctx, root)
	if err == nil {
		_, err = Refresh(ctx, ix.DB, root, paths)
		if err == nil && !lasting && !hasLongLog(root) {
			return nil
		}
		err = errors.Join(err, ix.Close())
	}
	if wantsRebuild(err) {
		return nil
	}
	return err
}

// Refresh updates the rows of the given files and reports whether any changed. It
// leaves the other files of their folders to Sync.
func Refresh(ctx context.Context, d *db.DB, root memdir.Root, paths []string) (bool, error) {
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
