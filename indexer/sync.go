package indexer

import (
	"context"
	"errors"
	"slices"

	"memctl/db"
	"memctl/memdir"
)

// Depth says how closely Sync looks.
type Depth int

const (
	// Quick trusts a folder whose mtime is as recorded, unless the store is so
	// small that looking at every file costs nothing one could notice. An edit
	// in place that Quick misses is caught when its memory is about to be shown,
	// and at the next Full.
	Quick Depth = iota
	// Full looks at every file's size and mtime.
	Full
)

const (
	// quickLimit is the number of files up to which Quick looks at each of them.
	quickLimit = 300
	// syncLimit is the number of changed files above which a rebuild is cheaper.
	syncLimit = 5000
)

// errTooMany says that Sync would take longer than a rebuild.
var errTooMany = errors.New("too many changes")

// Sync brings the index up to date with the files, in one transaction, and
// tells how many files it took in or dropped.
//
// early are scans that are under way already.
func Sync(ctx context.Context, d *db.DB, root memdir.Root, depth Depth, early []*look) (int, error) {
	recorded, few, err := d.Folders(ctx, quickLimit)
	if err != nil {
		closeAll(early)
		return 0, err
	}
	looks := lookAt(root, recorded, depth == Full || few, early)
	defer closeAll(looks)
	compareAs := compareQuickly
	if depth == Full {
		compareAs = compare // row by row: what the fingerprints say is checked too
	}
	var updates []*update
	changed := 0
	for _, l := range looks {
		u, err := compareAs(ctx, d, l)
		if err != nil {
			return 0, err
		}
		if u.needed(recorded) {
			updates = append(updates, u)
		}
		changed += u.size()
	}
	if changed > syncLimit {
		return 0, errTooMany
	}
	n, err := apply(ctx, d, updates)
	if n > 0 && depth == Full && err == nil {
		err = d.Update(ctx, (*db.Tx).MergeFullText)
	}
	return n, err
}

// trusted tells whether no file of a folder can have come, gone or been
// replaced since its files were compared.
func trusted(root memdir.Root, known db.Folder) bool {
	mtime, err := root.FolderMtime(known.Folder)
	return err == nil && mtime == known.MtimeNS && memdir.Settled(mtime, known.ListedNS)
}

// update is what brings one folder's rows up to date.
type update struct {
	*scan
	difference
}

// manyUnknown is the number of files above which asking for each costs more than
// asking for all.
const manyUnknown = 50

// compareQuickly is compare for the usual case: few files differ and none is gone.
// The fingerprints tell which files are as indexed; where the rest does not add
// up to what is indexed, compare does it.
func compareQuickly(ctx context.Context, d *db.DB, l *look) (*update, error) {
	known, err := d.Fingerprints(ctx, l.folder)
	if err != nil {
		return nil, err
	}
	s := l.wait()
	var unknown []memdir.Stat
	for _, stat := range s.stats {
		if !known.Has(db.Fingerprint(stat.Path, stat.Size, stat.MtimeNS)) {
			unknown = append(unknown, stat)
		}
	}
	if len(unknown) > manyUnknown || s.obstacle != nil {
		return compare(ctx, d, l)
	}
	paths := make([]string, len(unknown))
	for i, stat := range unknown {
		paths[i] = stat.Path
	}
	indexed, err := d.StampsOf(ctx, paths)
	if err != nil {
		return nil, err
	}
	if len(s.stats)-len(unknown)+len(indexed) != len(known) {
		return compare(ctx, d, l)
	}
	return &update{scan: s, difference: diff(unknown, indexed)}, nil
}

// compare sets what a scan finds against what is indexed.
func compare(ctx context.Context, d *db.DB, l *look) (*update, error) {
	indexed, err := d.Stamps(ctx, l.folder)
	if err != nil {
		return nil, err
	}
	u := &update{scan: l.wait()}
	if u.obstacle != nil {
		// A folder that cannot be read is recorded once, as if it were a file.
		i := slices.IndexFunc(indexed, func(s db.Stamp) bool { return s.Path == l.folder })
		if i >= 0 {
			u.obstacle, indexed = nil, slices.Delete(indexed, i, i+1)
		}
	}
	u.difference = diff(u.stats, indexed)
	return u, nil
}

func (u *update) size() int { return len(u.read) + len(u.doubt) + len(u.removed) }

// needed tells whether there is anything to write: files, or a folder's state
// that can be trusted from now on.
func (u *update) needed(recorded map[string]db.Folder) bool {
	known, ok := recorded[u.state.Folder]
	if u.size() > 0 || u.obstacle != nil || !ok {
		return true
	}
	return u.state.MtimeNS != known.MtimeNS ||
		!memdir.Settled(known.MtimeNS, known.ListedNS) && memdir.Settled(u.state.MtimeNS, u.state.ListedNS)
}

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
	err := d.Update(ctx, func(tx *db.Tx) error {
		for _, w := range writes {
			if err := w.run(tx); err != nil {
				return err
			}
			changed += len(w.remove) + len(w.put)
		}
		return nil
	})
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
