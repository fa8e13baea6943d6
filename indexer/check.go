package indexer

import (
	"context"
	"errors"

	"memctl/db"
	"memctl/memdir"
	"memctl/schemas"
)

// Discrepancy is a file on which the index and the disk do not agree.
type Discrepancy struct {
	Path  string
	State string // missing from the index, stale (the file is gone), or changed
}

// Check compares the index with the files and changes neither. A root without
// an index has nothing to compare: db.ErrMissing.
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
	var list []Discrepancy
	for _, info := range schemas.Categories {
		found, err := checkFolder(ctx, d, root, info.Folder)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

func checkFolder(ctx context.Context, d *db.DB, root memdir.Root, folder string) ([]Discrepancy, error) {
	u, err := compare(ctx, d, root, folder)
	if err != nil {
		return nil, err
	}
	defer u.close()
	w, err := u.prepare(ctx, d)
	if err != nil {
		return nil, err
	}
	var list []Discrepancy
	err = d.View(ctx, func(tx *db.Tx) error {
		for _, e := range w.add {
			_, known, err := tx.StampOf(e.Path)
			if err != nil {
				return err
			}
			list = append(list, Discrepancy{e.Path, map[bool]string{true: "changed", false: "missing"}[known]})
		}
		return nil
	})
	for _, path := range u.removed {
		list = append(list, Discrepancy{path, "stale"})
	}
	return list, errors.Join(err)
}
