package indexer

import (
	"context"
	"slices"

	"memctl/db"
	"memctl/memdir"
)

// Discrepancy is a file on which the index and the disk disagree.
type Discrepancy struct {
	Path  string
	State string // "missing" from the index, "stale" if the file is gone, or "changed"
}

// Check compares the index with the files and changes neither. If the root has no
// index, the error is db.ErrMissing. Check fails too if so much differs that the next
// use rebuilds the index.
func Check(ctx context.Context, root memdir.Root) ([]Discrepancy, error) {
	ix, err := openOnDisk(ctx, root)
	if readOnly(err) {
		ix = &Index{}
		ix.DB, err = db.OpenReadOnly(ctx, root.Join(memdir.IndexName))
	}
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	recorded, _, err := ix.Folders(ctx, quickLimit)
	if err != nil {
		return nil, err
	}
	var list []Discrepancy
	for _, name := range categoryFolders() {
		found, err := checkFolder(ctx, ix.DB, root, name, recorded[name])
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

func checkFolder(ctx context.Context, d *db.DB, root memdir.Root, name string, recorded db.Folder) ([]Discrepancy, error) {
	s := scanFolder(root, name)
	defer s.close()
	u, err := newUpdate(ctx, d, s, recorded)
	if err != nil {
		return nil, err
	}
	if err := u.read(ctx, d, new(int64)); err != nil {
		return nil, err
	}
	var list []Discrepancy
	if u.newProblem {
		state := "missing"
		if s.state.Problem == "" {
			state = "stale"
		}
		list = append(list, Discrepancy{name, state})
	}
	for _, e := range u.put {
		state := "missing"
		if !slices.Contains(u.added, baseName(e.Path)) {
			state = "changed"
		}
		list = append(list, Discrepancy{e.Path, state})
	}
	for _, path := range u.removed {
		list = append(list, Discrepancy{path, "stale"})
	}
	return list, nil
}
