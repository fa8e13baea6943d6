package indexer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"memctl/db"
	"memctl/memdir"
)

const (
	// lockTimeout is how long to wait for a lock on the index.
	lockTimeout = 5 * time.Second
	// buildTimeout is how long one process waits for another's rebuild.
	buildTimeout = 20 * time.Second
)

// Index is an index that was up to date when it was opened.
type Index struct {
	*db.DB
	lock *memdir.Lock
	file fs.FileInfo // the index file, to find out later whether it was replaced
	// Changed is how many files were added, replaced or removed by opening it.
	Changed int
	// Rebuilt is set if the index had to be rebuilt.
	Rebuilt *Summary
	// InMemory is why the index on disk could not be used; nil normally.
	InMemory error
}

// Use opens the root's index, brings it up to date and runs fn on it. It rebuilds an
// index that is missing, damaged or foreign, and uses one in memory if the index cannot
// be written. If that shows only while fn runs, fn runs once more. Full also removes
// what killed writers left. Use fails only if fn does or the memory files cannot be
// read.
func Use(ctx context.Context, root memdir.Root, depth Depth, fn func(*Index) error) error {
	if depth == Full {
		root.Sweep(ctx)
	}
	ix, err := open(ctx, root, depth)
	if err != nil {
		return err
	}
	err = ix.run(ctx, root, depth, fn)
	switch {
	case wantsRebuild(err):
		summary, err := rebuildOnce(ctx, root, ix.file, err)
		if err != nil {
			return err
		}
		if ix, err = open(ctx, root, depth); err != nil {
			return err
		}
		ix.Rebuilt = summary
		return ix.run(ctx, root, depth, fn)
	case db.Unwritable(err) && ix.InMemory == nil:
		if ix, err = openInMemory(ctx, root, err); err != nil {
			return err
		}
		return ix.run(ctx, root, depth, fn)
	}
	return err
}

// run runs fn and closes the index. After a successful prompt it leaves the index open:
// the process ends now and the kernel frees its locks. To close it would merge the
// write-ahead log, which waits for the disk; only a long log is merged.
func (ix *Index) run(ctx context.Context, root memdir.Root, depth Depth, fn func(*Index) error) error {
	var err error
	if depth != Quick {
		err = observe(ctx, ix.DB, root)
	}
	if err == nil {
		err = fn(ix)
	}
	if depth == Quick && err == nil && !hasLongLog(root) {
		return nil
	}
	if closeErr := ix.Close(); !db.Unwritable(closeErr) {
		err = errors.Join(err, closeErr)
	}
	return err
}

func wantsRebuild(err error) bool { return db.Rebuildable(err) || errors.Is(err, errTooMany) }

func open(ctx context.Context, root memdir.Root, depth Depth) (*Index, error) {
	ix, err := openCurrent(ctx, root, depth)
	if err == nil || ctx.Err() != nil {
		return ix, err
	}
	if readOnly(err) {
		if ix, err := openReadOnly(ctx, root); err == nil {
			return ix, nil
		}
	}
	return openInMemory(ctx, root, err)
}

// Close closes the index and lets a rebuild replace it.
func (ix *Index) Close() error {
	err := ix.DB.Close()
	if ix.lock != nil {
		ix.lock.Unlock()
	}
	return err
}

// openCurrent opens the index on disk. It rebuilds the index once if that helps.
func openCurrent(ctx context.Context, root memdir.Root, depth Depth) (*Index, error) {
	seen, _ := os.Lstat(root.Join(memdir.IndexName))
	ix, err := openSynced(ctx, root, depth)
	if !wantsRebuild(err) {
		return ix, err
	}
	summary, err := rebuildOnce(ctx, root, seen, err)
	if err != nil {
		return nil, err
	}
	if ix, err = openSynced(ctx, root, depth); err == nil {
		ix.Rebuilt = summary
	}
	return ix, err
}

func openSynced(ctx context.Context, root memdir.Root, depth Depth) (*Index, error) {
	ix, err := openOnDisk(ctx, root)
	if err != nil {
		return nil, err
	}
	if ix.Changed, err = Sync(ctx, ix.DB, root, depth); err != nil {
		ix.Close()
		return nil, err
	}
	return ix, nil
}

// openOnDisk opens the index as it is. No rebuild replaces it until it is closed.
func openOnDisk(ctx context.Context, root memdir.Root) (*Index, error) {
	lock, err := root.LockShared(ctx, useLock, lockTimeout)
	if err != nil {
		return nil, err
	}
	path := root.Join(memdir.IndexName)
	d, err := db.Open(ctx, path)
	if err != nil {
		lock.Unlock()
		return nil, err
	}
	file, _ := os.Lstat(path)
	return &Index{DB: d, lock: lock, file: file}, nil
}

// rebuildOnce rebuilds the index for a reason, unless another process has just replaced
// the file that was seen: then the summary is nil.
func rebuildOnce(ctx context.Context, root memdir.Root, seen fs.FileInfo, reason error) (*Summary, error) {
	lock, err := root.LockExclusive(ctx, buildLock, buildTimeout)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	now, err := os.Lstat(root.Join(memdir.IndexName))
	if err == nil && (seen == nil || !os.SameFile(seen, now)) {
		return nil, nil
	}
	summary, err := rebuildLocked(ctx, root, Quick, nil)
	if err == nil {
		summary.Reason = reason
	}
	return summary, err
}

// openReadOnly opens an index in a folder that cannot be written. It fails unless the
// index is up to date.
func openReadOnly(ctx context.Context, root memdir.Root) (*Index, error) {
	d, err := db.OpenReadOnly(ctx, root.Join(memdir.IndexName))
	if err != nil {
		return nil, err
	}
	if _, err := Sync(ctx, d, root, Full); err != nil {
		d.Close()
		return nil, err
	}
	return &Index{DB: d}, nil
}

func openInMemory(ctx context.Context, root memdir.Root, reason error) (*Index, error) {
	d, err := db.CreateInMemory(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := fill(ctx, d, root, nil); err != nil {
		d.Close()
		return nil, err
	}
	return &Index{DB: d, InMemory: reason}, nil
}

func readOnly(err error) bool {
	return errors.Is(err, db.ErrReadOnly) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
