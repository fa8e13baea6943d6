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

// Refresh updates the rows of the given files and reports whether any changed. It
// leaves the other files of their folders to Sync.
func Refresh(ctx context.Context, d *db.DB, root memdir.Root, paths []string) (bool, error) {
	byFolder := map[string][]string{}
	for _, path := range slices.Sorted(slices.Values(paths)) {
		folder := path[:len(path)-len(baseName(path))-1]
		byFolder[folder] = append(byFolder[folder], path)
	}
	var updates []*update
	for name, paths := range byFolder {
		folder, err := root.OpenFolder(name)
		if err != nil {
			return false, err
		}
		if folder != nil {
			defer folder.Close()
		}
		u, err := compareSome(ctx, d, folder, paths)
		if err != nil {
			return false, err
		}
		updates = append(updates, u)
	}
	changed, err := apply(ctx, d, updates)
	return changed > 0, err
}

// compareSome compares files of a folder, which is nil if it does not exist.
func compareSome(ctx context.Context, d *db.DB, folder *memdir.Folder, paths []string) (*update, error) {
	var found []memdir.Stat
	for _, path := range paths {
		if folder == nil {
			break
		}
		stat, err := folder.Stat(baseName(path))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, stat)
	}
	indexed, err := d.StampsOf(ctx, paths)
	return &update{folder: folder, difference: compare(found, indexed)}, err
}
