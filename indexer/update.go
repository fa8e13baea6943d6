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
func newUpdate(s *scan, recorded db.Folder, indexed []db.Stamp) *update {
	return &update{
		folder:     s.folder,
		difference: compare(s.stats, indexed),
		state:      &s.state,
		newProblem: s.state.Problem != recorded.Problem,
	}
}

// needed reports whether there is anything to write: files, a problem of the folder, or
// that it can be skipped from now on.
func (u *update) needed(recorded db.Folder) bool {
	skipped := u.state.MtimeNS == recorded.MtimeNS && settled(recorded)
	return u.size() > 0 || u.newProblem || !skipped && settled(*u.state)
}

// apply writes updates in one transaction. It reads the files first, so that it holds
// the write lock for the rows only.
func apply(ctx context.Context, d *db.DB, updates []*update) (int, error) {
	if len(updates) == 0 {
		return 0, nil
	}
	changed := 0
	for _, u := range updates {
		if err := u.read(ctx, d); err != nil {
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

// read reads the files that may differ.
func (u *update) read(ctx context.Context, d *db.DB) error {
	err := readAll(ctx, u.folder, slices.Concat(u.added, u.changed), func(e db.Entry) error {
		u.put = append(u.put, e)
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range u.racy {
		e, ok := readEntry(u.folder, name)
		if !ok {
			u.removed = append(u.removed, u.folder.Name+"/"+name)
			continue
		}
		hash, err := d.SHA256Of(ctx, e.Path)
		switch {
		case err != nil:
			return err
		case hash != e.SHA256:
			u.put = append(u.put, e)
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
