package catalogue

import (
	"context"
	"slices"

	"memctl/db"
)

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
func (c *catalogue) row(ctx context.Context, path string) (db.CatalogueRoot, error) {
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
func (c *catalogue) remove(ctx context.Context, row db.CatalogueRoot) error {
	return c.db.Update(ctx, func(tx *db.Tx) error { return tx.RemoveCatalogueRoot(row) })
}

// prune removes the roots that are not listed, with every byte of theirs.
func (c *catalogue) prune(ctx context.Context) error {
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
