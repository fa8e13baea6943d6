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

// Stale returns the paths among stamps whose file is not the one indexed, or
// may not be.
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

// Refresh takes in what changed in the files named and tells whether anything
// did. What else changed in their folders is left to Sync.
func Refresh(ctx context.Context, d *db.DB, root memdir.Root, paths []string) (bool, error) {
	byFolder := map[string][]string{}
	for _, path := range slices.Sorted(slices.Values(paths)) {
		folder := path[:len(path)-len(baseName(path))-1]
		byFolder[folder] = append(byFolder[folder], path)
	}
	var updates []*update
	for folder, list := range byFolder {
		u, err := compareSome(ctx, d, root, folder, list)
		if err != nil {
			return false, err
		}
		defer u.close()
		updates = append(updates, u)
	}
	changed, err := apply(ctx, d, updates)
	return changed > 0, err
}

func compareSome(ctx context.Context, d *db.DB, root memdir.Root, folder string, paths []string) (*update, error) {
	s := &scan{}
	var err error
	if s.folder, err = root.OpenFolder(folder); err != nil {
		return nil, err
	}
	for _, path := range paths {
		if s.folder == nil {
			break
		}
		stat, err := s.folder.Stat(baseName(path))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err == nil {
			s.stats = append(s.stats, stat)
		}
	}
	indexed, err := d.StampsOf(ctx, paths)
	return &update{scan: s, difference: diff(s.stats, indexed)}, err
}
