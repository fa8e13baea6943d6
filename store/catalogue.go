package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/trust"
	"memctl/indexer"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// Names of the files in the state folder.
const (
	databaseName = "catalogue.db"
	lockName     = databaseName + ".lock"
	listName     = "roots.json"
)

// patience is how long a command that reads or changes the catalogue waits for another
// process.
const patience = 10 * time.Second

// Catalogue knows every memory root of a user. The file roots.json lists them. The database
// catalogue.db, an index of all of their memories, is derived from the list and the memory
// files: deleting it loses nothing. Both lie in memctl's state folder.
//
// A change lists its root, and a session's start, once an hour, brings its own up to date
// (Note); no one waits for either. What reads the database first brings up to date every root
// that has changed: it compares every file of Own, and those of other roots that have
// changed. One process uses it at a time.
type Catalogue struct {
	Own      files.Root       // the root that the user works in; empty if there is none
	Progress indexer.Progress // may be nil
	// VectorProgress is told of the texts that Rebuild makes vectors of; it may be nil.
	VectorProgress indexer.Progress
	// UserModel is that of Options.
	UserModel retrieve.UserModel
	// Moved, unless it is nil, is called with the paths of a project that has another one now.
	Moved func(from, to string)

	// Of the open catalogue:
	folder files.Root // the state folder
	list   list
	user   schemas.Config // of the user's root
	db     *db.DB         // nil until open is called
}

// use runs fn on the open catalogue, which no other process uses meanwhile. If fn finds the
// database damaged or foreign, use removes it and runs fn once more.
func (c Catalogue) use(ctx context.Context, wait time.Duration, fn func(*Catalogue) error) error {
	if err := c.find(); err != nil {
		return err
	}
	lock, err := c.folder.LockExclusive(ctx, lockName, wait)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if c.user, err = files.UserConfig(); err != nil {
		return err
	}
	if c.list, err = readList(c.folder); err != nil {
		return err
	}
	err = errors.Join(fn(&c), c.close())
	if db.Rebuildable(err) {
		c.folder.RemoveIndex(databaseName)
		err = errors.Join(fn(&c), c.close())
	}
	if errors.Is(err, db.ErrNewer) {
		return text.WithHint(fmt.Errorf("%w %s", db.ErrNewer, c.folder.Join(databaseName)),
			`update this memctl, or remove the file: "memctl roots rebuild" makes it again`)
	}
	return err
}

// find finds the state folder.
func (c *Catalogue) find() (err error) {
	c.folder.Path, err = files.State()
	return err
}

// open opens the database, and makes an empty one if there is none.
func (c *Catalogue) open(ctx context.Context) (err error) {
	if c.db != nil {
		return nil
	}
	path := c.folder.Join(databaseName)
	if c.db, err = db.OpenCatalogue(ctx, path); errors.Is(err, db.ErrMissing) {
		if err = db.CreateCatalogue(ctx, path); err == nil {
			c.db, err = db.OpenCatalogue(ctx, path)
		}
	}
	return err
}

func (c *Catalogue) close() error {
	if c.db == nil {
		return nil
	}
	err := c.db.Close()
	c.db = nil
	return err
}

// Search ranks the memories of all roots for a query. Their paths are absolute.
func (c Catalogue) Search(ctx context.Context, q retrieve.Query) (found []retrieve.IndexEntry, err error) {
	err = c.read(ctx, func(c *Catalogue) error {
		found = []retrieve.IndexEntry{}
		if q.Meaning != nil {
			q.Meaning.Start()
		}
		short, cancel := context.WithTimeout(ctx, retrieve.VectorTime)
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
		judge := &trust.Judge{Team: IsTeams}
		for i, result := range results {
			root, below, err := roots.of(result.Path)
			if err != nil {
				return err
			}
			result.Path = below
			entry := result.IndexEntry(root, relevances[i])
			entry.Name, entry.Project, entry.Gone = entry.ID, root.Project, !exists(root.Path)
			if !entry.Gone {
				entry.NewBy = judge.ByFile(root, below)
			}
			found = append(found, entry)
		}
		return nil
	})
	return found, err
}

// List lists the memories of all roots, as retrieve.List does for one. Their paths are
// absolute.
func (c Catalogue) List(ctx context.Context, f retrieve.Filter, sort string) (items []retrieve.ListEntry, err error) {
	err = c.read(ctx, func(c *Catalogue) error {
		if items, err = retrieve.List(ctx, c.db, f, sort); err != nil {
			return err
		}
		roots, err := c.roots(ctx)
		if err != nil {
			return err
		}
		judge := &trust.Judge{Team: IsTeams}
		for i := range items {
			m := &items[i]
			root, below, err := roots.of(m.Path)
			if err != nil {
				return err
			}
			m.Path, m.Project, m.Name, m.Gone = root.Shown+"/"+below, root.Project, m.ID, !exists(root.Path)
			if !m.Gone {
				m.NewBy = judge.ByFile(root, below)
			}
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
type rootsByID map[int64]files.Root

func (c *Catalogue) roots(ctx context.Context) (rootsByID, error) {
	rows, err := c.db.CatalogueRoots(ctx)
	roots := rootsByID{}
	for _, row := range rows {
		roots[row.ID] = files.Root{
			Path:    row.Path,
			Shown:   filepath.ToSlash(row.Path),
			Project: filepath.ToSlash(projectOf(row.Path)),
		}
	}
	return roots, err
}

// of splits the path of a file in the catalogue into its root and the path below it.
func (r rootsByID) of(path string) (root files.Root, below string, err error) {
	prefix, below, _ := strings.Cut(path, "/")
	id, err := strconv.ParseInt(prefix, 10, 64)
	root, known := r[id]
	if err != nil || !known {
		return root, below, fmt.Errorf("%w: the catalogue has no root for %s", db.ErrDamaged, path)
	}
	return root, below, nil
}
