package indexer

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// What one transaction of Sync writes at most: other processes wait no longer for the
// write lock, little is in memory, and what was written stays if Sync is interrupted.
const (
	batchFiles = 500
	batchBytes = 4 << 20 // of memory files
)

// batch collects rows that differ from the files, and writes some at a time.
type batch struct {
	write func(*batch) error
	// trusts keeps the rows of a file that only has another time. An index that may come
	// with a project is not trusted so far: its rows may not be those of the file.
	trusts bool
	rows
	bytes   int64 // of put
	changed int   // files that differed, and folders that cannot be read any more, or again
}

// rows are the rows that a batch writes.
type rows struct {
	removed []string    // paths
	put     []db.Entry  // new and changed files
	touched []db.File   // files that were read again and found the same
	folders []db.Folder // whose files are all written
}

// newBatch makes a batch for the index of a root.
func newBatch(ctx context.Context, d *db.DB, root files.Root) *batch {
	return &batch{write: func(b *batch) error {
		err := d.Update(ctx, func(tx *db.Tx) error { return b.writeTo(tx) })
		if err == nil && !b.trusts {
			_ = addTriggers(root, b.put) // a rebuild writes them again
		}
		if b.changed == 0 && db.Unwritable(err) {
			return nil // the rows are right; only the check could not be recorded
		}
		return err
	}}
}

func (b *batch) writeTo(tx *db.Tx) error {
	tx.Remove(b.removed...)
	for _, f := range b.touched {
		tx.Touch(f)
	}
	for _, f := range b.folders {
		tx.PutFolder(f)
	}
	return tx.Put(b.put...)
}

// addFolder reads the files of a compared folder that may differ, and adds their rows. It
// reads before it writes, so that the write lock is held for the rows only. A file that
// goes meanwhile is left to the next comparison.
func (b *batch) addFolder(ctx context.Context, d *db.DB, f *folder) error {
	b.removed = append(b.removed, f.removed...)
	b.changed += len(f.removed)
	var err error
	below := strings.TrimPrefix(f.path, f.prefix)
	f.recorded, err = d.Recorded(ctx, f.prefix, below, slices.Concat(f.added, f.changed, f.racy))
	if err != nil {
		return err
	}
	if err := readAll(ctx, f, f.added, b.add); err != nil {
		return err
	}
	doubtful := f.racy // their rows may be right
	if b.trusts {
		doubtful = slices.Concat(f.changed, f.racy)
	}
	hashes, err := d.SHA256sOf(ctx, f.path, doubtful)
	if err != nil {
		return err
	}
	same := func(e db.Entry) bool { return e.SHA256 == hashes[e.Path] }
	if err := readAll(ctx, f, f.changed, func(e db.Entry) error {
		if !b.trusts || e.SHA256 == "" || !same(e) {
			return b.add(e)
		}
		b.touched = append(b.touched, e.File)
		b.changed++
		return nil
	}); err != nil {
		return err
	}
	return readAll(ctx, f, f.racy, func(e db.Entry) error {
		if !same(e) {
			return b.add(e)
		}
		if files.Settled(e.MtimeNS, e.ReadNS) {
			b.touched = append(b.touched, e.File)
		}
		return nil
	})
}

// add adds a new or changed file.
func (b *batch) add(e db.Entry) error {
	b.put = append(b.put, e)
	b.changed++
	if e.Memory != nil {
		b.bytes += e.Size
	}
	if len(b.put) < batchFiles && b.bytes < batchBytes {
		return nil
	}
	return b.flush()
}

// flush writes what was collected.
func (b *batch) flush() error {
	if len(b.removed)+len(b.put)+len(b.touched)+len(b.folders) == 0 {
		return nil
	}
	err := b.write(b)
	b.rows, b.bytes = rows{}, 0
	return err
}

// read reads and decodes one file. It returns false if the file is gone.
func (f *folder) read(name string) (db.Entry, bool) {
	read := time.Now().UnixNano()
	data, stat, err := f.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return db.Entry{}, false
	}
	e := db.Entry{File: db.File{Path: f.path + name, Size: stat.Size, MtimeNS: stat.MtimeNS, ReadNS: read}}
	if err != nil {
		// A chmod may make the file readable and leave its mtime as it is: do not trust
		// its stamp. Another file in the place of a link has another stamp.
		if !errors.Is(err, files.ErrNotFile) && !errors.Is(err, files.ErrTooLarge) {
			e.ReadNS = 0
		}
		e.Problem = db.Reason(err)
		return e, true
	}
	e.SHA256 = text.Hash(data, sha256.Size)
	m, err := schemas.Decode(data)
	if err != nil {
		e.Problem = db.Reason(err)
		return e, true
	}
	category, _ := schemas.CategoryOfFolder(f.Name)
	m.Complete(category, strings.TrimSuffix(name, ".json"))
	f.recorded.Date(&m, f.Name+"/"+name, data, time.Unix(0, stat.MtimeNS))
	e.Memory = &m
	return e, true
}

// What is read before the files ahead of it are written. Of three parts one is written, one waits and one is read.
const (
	partFiles = 250
	partBytes = 512 << 10 // to which a last file is added
)

// readAll passes files to use in order, and reads the next ones meanwhile.
func readAll(ctx context.Context, f *folder, names []string, use func(db.Entry) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	parts := make(chan []db.Entry, 1)
	go func() {
		defer close(parts)
		var part []db.Entry
		bytes := int64(0)
		for i, name := range names {
			if e, ok := f.read(name); ok {
				e.Prepare()
				part = append(part, e)
				bytes += e.Size
			}
			if len(part) < partFiles && bytes < partBytes && i < len(names)-1 {
				continue
			}
			select {
			case parts <- part:
				part, bytes = nil, 0
			case <-ctx.Done():
				return
			}
		}
	}()
	for part := range parts {
		for _, e := range part {
			if err := use(e); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}
