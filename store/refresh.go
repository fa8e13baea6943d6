package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/gate"
	"memctl/indexer"
	"memctl/schemas"
)

// refresh makes the rows of a root equal to its files.
func (c *Catalogue) refresh(ctx context.Context, root files.Root) error {
	if err := c.open(ctx); err != nil {
		return err
	}
	state := stateOf(root) // of before the files are read: what changes meanwhile is read again
	row, err := c.row(ctx, root.Path)
	if err != nil {
		return err
	}
	cfg, _, err := root.Config()
	if err != nil {
		cfg = schemas.DefaultConfig()
	}
	if _, err := takeHistory(ctx, c.db, root, row.Prefix(), cfg.Git.History, historyLimit); err != nil {
		state = "" // the files count for now, and the next search asks git again
	}
	if err := indexer.SyncPlace(ctx, c.db, root, row.Prefix()); err != nil || row.State == state {
		return err
	}
	row.State = state
	return c.db.Update(ctx, func(tx *db.Tx) error {
		_, err := tx.PutCatalogueRoot(row)
		return err
	})
}

// stateOf describes what changes with the files of a root: the times of its folders, and of
// its index, into which memctl takes what was edited in place. It is "" if the next change
// may leave it the same.
func stateOf(root files.Root) string {
	names := append([]string{files.ConfigName, files.IndexName, files.IndexName + "-wal"}, schemas.Folders()...)
	now := time.Now().UnixNano()
	var state strings.Builder
	for _, name := range names {
		info, err := gate.Lstat(root.Join(name))
		if err != nil || info.Size() == 0 && info.Mode().IsRegular() { // an empty log is none
			state.WriteString("- ")
			continue
		}
		mtime := info.ModTime().UnixNano()
		if !files.Settled(mtime, now) {
			return ""
		}
		fmt.Fprintf(&state, "%d:%d ", mtime, info.Size())
	}
	return state.String()
}

// complete makes the database hold the roots that are listed, as they are now, and no other.
// It compares every file of Own.
func (c *Catalogue) complete(ctx context.Context) error {
	if err := c.dropExcluded(); err != nil {
		return err
	}
	if err := c.prune(ctx); err != nil {
		return err
	}
	changed, err := c.changed(ctx)
	if err != nil {
		return err
	}
	progress := c.Progress
	if progress == nil || len(changed) == 0 {
		progress = func(int, int) {}
	}
	for i, path := range changed {
		progress(i, len(changed))
		if err := c.add(ctx, path); err != nil {
			return err
		}
	}
	progress(len(changed), len(changed))
	return c.dropMoved(ctx)
}

// dropMoved removes the roots whose folder is gone and which another folder holds now: one that has at
// least half of its files, at the same places and with the same bytes.
func (c *Catalogue) dropMoved(ctx context.Context) error {
	rows, err := c.db.CatalogueRoots(ctx)
	if err != nil {
		return err
	}
	dropped := false
	for _, row := range rows {
		if exists(row.Path) {
			continue
		}
		shared, all, err := c.db.SharedFiles(ctx, row)
		if err != nil {
			return err
		}
		for _, other := range rows {
			if 2*shared[other.ID] < all || shared[other.ID] == 0 || !exists(other.Path) {
				continue
			}
			if dropped = c.list.drop(row.Path) || dropped; c.Moved != nil {
				c.Moved(projectOf(row.Path), projectOf(other.Path))
			}
			break
		}
	}
	if !dropped {
		return nil
	}
	if err := c.list.write(c.folder); err != nil {
		return err
	}
	return c.prune(ctx)
}

// dropExcluded removes from the list what catalogue.exclude names.
func (c *Catalogue) dropExcluded() error {
	dropped := false
	for _, path := range c.list.latestFirst() {
		if c.excluded(projectOf(path)) {
			dropped = c.list.drop(path) || dropped
		}
	}
	if !dropped {
		return nil
	}
	return c.list.write(c.folder)
}

// changed lists Own and the roots that may not be as the database has them. Of the worktrees
// of a repository it takes Own, or the one that was used last.
func (c *Catalogue) changed(ctx context.Context) (paths []string, err error) {
	rows, err := c.db.CatalogueRoots(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]db.CatalogueRoot{}
	for _, row := range rows {
		known[row.Path] = row
	}
	type place struct{ repository, place string }
	taken := map[place]bool{}
	own, listed := c.Own.Path, c.list.latestFirst()
	if i := slices.Index(listed, own); i >= 0 {
		listed = slices.Insert(slices.Delete(listed, i, i+1), 0, own)
	}
	for _, path := range listed {
		if !exists(path) {
			continue // its rows stay
		}
		row := known[path]
		state := stateOf(files.Root{Path: path})
		changed := path == own || state == "" || state != row.State
		if changed {
			row = rowOf(path)
		}
		at := place{row.Repository, row.Place}
		if changed && !taken[at] {
			paths = append(paths, path)
		}
		taken[at] = true
	}
	return paths, nil
}

// add brings the root at a path up to date. What is no root any more, or cannot be read,
// stays as the database has it: the next session there says what is wrong.
func (c *Catalogue) add(ctx context.Context, path string) error {
	root, err := files.At(path)
	if err != nil || root.Path != path { // or a link has taken its place
		return nil
	}
	cfg, _, err := root.Config()
	if err != nil {
		return nil
	}
	if !cfg.Catalogue.Enabled || c.unwanted(path) {
		return c.leave(ctx, path)
	}
	if err := c.refresh(ctx, root); !errors.Is(err, indexer.ErrUnreadable) {
		return err
	}
	return nil
}

func exists(path string) bool {
	_, err := gate.Stat(path)
	return err == nil
}

// rowOf describes the root at a path. Without a repository its place is its path.
func rowOf(path string) db.CatalogueRoot {
	r := repositoryOf(path)
	row := db.CatalogueRoot{Path: path, Repository: r.common, Place: r.place, Remote: r.remote}
	if r.common == "" {
		row.Place = path
	}
	return row
}

// row returns the row of the root at a path. It makes one if there is none, and takes over
// that of another worktree.
func (c *Catalogue) row(ctx context.Context, path string) (db.CatalogueRoot, error) {
	row, own := rowOf(path), names(path)
	rows, err := c.db.CatalogueRoots(ctx)
	if err != nil {
		return row, err
	}
	for _, known := range rows {
		switch {
		case known.Repository == row.Repository && known.Place == row.Place:
			row.ID, row.State = known.ID, known.State
			if known == row {
				return row, nil
			}
		case slices.Contains(own, known.Path): // it was in another repository, or in none
			if err := c.remove(ctx, known); err != nil {
				return row, err
			}
		}
	}
	row.State = ""
	err = c.db.Update(ctx, func(tx *db.Tx) error {
		if row.ID, err = tx.PutCatalogueRoot(row); err != nil {
			return err
		}
		return tx.DistrustFiles(row)
	})
	return row, err
}

// remove removes a root with its files.
func (c *Catalogue) remove(ctx context.Context, row db.CatalogueRoot) error {
	return c.db.Update(ctx, func(tx *db.Tx) error { return tx.RemoveCatalogueRoot(row) })
}

// prune removes the roots that are not listed, with every byte of theirs.
func (c *Catalogue) prune(ctx context.Context) error {
	if err := c.open(ctx); err != nil {
		return err
	}
	rows, err := c.db.CatalogueRoots(ctx)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(row db.CatalogueRoot) bool { return c.list.has(row.Path) })
	for _, row := range rows {
		if err := c.remove(ctx, row); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return c.db.TidyUp(ctx)
}
