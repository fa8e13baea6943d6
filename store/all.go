package store

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"memctl/db"
	"memctl/meaning"
	"memctl/memdir"
	"memctl/retrieve"
)

// Search ranks the memories of all roots for a query. Their paths are absolute.
func (c Catalogue) Search(ctx context.Context, q retrieve.Query) (found []retrieve.IndexEntry, err error) {
	err = c.read(ctx, func(c *Catalogue) error {
		found = []retrieve.IndexEntry{}
		q.Meaning.Start()
		short, cancel := context.WithTimeout(ctx, meaning.ShortTime)
		defer cancel()
		_ = c.makeVectors(short, nil) // what has no vector is found by its words
		results, err := retrieve.Rank(ctx, c.db, q)
		if err != nil || len(results) == 0 {
			return err
		}
		relevances, err := retrieve.Source{DB: c.db}.Alone().Relevances(ctx, q, results)
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
			entry.Name, entry.Project, entry.Gone = entry.ID, root.Project, !exists(root.Path)
			found = append(found, entry)
		}
		return nil
	})
	return found, err
}

// List lists the memories of all roots, as retrieve.List does for one. Their paths are
// absolute.
func (c Catalogue) List(ctx context.Context, f retrieve.Filter, sort string) (items []retrieve.Item, err error) {
	err = c.read(ctx, func(c *Catalogue) error {
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
			m.Path, m.Project, m.Name, m.Gone = root.Shown+"/"+below, root.Project, m.ID, !exists(root.Path)
		}
		return nil
	})
	return items, err
}

func (c Catalogue) read(ctx context.Context, fn func(*Catalogue) error) error {
	return c.use(ctx, patience, func(c *Catalogue) error {
		if c.Own.Path != "" {
			if _, err := c.enter(ctx, c.Own); err != nil {
				return err
			}
		}
		if err := c.complete(ctx); err != nil {
			return err
		}
		return fn(c)
	})
}

// rootsByID are the roots of the catalogue by their ids.
type rootsByID map[int64]memdir.Root

func (c *Catalogue) roots(ctx context.Context) (rootsByID, error) {
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
		return root, below, fmt.Errorf("%w: the catalogue has no root for %s", db.ErrDamaged, path)
	}
	return root, below, nil
}
