package indexer

import (
	"context"

	"memctl/db"
	"memctl/memdir"
)

// apply reads the files first, so that the write lock is held for the rows only.
func apply(ctx context.Context, d *db.DB, updates []*update) (int, error) {
	var writes []*write
	for _, u := range updates {
		w, err := u.prepare(ctx, d)
		if err != nil {
			return 0, err
		}
		writes = append(writes, w)
	}
	if len(writes) == 0 {
		return 0, nil
	}
	changed := 0
	for _, w := range writes {
		changed += len(w.remove) + len(w.put)
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
		return 0, nil // the index is right, only that it was checked cannot be noted
	}
	return changed, err
}

// write is what one transaction does to the rows of a folder.
type write struct {
	remove []string   // paths whose rows go
	put    []db.Entry // rows that come
	touch  []db.File  // read again and found the same
	state  *db.Folder // nil where not the whole folder was looked at
}

func (u *update) prepare(ctx context.Context, d *db.DB) (*write, error) {
	w := &write{state: u.state, remove: u.removed}
	if u.obstacle != nil {
		w.put = []db.Entry{*u.obstacle}
		return w, nil
	}
	if len(u.read) > 0 {
		err := readAll(ctx, u.folder, u.read, func(e db.Entry) error {
			w.put = append(w.put, e)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return w, u.settleDoubts(ctx, d, w)
}

// settleDoubts reads the files whose stamp proves nothing and compares hashes.
func (u *update) settleDoubts(ctx context.Context, d *db.DB, w *write) error {
	if len(u.doubt) == 0 {
		return nil
	}
	return d.View(ctx, func(tx *db.Tx) error {
		for _, name := range u.doubt {
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
	})
}

func (w *write) run(tx *db.Tx) error {
	if err := tx.Remove(w.remove); err != nil {
		return err
	}
	for _, e := range w.put {
		if err := tx.Put(e); err != nil {
			return err
		}
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
