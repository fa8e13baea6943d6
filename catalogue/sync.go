package catalogue

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
)

const (
	// Each transaction writes a number of files. It is small for a Note, which may be cut
	// short, so that what it has done stays.
	smallBatch = 256
	largeBatch = 2000
	// readSlack is longer than a process takes from reading a file to indexing it: what
	// another one has read meanwhile is later.
	readSlack = 10 * time.Second
	// putBytes bounds the files, in bytes, that are in memory at once.
	putBytes = 4 << 20
)

// unwanted reports whether the user keeps a root out of the catalogue.
func (c *catalogue) unwanted(root memdir.Root) bool {
	return slices.ContainsFunc(names(root.Path), func(path string) bool {
		return slices.Contains(c.list.Never, path) || c.excluded(projectOf(path))
	})
}

// names are the paths that stand for a root: its own, and that of the same root in the
// main worktree.
func names(path string) []string {
	if main := repositoryOf(path).main(); main != "" && main != path {
		return []string{path, main}
	}
	return []string{path}
}

// excluded reports whether a folder, or one above it, matches a pattern of
// catalogue.exclude.
func (c *catalogue) excluded(folder string) bool {
	home, _ := os.UserHomeDir()
	for ; ; folder = filepath.Dir(folder) {
		for _, pattern := range c.user.Catalogue.Exclude {
			if rest, found := strings.CutPrefix(filepath.ToSlash(pattern), "~"); found && (rest == "" || rest[0] == '/') {
				pattern = filepath.Join(home, filepath.FromSlash(rest))
			}
			if matches, _ := filepath.Match(filepath.Clean(pattern), folder); matches {
				return true
			}
		}
		if filepath.Dir(folder) == folder {
			return false
		}
	}
}

// note brings a root up to date, given its own index.
func (c *catalogue) note(ctx context.Context, root memdir.Root, own *db.DB) error {
	if c.list.see(root.Path, time.Now()) {
		if err := c.list.write(c.folder); err != nil {
			return err
		}
	}
	if err := c.open(ctx, nil); err != nil {
		return err
	}
	row, err := c.row(ctx, root.Path)
	if err != nil {
		return err
	}
	noted := row.NotedNS
	row.NotedNS = time.Now().UnixNano()
	if row.Complete {
		done, err := c.syncRecent(ctx, row, root, own, noted)
		if err != nil || done {
			return err
		}
	}
	row.Complete = false
	indexed := func(after string) ([]db.FileState, error) { return own.FileStates(ctx, "", after, pageFiles) }
	return c.sync(ctx, row, root, pages(indexed), smallBatch)
}

// syncRecent brings those files up to date that the root's own index has read since the
// root was noted. It returns false if that is not enough: files were removed, or many read.
func (c *catalogue) syncRecent(ctx context.Context, row db.CatalogueRoot, root memdir.Root, own *db.DB, noted int64) (bool, error) {
	states, err := own.ReadSince(ctx, noted-int64(readSlack), pageFiles)
	if err != nil || len(states) == pageFiles {
		return false, err
	}
	paths := make([]string, len(states))
	for i, s := range states {
		paths[i] = s.Path
	}
	known, err := c.db.FileStatesOf(ctx, row.Prefix(), paths)
	if err != nil {
		return false, err
	}
	if err := c.write(ctx, row, root, compare(listed(states), listed(known)), smallBatch); err != nil {
		return false, err
	}
	indexed, err := own.CountPaths(ctx, "")
	if err != nil {
		return false, err
	}
	catalogued, err := c.db.CountPaths(ctx, row.Prefix())
	if err != nil || catalogued != indexed {
		return false, err
	}
	if len(states) == 0 {
		return true, nil // the next time starts where this one did
	}
	return true, c.put(ctx, row)
}

// row returns the row of the root at a path. It makes one if there is none, and moves that
// of another worktree.
func (c *catalogue) row(ctx context.Context, path string) (db.CatalogueRoot, error) {
	row := rowOf(path)
	rows, err := c.db.CatalogueRoots(ctx)
	if err != nil {
		return row, err
	}
	for _, known := range rows {
		switch {
		case known.Repository == row.Repository && known.Place == row.Place:
			row.ID, row.Complete, row.NotedNS = known.ID, known.Complete, known.NotedNS
			if known == row {
				return row, nil
			}
		case known.Path == path: // it was in another repository, or in none
			if err := c.remove(ctx, known); err != nil {
				return row, err
			}
		}
	}
	row.Complete = false
	err = c.db.Update(ctx, func(tx *db.Tx) (err error) {
		row.ID, err = tx.PutCatalogueRoot(row)
		return err
	})
	return row, err
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

// sync makes the root's rows equal to its files, given their states. It reads only the
// files whose state is another one than in the catalogue.
func (c *catalogue) sync(ctx context.Context, row db.CatalogueRoot, root memdir.Root, states fileStates, batch int) error {
	known := pages(func(after string) ([]db.FileState, error) {
		return c.db.FileStates(ctx, row.Prefix(), after, pageFiles)
	})
	if err := c.write(ctx, row, root, compare(states, known), batch); err != nil || row.Complete {
		return err
	}
	row.Complete = true
	return c.put(ctx, row)
}

// put writes the row of a root that is there.
func (c *catalogue) put(ctx context.Context, row db.CatalogueRoot) error {
	return c.db.Update(ctx, func(tx *db.Tx) error {
		_, err := tx.PutCatalogueRoot(row)
		return err
	})
}

// write writes what has changed of a root, in transactions of a number of files.
func (c *catalogue) write(ctx context.Context, row db.CatalogueRoot, root memdir.Root, all iter.Seq2[change, error], batch int) error {
	var changes []change
	flush := func() error {
		if len(changes) == 0 {
			return nil
		}
		err := c.db.Update(ctx, func(tx *db.Tx) error { return put(tx, row, root, changes) })
		changes = changes[:0]
		return err
	}
	for ch, err := range all {
		if err != nil {
			return err
		}
		if changes = append(changes, ch); len(changes) < batch {
			continue
		}
		if err := flush(); err != nil {
			return err
		}
	}
	return flush()
}

// put reads files and writes their rows, unless they are as the catalogue has them.
func put(tx *db.Tx, row db.CatalogueRoot, root memdir.Root, changes []change) error {
	var entries []db.Entry
	var size int64
	for _, ch := range changes {
		e, exists, err := indexer.Read(root, ch.path)
		if err != nil {
			return err
		}
		e.Path = row.Prefix() + ch.path
		switch {
		case !exists && ch.known:
			if err := tx.Remove(e.Path); err != nil {
				return err
			}
		case exists && (!ch.known || e.State() != ch.state):
			entries, size = append(entries, e), size+e.Size
		}
		if size > putBytes {
			if err := tx.Put(entries...); err != nil {
				return err
			}
			entries, size = nil, 0
		}
	}
	return tx.Put(entries...)
}

// leave takes a root out of the list and the database.
func (c *catalogue) leave(ctx context.Context, path string) error {
	if !c.list.drop(path) {
		return nil
	}
	if err := c.list.write(c.folder); err != nil {
		return err
	}
	return c.prune(ctx)
}

// prune removes the roots that are not listed, with every byte of theirs.
func (c *catalogue) prune(ctx context.Context) error {
	if err := c.open(ctx, nil); err != nil {
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

func (c *catalogue) remove(ctx context.Context, row db.CatalogueRoot) error {
	return c.db.Update(ctx, func(tx *db.Tx) error { return tx.RemoveCatalogueRoot(row) })
}

// complete makes the database hold the roots that are listed, and no other.
func (c *catalogue) complete(ctx context.Context, progress indexer.Progress) error {
	dropped := false
	for _, path := range c.list.latestFirst() {
		if c.excluded(projectOf(path)) {
			dropped = c.list.drop(path) || dropped
		}
	}
	if dropped {
		if err := c.list.write(c.folder); err != nil {
			return err
		}
	}
	fill := func() error { return c.fill(ctx, progress) }
	if err := c.open(ctx, fill); err != nil {
		return err
	}
	if err := c.prune(ctx); err != nil {
		return err
	}
	return fill()
}

// fill adds the roots that are listed and not yet, or only partly, in the database.
func (c *catalogue) fill(ctx context.Context, progress indexer.Progress) error {
	paths, err := c.missing(ctx)
	if err != nil {
		return err
	}
	for i, path := range paths {
		if progress != nil {
			progress(i, len(paths))
		}
		if err := c.add(ctx, path); err != nil {
			return err
		}
	}
	if progress != nil && len(paths) > 0 {
		progress(len(paths), len(paths))
	}
	return nil
}

// missing lists the roots to add: the listed ones of which the database has no complete
// row, the one seen last first.
func (c *catalogue) missing(ctx context.Context) ([]string, error) {
	rows, err := c.db.CatalogueRoots(ctx)
	if err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for _, row := range rows {
		done[row.Path] = row.Complete
	}
	return slices.DeleteFunc(c.list.latestFirst(), func(path string) bool { return done[path] }), nil
}

// add reads all files of a root, unless it is gone, opted out, or another worktree of a
// repository that is there already.
func (c *catalogue) add(ctx context.Context, path string) error {
	root, err := memdir.At(path)
	if err != nil || root.Path != path {
		return nil // it is gone, or a link has taken its place
	}
	cfg, _, err := root.Config()
	if err != nil {
		return nil // its session's start says what is wrong
	}
	if !cfg.Catalogue.Enabled || c.unwanted(root) {
		return c.leave(ctx, path)
	}
	same, err := c.worktree(ctx, path)
	if err != nil || same {
		return err
	}
	paths, err := root.MemoryPaths()
	if err != nil {
		return nil // likewise
	}
	row, err := c.row(ctx, path)
	if err != nil {
		return err
	}
	return c.sync(ctx, row, root, unread(paths), largeBatch)
}

// worktree reports whether the root at a path is there already, as that of another
// worktree.
func (c *catalogue) worktree(ctx context.Context, path string) (bool, error) {
	row := rowOf(path)
	rows, err := c.db.CatalogueRoots(ctx)
	return slices.ContainsFunc(rows, func(known db.CatalogueRoot) bool {
		return known.Repository == row.Repository && known.Place == row.Place && known.Complete && exists(known.Path)
	}), err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
