package indexer

import (
	"context"

	"memctl/db"
	"memctl/memdir"
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
	looks := lookAt(root, nil, true, nil)
	defer closeAll(looks)
	var list []Discrepancy
	for _, l := range looks {
		found, err := checkFolder(ctx, d, l)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

func checkFolder(ctx context.Context, d *db.DB, l *look) ([]Discrepancy, error) {
	u, err := compare(ctx, d, l)
	if err != nil {
		return nil, err
	}
	w, err := u.prepare(ctx, d)
	if err != nil {
		return nil, err
	}
	var list []Discrepancy
	err = d.View(ctx, func(tx *db.Tx) error {
		for _, e := range w.put {
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
	return list, err
}
