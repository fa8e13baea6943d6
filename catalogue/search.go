package catalogue

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
)

// Reader reads the catalogue. It brings it up to date first: of the root that the user works
// in it compares every file, of the others those of roots that have changed.
type Reader struct {
	Own      memdir.Root      // the root that the user works in; empty if there is none
	Progress indexer.Progress // may be nil
}

// Search ranks the memories of all roots for a query. Their paths are absolute.
func (r Reader) Search(ctx context.Context, q retrieve.Query) (found []retrieve.IndexEntry, err error) {
	err = r.read(ctx, func(c *catalogue) error {
		found = []retrieve.IndexEntry{}
		results, err := retrieve.Rank(ctx, c.db, q)
		if err != nil || len(results) == 0 {
			return err
		}
		relevances, err := retrieve.Relevances(ctx, c.db, q, results)
		if err != nil {
			return err
		}
		roots, err := c.roots(ctx)
		if err != nil {
			return err
		}
		for i, result := range results {
			root, below, err := roots.of(result.Path)
			if err != nil {
				return err
			}
			result.Path = below
			entry := result.Found(root, relevances[i])
			entry.Name, entry.Project = entry.ID, root.Project
			found = append(found, entry)
		}
		return nil
	})
	return found, err
}

// List lists the memories of all roots, as retrieve.List does for one. Their paths are
// absolute.
func (r Reader) List(ctx context.Context, f retrieve.Filter, sort string) (items []retrieve.Item, err error) {
	err = r.read(ctx, func(c *catalogue) error {
		if items, err = retrieve.List(ctx, c.db, f, sort); err != nil {
			return err
		}
		roots, err := c.roots(ctx)
		if err != nil {
			return err
		}
		for i := range items {
			m := &items[i]
			root, below, err := roots.of(m.Path)
			if err != nil {
				return err
			}
			m.Path, m.Project, m.Name = root.Shown+"/"+below, root.Project, m.ID
		}
		return nil
	})
	return items, err
}

func (r Reader) read(ctx context.Context, fn func(*catalogue) error) error {
	return use(ctx, patience, func(c *catalogue) error {
		if r.Own.Path != "" {
			if _, err := c.enter(ctx, r.Own); err != nil {
				return err
			}
		}
		if err := c.complete(ctx, r.Own, r.Progress); err != nil {
			return err
		}
		return fn(c)
	})
}

// rootsByID are the roots of the catalogue by their ids.
type rootsByID map[int64]memdir.Root

func (c *catalogue) roots(ctx context.Context) (rootsByID, error) {
	rows, err := c.db.CatalogueRoots(ctx)
	roots := rootsByID{}
	for _, row := range rows {
		roots[row.ID] = memdir.Root{
			Path:    row.Path,
			Shown:   filepath.ToSlash(row.Path),
			Project: filepath.ToSlash(projectOf(row.Path)),
		}
	}
	return roots, err
}

// of splits the path of a file in the catalogue into its root and the path below it.
func (r rootsByID) of(path string) (root memdir.Root, below string, err error) {
	prefix, below, _ := strings.Cut(path, "/")
	id, err := strconv.ParseInt(prefix, 10, 64)
	root, known := r[id]
	if err != nil || !known {
		return root, below, fmt.Errorf("%w: %s is of no root", db.ErrDamaged, path)
	}
	return root, below, nil
}
