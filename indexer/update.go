package indexer

import (
	"context"
	"slices"

	"memctl/db"
	"memctl/memdir"
)

// update is what brings one folder's rows up to date.
type update struct {
	folder *memdir.Folder
	difference
	put   []db.Entry // new and changed files
	touch []db.File  // files that were read again and found the same
	state *db.Folder // to record; nil if only some files were compared
	// newProblem is set if the folder cannot be read any more, or can be read again.
	newProblem bool
}

// newUpdate compares a scan with the folder's rows.
func newUpdate(ctx context.Context, d *db.DB, s *scan, recorded db.Folder) (*update, error) {
	found, err := compareFolder(ctx, d, s)
	return &update{
		folder:     s.folder,
		difference: found,
		state:      &s.state,
		newProblem: s.state.Problem != recorded.Problem,
	}, err
}

// needed reports whether there is anything to write: files, a problem of the folder, or
// that it can be skipped from now on.
func (u *update) needed(recorded db.Folder) bool {
	skipped := u.state.MtimeNS == recorded.MtimeNS && settled(recorded)
	return u.changes() > 0 || len(u.racy) > 0 || u.newProblem || !skipped && settled(*u.state)
}

// apply writes updates in one transaction. It reads the files first, so that it holds
// the write lock for the rows only, and fails with errTooMany if they are large.
func apply(ctx context.Context, d *db.DB, updates []*update) (int, error) {
	if len(updates) == 0 {
		return 0, nil
	}
	changed, held := 0, int64(0)
	for _, u := range updates {
		if err := u.read(ctx, d, &held); err != nil {
			return 0, err
		}
		changed += len(u.removed) + len(u.put)
		if u.newProblem {
			changed++
		}
	}
	err := d.Update(ctx, func(tx *db.Tx) error {
		for _, u := range updates {
			if err := u.write(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if changed == 0 && db.Unwritable(err) {
		return 0, nil // the rows are right; only the check could not be recorded
	}
	return changed, err
}

// read reads the files that may differ. held counts the bytes of memories in memory.
func (u *update) read(ctx context.Context, d *db.DB, held *int64) error {
	put := func(e db.Entry) error {
		if e.Memory != nil {
			*held += e.Size
		}
		if *held > syncBytes {
			return errTooMany
		}
		u.put = append(u.put, e)
		return nil
	}
	err := readAll(ctx, u.folder, slices.Concat(u.added, u.changed), put)
	if err != nil {
		return err
	}
	for _, name := range u.racy {
		e, ok := Read(u.folder, name)
		if !ok {
			u.removed = append(u.removed, u.folder.Name+"/"+name)
			continue
		}
		hash, err := d.SHA256Of(ctx, e.Path)
		switch {
		case err != nil:
			return err
		case hash != e.SHA256:
			if err := put(e); err != nil {
				return err
			}
		case memdir.Settled(e.MtimeNS, e.ReadNS):
			u.touch = append(u.touch, e.File)
		}
	}
	return nil
}

func (u *update) write(tx *db.Tx) error {
	for _, path := range u.removed {
		if err := tx.Remove(path); err != nil {
			return err
		}
	}
	if err := tx.Put(u.put...); err != nil {
		return err
	}
	for _, f := range u.touch {
		if err := tx.Touch(f); err != nil {
			return err
		}
	}
	if u.state == nil {
		return nil
	}
	return tx.PutFolder(*u.state)
}
