// Package catalogue knows every memory root of a user. The file roots.json lists them.
// The database catalogue.db, an index of all of their memories, is derived from the list
// and the memory files: deleting it loses nothing. Both lie in memctl's state folder.
//
// A session's start and every change bring their own root up to date (Note); no one waits
// for that. What reads the catalogue completes it first. One process uses it at a time.
package catalogue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/schemas"
)

// Names of the files in the state folder.
const (
	databaseName = "catalogue.db"
	buildName    = databaseName + ".new"
	lockName     = databaseName + ".lock"
	listName     = "roots.json"
)

const (
	// noteTime is how long Note may take. It seldom takes more than a few milliseconds.
	noteTime = time.Second
	// patience is how long a command that reads or changes the catalogue waits for
	// another process.
	patience = 10 * time.Second
)

// catalogue is the open catalogue.
type catalogue struct {
	folder memdir.Root // the state folder
	list   list
	user   schemas.Config // of the user's root
	db     *db.DB         // nil until open is called
	// ending leaves closing the database to the kernel, because the process ends now: to
	// close it would merge the write-ahead log, which waits for the disk.
	ending bool
}

// use runs fn on the catalogue, which no other process uses meanwhile. If fn finds the
// database damaged, use makes a new one and runs fn once more.
func use(ctx context.Context, wait time.Duration, fn func(*catalogue) error) error {
	state, err := memdir.State()
	if err != nil {
		return err
	}
	c := &catalogue{folder: memdir.Root{Path: state}}
	lock, err := c.folder.LockExclusive(ctx, lockName, wait)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if c.user, err = userConfig(); err != nil {
		return err
	}
	if c.list, err = readList(c.folder); err != nil {
		return err
	}
	if err = fn(c); c.db != nil && !(c.ending && err == nil) {
		err = errors.Join(err, c.db.Close())
	}
	if db.Rebuildable(err) {
		if err = c.renew(ctx, nil); err == nil {
			err = errors.Join(fn(c), c.db.Close())
		}
	}
	if errors.Is(err, db.ErrNewer) {
		return &newerError{c.folder.Join(databaseName)}
	}
	return err
}

// newerError refuses the catalogue of a later memctl.
type newerError struct{ path string }

func (e *newerError) Error() string {
	return "a later version of memctl made the catalogue " + e.path
}

func (e *newerError) Unwrap() error { return db.ErrNewer }

// Hint says what to do about it.
func (e *newerError) Hint() string {
	return `update this memctl, or remove the file: "memctl roots rebuild" makes it again`
}

// userConfig returns the configuration of the user's root.
func userConfig() (schemas.Config, error) {
	root, ok, err := memdir.UserRoot()
	if err != nil {
		return schemas.Config{}, fmt.Errorf("the user's memory root: %w", err)
	}
	if !ok {
		return schemas.DefaultConfig(), nil
	}
	cfg, _, err := root.Config()
	return cfg, err
}

// ErrAgent refuses an agent's search of all projects.
var ErrAgent = errors.New("agents may not search all projects: sources.agent_all is false in the user's configuration")

// CheckAgent returns ErrAgent unless the user lets agents search all projects.
func CheckAgent() error {
	cfg, err := userConfig()
	if err == nil && !cfg.Sources.AgentAll {
		err = ErrAgent
	}
	return err
}

// open opens the database. In place of one that is missing, damaged or foreign it makes a
// new one, which fill fills; nil leaves it empty.
func (c *catalogue) open(ctx context.Context, fill func() error) (err error) {
	if c.db != nil {
		return nil
	}
	c.db, err = db.OpenCatalogue(ctx, c.folder.Join(databaseName))
	if db.Rebuildable(err) {
		err = c.renew(ctx, fill)
	}
	return err
}

// renew replaces the database by a new one, whole or not at all, and opens it.
func (c *catalogue) renew(ctx context.Context, fill func() error) (err error) {
	path := c.folder.Join(buildName)
	c.folder.RemoveIndex(buildName) // what a killed process left behind
	if c.db, err = db.CreateCatalogue(ctx, path); err == nil {
		err = c.db.Update(ctx, (*db.Tx).PutConstants)
	}
	if err == nil && fill != nil {
		err = fill()
	}
	if err == nil {
		err = c.db.Finish(ctx)
	} else if c.db != nil {
		c.db.Close()
	}
	c.db = nil
	if err != nil {
		c.folder.RemoveIndex(buildName)
		return err
	}
	c.folder.RemoveIndex(databaseName)
	if err := os.Rename(path, c.folder.Join(databaseName)); err != nil {
		return fmt.Errorf("put the new catalogue in place: %w", err)
	}
	c.db, err = db.OpenCatalogue(ctx, c.folder.Join(databaseName))
	return err
}

// Note brings a root up to date in the catalogue, or takes it out if it is not to be
// there. It does so for a short time and without waiting for another process: what it
// leaves is done by the next Note, or by what reads the catalogue. The root's own index has
// to be up to date. In a process that ends now, which is not lasting, Note leaves the
// databases open.
func Note(ctx context.Context, root memdir.Root, lasting bool) error {
	ctx, cancel := context.WithTimeout(ctx, noteTime)
	defer cancel()
	view := func(fn func(*db.DB) error) error {
		err := indexer.View(ctx, root, lasting, fn)
		if db.Rebuildable(err) { // a first memory leaves the index to the next reader
			err = upToDate(ctx, root, fn)
		}
		return err
	}
	return note(ctx, root, view, 0, func(c *catalogue) error {
		c.ending = !lasting
		return nil
	})
}

// upToDate runs fn on the root's own index.
func upToDate(ctx context.Context, root memdir.Root, fn func(*db.DB) error) error {
	return indexer.Use(ctx, root, indexer.Usual, func(ix *indexer.Index) error { return fn(ix.DB) })
}

// NoteScrubbed is Note without a limit of time. Afterwards no byte of the catalogue holds
// what was taken out of the root.
func NoteScrubbed(ctx context.Context, root memdir.Root) error {
	return noteNow(ctx, root, func(c *catalogue) error {
		if err := c.open(ctx, nil); err != nil {
			return err
		}
		return c.db.TidyUp(ctx)
	})
}

// noteNow brings the root's own index up to date, then the catalogue, and runs fn.
func noteNow(ctx context.Context, root memdir.Root, fn func(*catalogue) error) error {
	view := func(fn func(*db.DB) error) error { return upToDate(ctx, root, fn) }
	return note(ctx, root, view, patience, fn)
}

// note brings a root up to date and runs fn. View gives it the root's own index.
func note(ctx context.Context, root memdir.Root, view func(func(*db.DB) error) error, wait time.Duration, fn func(*catalogue) error) error {
	cfg, _, err := root.Config()
	if err != nil {
		return err
	}
	update := func(own *db.DB) error {
		return use(ctx, wait, func(c *catalogue) error {
			var err error
			if own == nil || c.unwanted(root) {
				err = c.leave(ctx, root.Path)
			} else {
				err = c.note(ctx, root, own)
			}
			if err != nil {
				return err
			}
			return fn(c)
		})
	}
	if !cfg.Catalogue.Enabled {
		return update(nil)
	}
	var noteErr error // no reason to rebuild the index
	err = view(func(own *db.DB) error {
		noteErr = update(own)
		return nil
	})
	return errors.Join(noteErr, err)
}
