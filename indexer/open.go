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
	// lockTimeout is how long a lock on the index may take to get.
	lockTimeout = 5 * time.Second
	// buildTimeout is how long one process waits for another's rebuild.
	buildTimeout = 20 * time.Second
)

// Index is an index that was up to date when it was opened.
type Index struct {
	*db.DB
	lock   *memdir.Lock
	file   fs.FileInfo // the index file, to see later whether it was replaced
	survey *survey     // under way; nil where it was finished
	// Changed is how many files were taken in or dropped when it was opened.
	Changed int
	// Rebuilt is set where the index had to be made anew.
	Rebuilt *Summary
	// InMemory says why the index on disk could not be used; nil normally.
	InMemory error
}

// Use opens the root's index, brings it up to date, and runs fn on it. A missing,
// damaged or foreign index is rebuilt; where the index cannot be written, the
// answer comes from one in memory. Either also when it shows only to fn, which
// then runs again, as it does when the rest of a survey finds more. Full also sweeps what killed writers left. It fails only where fn does or the memory files cannot be read.
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

// run runs fn and closes the index. After a prompt that went well it is not
// closed: the process ends now, the kernel frees its locks, and merging the
// write-ahead log, which waits for the disk, is left to others until it is long.
func (ix *Index) run(ctx context.Context, root memdir.Root, depth Depth, fn func(*Index) error) error {
	var err error
	if depth == Full { // a prompt asks nothing of observations
		err = observe(ctx, ix.DB, root)
	}
	if err == nil {
		err = fn(ix)
	}
	if err == nil {
		err = ix.finish(ctx, fn)
	}
	if depth == Quick && err == nil && !longLog(root) {
		return nil
	}
	if closeErr := ix.Close(); !db.Unwritable(closeErr) {
		err = errors.Join(err, closeErr)
	}
	return err
}

// finish takes in what the survey had not seen when fn ran.
func (ix *Index) finish(ctx context.Context, fn func(*Index) error) error {
	if ix.survey == nil {
		return nil
	}
	more, err := ix.survey.finish(ctx, ix.DB)
	if err != nil || more == 0 {
		return err
	}
	ix.Changed += more
	return fn(ix)
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
	if ix.survey != nil {
		ix.survey.close()
	}
	err := ix.DB.Close()
	if ix.lock != nil {
		ix.lock.Unlock()
	}
	return err
}

// openCurrent opens the index on disk, rebuilding it once where that helps.
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
	lock, err := root.LockShared(ctx, useLock, lockTimeout)
	if err != nil {
		return nil, err
	}
	survey := &survey{root: root, looks: lookEarly(root)}
	path := root.Join(memdir.IndexName)
	d, err := db.Open(ctx, path)
	if err != nil {
		survey.close()
		lock.Unlock()
		return nil, err
	}
	ix := &Index{DB: d, lock: lock, survey: survey}
	ix.file, _ = os.Lstat(path)
	if ix.Changed, err = survey.begin(ctx, d, depth); err != nil {
		ix.Close()
		return nil, err
	}
	return ix, nil
}

// rebuildOnce rebuilds, unless the index is no longer the file that was found
// wanting: then another process has just done it, and the summary is nil.
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

// openReadOnly uses an index in a folder that cannot be written, if it happens
// to be up to date.
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
