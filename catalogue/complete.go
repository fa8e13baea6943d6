package catalogue

import (
	"context"
	"errors"
	"os"
	"slices"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
)

// complete makes the database hold the roots that are listed, as they are now, and no other.
// It compares every file of own, which may be empty.
func (c *catalogue) complete(ctx context.Context, own memdir.Root, progress indexer.Progress) error {
	if err := c.dropExcluded(); err != nil {
		return err
	}
	if err := c.prune(ctx); err != nil {
		return err
	}
	changed, err := c.changed(ctx, own.Path)
	if err != nil || len(changed) == 0 {
		return err
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	for i, path := range changed {
		progress(i, len(changed))
		if err := c.add(ctx, path); err != nil {
			return err
		}
	}
	progress(len(changed), len(changed))
	return nil
}

// dropExcluded removes from the list what catalogue.exclude names.
func (c *catalogue) dropExcluded() error {
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

// changed lists own and the roots that may not be as the database has them. Of the worktrees
// of a repository it takes own, or else the one that was used last.
func (c *catalogue) changed(ctx context.Context, own string) (paths []string, err error) {
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
	listed := c.list.latestFirst()
	if i := slices.Index(listed, own); i >= 0 {
		listed = slices.Insert(slices.Delete(listed, i, i+1), 0, own)
	}
	for _, path := range listed {
		if !exists(path) {
			continue // its rows stay
		}
		row := known[path]
		state := stateOf(memdir.Root{Path: path})
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
func (c *catalogue) add(ctx context.Context, path string) error {
	root, err := memdir.At(path)
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
	_, err := os.Stat(path)
	return err == nil
}
