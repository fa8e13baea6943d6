package indexer

import (
	"context"
	"slices"
	"strings"

	"memctl/db"
	"memctl/memdir"
)

// Discrepancy is a file on which the index and the disk disagree.
type Discrepancy struct {
	Path  string
	State string // "missing" from the index, "stale" if the file is gone, or "changed"
}

// Check compares the index with the files and changes neither. If the root has no
// index, the error is db.ErrMissing.
func Check(ctx context.Context, root memdir.Root) ([]Discrepancy, error) {
	lock, err := root.LockShared(ctx, useLock, lockTimeout)
	if err != nil && !readOnly(err) {
		return nil, err
	}
	if lock != nil {
		defer lock.Unlock()
	}
	d, err := db.Open(ctx, root.Join(memdir.IndexName))
	if readOnly(err) {
		d, err = db.OpenReadOnly(ctx, root.Join(memdir.IndexName))
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	scans := scanFolders(root, categoryFolders())
	defer closeScans(scans)
	var list []Discrepancy
	for _, s := range scans {
		found, err := checkFolder(ctx, d, s)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

func checkFolder(ctx context.Context, d *db.DB, s *scan) ([]Discrepancy, error) {
	indexed, err := d.Stamps(ctx, s.state.Folder)
	if err != nil {
		return nil, err
	}
	u := newUpdate(s, indexed)
	w, err := u.prepare(ctx, d)
	if err != nil {
		return nil, err
	}
	var list []Discrepancy
	for _, e := range w.put {
		state := "missing"
		if _, known := slices.BinarySearchFunc(indexed, e.Path, comparePath); known {
			state = "changed"
		}
		list = append(list, Discrepancy{e.Path, state})
	}
	for _, path := range u.removed {
		list = append(list, Discrepancy{path, "stale"})
	}
	return list, nil
}

func comparePath(s db.Stamp, path string) int { return strings.Compare(s.Path, path) }
