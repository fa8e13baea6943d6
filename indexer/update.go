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
	state    *db.Folder // to record; nil if only some files were compared
	obstacle *db.Entry  // to record for a folder that cannot be read; nil otherwise
}

// newUpdate compares a scan with the folder's rows.
func newUpdate(s *scan, indexed []db.Stamp) *update {
	u := &update{folder: s.folder, state: &s.state, obstacle: s.obstacle}
	if u.obstacle != nil {
		i := slices.IndexFunc(indexed, func(stamp db.Stamp) bool { return stamp.Path == u.obstacle.Path })
		if i >= 0 { // recorded already
			u.obstacle, indexed = nil, slices.Delete(indexed, i, i+1)
		}
	}
	u.difference = compare(s.stats, indexed)
	return u
}

// needed reports whether there is anything to write: files, or a folder that can be
// skipped from now on.
func (u *update) needed(recorded map[string]db.Folder) bool {
	if u.size() > 0 || u.obstacle != nil {
		return true
	}
	known, ok := recorded[u.state.Folder]
	skipped := ok && u.state.MtimeNS == known.MtimeNS && settled(known)
	return !skipped && settled(*u.state)
}

// apply writes updates in one transaction. It reads the files first, so that it holds
// the write lock for the rows only.
func apply(ctx context.Context, d *db.DB, updates []*update) (int, error) {
	var writes []*write
	changed := 0
	for _, u := range updates {
		w, err := u.prepare(ctx, d)
		if err != nil {
			return 0, err
		}
		writes = append(writes, w)
		changed += len(w.remove) + len(w.put)
	}
	if len(writes) == 0 {
		return 0, nil
	}
	err := d.Update(ctx, func(tx *db.Tx) error {
		for _, w := range writes {
			if err := w.run(tx); err != nil {
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

// write is what one transaction does to the rows of a folder.
type write struct {
	remove []string   // paths
	put    []db.Entry // new and changed files
	touch  []db.File  // files that were read again and found the same
	state  *db.Folder // nil for none
}

// prepare reads the files that may differ.
func (u *update) prepare(ctx context.Context, d *db.DB) (*write, error) {
	w := &write{state: u.state, remove: u.removed}
	if u.obstacle != nil {
		w.put = []db.Entry{*u.obstacle}
		return w, nil
	}
	err := readAll(ctx, u.folder, slices.Concat(u.added, u.changed), func(e db.Entry) error {
		w.put = append(w.put, e)
		return nil
	})
	if err != nil || len(u.racy) == 0 {
		return w, err
	}
	return w, d.View(ctx, func(tx *db.Tx) error { return u.prepareRacy(tx, w) })
}

// prepareRacy compares the hashes of racy files.
func (u *update) prepareRacy(tx *db.Tx, w *write) error {
	for _, name := range u.racy {
		e, ok := readEntry(u.folder, name)
		if !ok {
			w.remove = append(w.remove, u.folder.Name+"/"+name)
			continue
		}
		hash, err := tx.SHA256Of(e.Path)
		if err != nil {
			return err
		}
		switch {
		case hash != e.SHA256:
			w.put = append(w.put, e)
		case memdir.Settled(e.MtimeNS, e.ReadNS):
			w.touch = append(w.touch, e.File)
		}
	}
	return nil
}

func (w *write) run(tx *db.Tx) error {
	for _, path := range w.remove {
		if err := tx.Remove(path); err != nil {
			return err
		}
	}
	if err := tx.Put(w.put...); err != nil {
		return err
	}
	for _, f := range w.touch {
		if err := tx.Touch(f); err != nil {
			return err
		}
	}
	if w.state == nil {
		return nil
	}
	return tx.PutFolder(*w.state)
}
