package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
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
	Own      memdir.Root      // the root that the user works in; empty if there is none
	Progress indexer.Progress // may be nil
	// VectorProgress is told of the texts that Rebuild makes vectors of; it may be nil.
	VectorProgress indexer.Progress
	// Moved, unless it is nil, is called with the paths of a project that has another one now.
	Moved func(from, to string)

	// Of the open catalogue:
	folder memdir.Root // the state folder
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
	if c.user, err = memdir.UserConfig(); err != nil {
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
	c.folder.Path, err = memdir.State()
	return err
}

// ErrAgent refuses an agent's search of all projects.
var ErrAgent = errors.New("agents may not search all projects: sources.agent_all is false in the user's configuration")

// CheckAgent returns ErrAgent unless the user lets agents search all projects.
func CheckAgent() error {
	cfg, err := memdir.UserConfig()
	if err == nil && !cfg.Sources.AgentAll {
		err = ErrAgent
	}
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
