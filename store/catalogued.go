package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
)

// Catalogued is the entry of a memory root in the catalogue.
type Catalogued struct {
	Path       string                 `json:"path"`
	Project    string                 `json:"project"`
	Repository string                 `json:"repository,omitempty"`
	Remote     string                 `json:"remote,omitempty"`
	Seen       string                 `json:"seen"` // when memctl last served it
	Gone       bool                   `json:"gone"` // whether its folder does not exist any more
	Memories   map[schemas.Status]int `json:"memories"`
	SizeBytes  int64                  `json:"size_bytes"`
	Problems   int                    `json:"problems"` // files that are no memories
}

// Count returns how many memories the root has.
func (r Catalogued) Count() (count int) {
	for _, n := range r.Memories {
		count += n
	}
	return count
}

// Roots describes every root, by path.
func (c Catalogue) Roots(ctx context.Context) (roots []Catalogued, err error) {
	err = c.read(ctx, func(c *Catalogue) error {
		roots, err = c.describe(ctx)
		return err
	})
	return roots, err
}

// Rebuilt is the result of Rebuild.
type Rebuilt struct {
	Roots     int   `json:"roots"`
	Memories  int   `json:"memories"`
	Gone      int   `json:"gone"` // roots whose folder does not exist any more
	ElapsedMS int64 `json:"elapsed_ms"`
	// Unmade says why not every memory has a vector, though the user has a model.
	Unmade error `json:"-"`
}

// Rebuild makes a new database from the list of the roots and their files.
func (c Catalogue) Rebuild(ctx context.Context) (Rebuilt, error) {
	started, done := time.Now(), Rebuilt{}
	err := c.use(ctx, patience, func(c *Catalogue) error {
		if err := errors.Join(c.open(ctx), c.close()); err != nil {
			return err // as of a later version
		}
		c.folder.RemoveIndex(databaseName)
		if err := c.complete(ctx); err != nil {
			return err
		}
		roots, err := c.describe(ctx)
		done = Rebuilt{Roots: len(roots)}
		for _, root := range roots {
			if root.Gone {
				done.Gone++
			}
			done.Memories += root.Count()
		}
		if err == nil {
			done.Unmade = c.makeVectors(ctx, c.VectorProgress)
			err = ctx.Err()
		}
		return err
	})
	done.ElapsedMS = time.Since(started).Milliseconds()
	return done, err
}

// describe describes the roots of the database, and the listed ones that are gone, by path.
func (c *Catalogue) describe(ctx context.Context) ([]Catalogued, error) {
	rows, err := c.db.CatalogueRoots(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := c.db.CatalogueCounts(ctx)
	if err != nil {
		return nil, err
	}
	roots, known := []Catalogued{}, map[string]bool{}
	for _, row := range rows {
		known[row.Path] = true
		roots = append(roots, c.root(row, counts[row.ID]))
	}
	for _, path := range c.list.latestFirst() {
		if !known[path] && !exists(path) {
			roots = append(roots, c.root(db.CatalogueRoot{Path: path}, nil))
		}
	}
	slices.SortFunc(roots, func(a, b Catalogued) int { return strings.Compare(a.Path, b.Path) })
	return roots, nil
}

func (c *Catalogue) root(row db.CatalogueRoot, counts []db.CatalogueCount) Catalogued {
	root := Catalogued{
		Path:       row.Path,
		Project:    filepath.ToSlash(projectOf(row.Path)),
		Repository: row.Repository,
		Remote:     row.Remote,
		Seen:       c.list.seenAt(row.Path),
		Gone:       !exists(row.Path),
		Memories:   map[schemas.Status]int{},
	}
	for _, status := range schemas.Statuses {
		root.Memories[status] = 0
	}
	for _, n := range counts {
		root.SizeBytes += n.Size
		if n.Status == "" {
			root.Problems += n.Files
		} else {
			root.Memories[n.Status] += n.Files
		}
	}
	return root
}

// ErrUnknownRoot means that the catalogue does not have a root.
var ErrUnknownRoot = errors.New("the catalogue has no such root")

// Forget takes the root at a path, or that of the project there, out of the catalogue,
// for good if never is set. It returns the paths of what it took out.
func (c Catalogue) Forget(ctx context.Context, path string, never bool) ([]string, error) {
	own, target, err := rootPaths(path)
	if err != nil {
		return nil, err
	}
	return c.forget(ctx, func(c *Catalogue) ([]string, error) {
		if !c.list.has(target) && c.list.has(own) {
			target = own
		}
		if !never {
			if !c.list.has(target) {
				return nil, fmt.Errorf("%w: %s", ErrUnknownRoot, target)
			}
			return []string{target}, nil
		}
		for _, name := range names(target) {
			if !slices.Contains(c.list.Never, name) {
				c.list.Never = append(c.list.Never, name)
			}
		}
		wanted := func(path string) bool { return !c.unwanted(path) } // in other worktrees too
		return slices.DeleteFunc(c.list.latestFirst(), wanted), c.list.write(c.folder)
	})
}

// rootPaths returns a path as that of a root, and the path of the root of the project
// there, both absolute and, as far as they exist, without links.
func rootPaths(path string) (own, inProject string, err error) {
	if own, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	inProject, err = files.Target(own)
	for _, path := range []*string{&own, &inProject} {
		if resolved, err := filepath.EvalSymlinks(*path); err == nil {
			*path = resolved
		}
	}
	return own, inProject, err
}

// ForgetGone takes the roots whose folder does not exist any more out of the catalogue.
func (c Catalogue) ForgetGone(ctx context.Context) ([]string, error) {
	return c.forget(ctx, func(c *Catalogue) ([]string, error) {
		return slices.DeleteFunc(c.list.latestFirst(), exists), nil
	})
}

// forget takes the roots out that choose returns.
func (c Catalogue) forget(
	ctx context.Context, choose func(*Catalogue) ([]string, error),
) (forgotten []string, err error) {
	err = c.use(ctx, patience, func(c *Catalogue) error {
		if forgotten, err = choose(c); err != nil || len(forgotten) == 0 {
			return err
		}
		for _, path := range forgotten {
			c.list.drop(path)
		}
		if err := c.list.write(c.folder); err != nil {
			return err
		}
		return c.prune(ctx)
	})
	return forgotten, err
}

// ErrOptedOut means that settings keep a root out of the catalogue.
var ErrOptedOut = errors.New("a setting keeps this project out of the catalogue: " +
	"catalogue.enabled in its configuration, or catalogue.exclude in yours")

// Add puts a root into the catalogue, also if it was not to be there.
func (c Catalogue) Add(ctx context.Context, root files.Root) error {
	return c.use(ctx, patience, func(c *Catalogue) error {
		own := names(root.Path)
		before := len(c.list.Never)
		c.list.Never = slices.DeleteFunc(c.list.Never, func(path string) bool { return slices.Contains(own, path) })
		if len(c.list.Never) < before {
			if err := c.list.write(c.folder); err != nil {
				return err
			}
		}
		listed, err := c.enter(ctx, root)
		if err == nil && !listed {
			err = ErrOptedOut
		}
		if err != nil {
			return err
		}
		return c.refresh(ctx, root)
	})
}
