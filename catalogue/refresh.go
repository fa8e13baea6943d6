package catalogue

import (
	"context"
	"errors"
	"fmt"
	"path"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
)

// One transaction writes up to this many files or bytes of them, so that what a Note that
// is cut short has done stays, and little is in memory at once.
const (
	batchFiles = 500
	batchBytes = 4 << 20
)

// errUnreadable means that a folder of a root cannot be read.
var errUnreadable = errors.New("cannot read the memories")

// refresh makes the rows of a root equal to its files. It reads those that may be another
// than the catalogue has.
func (c *catalogue) refresh(ctx context.Context, root memdir.Root) error {
	if err := c.open(ctx); err != nil {
		return err
	}
	state := stateOf(root) // of before the files are read: what changes meanwhile is read again
	folders, err := openFolders(root)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	defer closeFolders(folders)
	row, err := c.row(ctx, root.Path)
	if err != nil {
		return err
	}
	b := batch{ctx: ctx, db: c.db, prefix: row.Prefix()}
	for _, f := range folders {
		if err := b.addFolder(f); err != nil {
			return err
		}
	}
	if err := b.flush(); err != nil || row.State == state {
		return err
	}
	row.State = state
	return c.db.Update(ctx, func(tx *db.Tx) error {
		_, err := tx.PutCatalogueRoot(row)
		return err
	})
}

// batch collects what has changed of a root, to write it with few transactions.
type batch struct {
	ctx     context.Context
	db      *db.DB
	prefix  string // of the root's paths in the catalogue
	removed []string
	entries []db.Entry
	read    []db.File // files that are as the catalogue has them
	bytes   int64     // of entries
}

// addFolder compares the files of a folder with those that the catalogue has.
func (b *batch) addFolder(f folder) error {
	stamps, err := b.db.Stamps(b.ctx, b.prefix+f.name, "", -1)
	if err != nil {
		return err
	}
	known := make(map[string]db.Stamp, len(stamps))
	for _, s := range stamps {
		known[path.Base(s.Path)] = s
	}
	for _, file := range f.files {
		stamp, had := known[file.Name]
		delete(known, file.Name)
		if had && file.Size == stamp.Size && file.MtimeNS == stamp.MtimeNS && memdir.Settled(stamp.MtimeNS, stamp.ReadNS) {
			continue
		}
		if err := b.addFile(f, file.Name, had); err != nil {
			return err
		}
	}
	for _, s := range known {
		b.removed = append(b.removed, s.Path)
	}
	return nil
}

// addFile reads a file. Had is whether the catalogue has it already.
func (b *batch) addFile(f folder, name string, had bool) error {
	e, exists := indexer.Read(f.Folder, name)
	e.Path = b.prefix + f.name + "/" + name
	hash := ""
	if had {
		var err error
		if hash, err = b.db.SHA256Of(b.ctx, e.Path); err != nil {
			return err
		}
	}
	switch {
	case !exists && had:
		b.removed = append(b.removed, e.Path)
	case !exists:
	case hash != "" && hash == e.SHA256:
		b.read = append(b.read, e.File)
	default:
		b.entries, b.bytes = append(b.entries, e), b.bytes+e.Size
	}
	if len(b.entries) < batchFiles && b.bytes < batchBytes {
		return nil
	}
	return b.flush()
}

// flush writes what was collected.
func (b *batch) flush() error {
	if len(b.removed)+len(b.entries)+len(b.read) == 0 {
		return nil
	}
	err := b.db.Update(b.ctx, func(tx *db.Tx) error {
		for _, path := range b.removed {
			if err := tx.Remove(path); err != nil {
				return err
			}
		}
		for _, f := range b.read {
			if err := tx.Touch(f); err != nil {
				return err
			}
		}
		return tx.Put(b.entries...)
	})
	b.removed, b.entries, b.read, b.bytes = nil, nil, nil, 0
	return err
}
