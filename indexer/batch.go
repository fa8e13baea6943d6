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
	files int // that are written at a time
	// trusts keeps the rows of a file that only has another time. An index that may come
	// with a project is not trusted so far: its rows may not be those of the file.
	trusts bool
	rows
	bytes   int64 // of put
	changed int   // files that differed, and folders that cannot be read any more, or again
}

// rows are the rows that a batch writes.
type rows struct {
	removed  []string    // paths
	put      []db.Entry  // new and changed files
	triggers []trigger   // of put
	touched  []db.File   // files that were read again and found the same
	folders  []db.Folder // whose files are all written
}

// newBatch makes a batch for the index of a root.
func newBatch(ctx context.Context, d *db.DB, root files.Root) *batch {
	return &batch{files: batchFiles, write: func(b *batch) error {
		err := d.Update(ctx, func(tx *db.Tx) error { return b.writeTo(tx) })
		if err == nil && !b.trusts {
			a := &triggerLines{root: root}
			a.add(b.triggers...)
			a.append()
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
	b.changed += len(f.removed)
	for _, path := range f.removed {
		if b.removed = append(b.removed, path); b.isFull() {
			if err := b.flush(); err != nil {
				return err
			}
		}
	}
	var err error
	below := strings.TrimPrefix(f.path, f.prefix)
	f.recorded, err = d.Recorded(ctx, f.prefix, below, slices.Concat(f.added, f.changed, f.racy))
	if err != nil {
		return err
	}
	if err := readAll(ctx, f, f.added, nil, b.add); err != nil {
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
	if err := readAll(ctx, f, f.changed, hashes, func(e entry) error {
		if !e.same || e.SHA256 == "" {
			return b.add(e)
		}
		b.touched = append(b.touched, e.File)
		b.changed++
		return nil
	}); err != nil {
		return err
	}
	return readAll(ctx, f, f.racy, hashes, func(e entry) error {
		if !e.same {
			return b.add(e)
		}
		if files.Settled(e.MtimeNS, e.ReadNS) {
			b.touched = append(b.touched, e.File)
		}
		return nil
	})
}

// add adds a new or changed file.
func (b *batch) add(e entry) error {
	b.put = append(b.put, e.Entry)
	b.triggers = append(b.triggers, e.triggers...)
	b.changed++
	if e.Problem == "" {
		b.bytes += e.Size
	}
	if !b.isFull() {
		return nil
	}
	return b.flush()
}

// isFull reports whether the batch is to be written.
func (b *batch) isFull() bool { return len(b.removed)+len(b.put) >= b.files || b.bytes >= batchBytes }

// flush writes what was collected.
func (b *batch) flush() error {
	if len(b.removed)+len(b.put)+len(b.touched)+len(b.folders) == 0 {
		return nil
	}
	err := b.write(b)
	b.rows, b.bytes = rows{}, 0
	return err
}

// entry is a file as it was read.
type entry struct {
	db.Entry
	triggers []trigger
	same     bool // the index has this file: only File is set
}

// read reads a file, and makes the rows and the triggers of its memory unless hashes has its hash. It returns false if
// the file is gone.
func (f *folder) read(name string, hashes map[string]string) (e entry, found bool) {
	e.ReadNS = time.Now().UnixNano()
	data, stat, err := f.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return e, false
	}
	e.Path, e.Size, e.MtimeNS = f.path+name, stat.Size, stat.MtimeNS
	hash, indexed := hashes[e.Path]
	if err != nil {
		// A chmod may make the file readable and leave its mtime as it is: do not trust
		// its stamp. Another file in the place of a link has another stamp.
		if !errors.Is(err, files.ErrNotFile) && !errors.Is(err, files.ErrTooLarge) {
			e.ReadNS = 0
		}
		e.Problem, e.same = db.Reason(err), indexed && hash == ""
		return e, true
	}
	e.SHA256 = text.Hash(data, sha256.Size)
	if e.same = indexed && hash == e.SHA256; e.same {
		return e, true
	}
	m, err := schemas.Decode(data)
	if err != nil {
		e.Problem = db.Reason(err)
		return e, true
	}
	category, _ := schemas.CategoryOfFolder(f.Name)
	m.Complete(category, strings.TrimSuffix(name, ".json"))
	f.recorded.Date(&m, f.Name+"/"+name, data, time.Unix(0, stat.MtimeNS))
	m = db.Limited(m)
	e.Memory = &m
	e.Prepare()
	if f.prefix == "" { // the catalogue has no triggers
		e.triggers = triggersOf(e.Path, &m, e.Body())
	}
	return e, true
}

// Files are read in parts: while one part is written, the next waits and a third is read.
const (
	partFiles = 100
	partBytes = 256 << 10 // a part ends with the file that exceeds it
)

// readAll passes files to use in order, and reads the next ones meanwhile.
func readAll(
	ctx context.Context, f *folder, names []string, hashes map[string]string, use func(entry) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	parts := make(chan []entry, 1)
	go func() {
		defer close(parts)
		var part []entry
		size := int64(0)
		for i, name := range names {
			if e, found := f.read(name, hashes); found {
				part = append(part, e)
				size += e.Size
			}
			if len(part) < partFiles && size < partBytes && i < len(names)-1 {
				continue
			}
			select {
			case parts <- part:
				part, size = nil, 0
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
