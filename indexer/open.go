package indexer

import (
	"context"
	"errors"
	"fmt"
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
	// maxInMemory bounds an index in memory in a hook, in bytes: some 8,000 usual
	// memories.
	maxInMemory = 16 << 20
)

// errLate means that there is no index to use, and no time to build one.
var errLate = errors.New("the index could not be built in time; memctl reindex finishes it")

// Index is an index that was up to date when it was opened.
type Index struct {
	*db.DB
	lock *memdir.Lock
	// Changed is how many files were added, replaced or removed by opening it.
	Changed int
	// Rebuilt is set if the index had to be rebuilt.
	Rebuilt *Summary
	// InMemory is why the index on disk could not be used; nil normally.
	InMemory error
	// Late is set if there was no time to bring the index up to date.
	Late bool
}

// Use opens the root's index, brings it up to date and runs fn on it. It rebuilds an
// index that is missing, damaged or foreign, and uses one in memory if the index cannot
// be written. If that shows only while fn runs, fn runs again. Full also removes what
// killed writers left. Use fails only if fn does, the memory files cannot be read, or
// ctx ends.
//
// If ctx has a deadline, a quarter of the time is fn's. If the index is not up to date
// by then, fn runs on the one on disk as it is: results are checked against their own
// files. A later session start, or reindex, has more time.
func Use(ctx context.Context, root memdir.Root, depth Depth, fn func(*Index) error) error {
	if depth == Full {
		root.Sweep(ctx)
	}
	seen, _ := os.Lstat(root.Join(memdir.IndexName))
	work, cancel := beforeDeadline(ctx)
	defer cancel()
	var err error
	for _, open := range []func() (*Index, error){
		func() (*Index, error) { return openSynced(work, root, depth) },
		func() (*Index, error) { return openRebuilt(work, root, depth, seen, err) },
		func() (*Index, error) { return openReadOnly(work, root, err) },
		func() (*Index, error) { return openInMemory(work, root, err) },
		func() (*Index, error) { return openLate(ctx, work, root, err) },
	} {
		ix, openErr := open()
		if openErr != nil {
			err = openErr
			continue
		}
		if err = ix.run(ctx, work, root, depth, fn); !wantsRebuild(err) && !db.Unwritable(err) {
			return err
		}
	}
	return err
}

// beforeDeadline leaves a quarter of the time until ctx's deadline.
func beforeDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(deadline)*3/4)
}

func wantsRebuild(err error) bool { return db.Rebuildable(err) || errors.Is(err, errTooMany) }

// run runs fn and closes the index. After a successful prompt it leaves the index open:
// the process ends now and the kernel frees its locks. To close it would merge the
// write-ahead log, which waits for the disk; only a long log is merged.
func (ix *Index) run(ctx, work context.Context, root memdir.Root, depth Depth, fn func(*Index) error) error {
	var err error
	if depth != Quick {
		err = observe(work, ix.DB, root)
	}
	if work.Err() != nil {
		err = ctx.Err() // the next run observes the rest
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

// Close closes the index and lets a rebuild replace it.
func (ix *Index) Close() error {
	err := ix.DB.Close()
	if ix.lock != nil {
		ix.lock.Unlock()
	}
	return err
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
	d, err := db.Open(ctx, root.Join(memdir.IndexName))
	if err != nil {
		lock.Unlock()
		return nil, err
	}
	return &Index{DB: d, lock: lock}, nil
}

// openRebuilt rebuilds the index and opens the new one, if the reason why the old one
// cannot be used calls for that. If another process has just replaced the file that was
// seen, openRebuilt opens that.
func openRebuilt(ctx context.Context, root memdir.Root, depth Depth, seen fs.FileInfo, reason error) (*Index, error) {
	if !wantsRebuild(reason) {
		return nil, reason
	}
	summary, err := rebuildOnce(ctx, root, seen)
	if err != nil {
		return nil, err
	}
	ix, err := openSynced(ctx, root, depth)
	if err == nil && summary != nil {
		summary.Reason = reason
		ix.Rebuilt = summary
	}
	return ix, err
}

// rebuildOnce returns nil if another process has replaced the file that was seen.
func rebuildOnce(ctx context.Context, root memdir.Root, seen fs.FileInfo) (*Summary, error) {
	lock, err := root.LockExclusive(ctx, buildLock, buildTimeout)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	now, err := os.Lstat(root.Join(memdir.IndexName))
	if err == nil && (seen == nil || !os.SameFile(seen, now)) {
		return nil, nil
	}
	return rebuildLocked(ctx, root, Quick, nil)
}

// openReadOnly opens an index in a folder that cannot be written, if that is the
// reason why it was not opened already. It fails unless the index is up to date.
func openReadOnly(ctx context.Context, root memdir.Root, reason error) (*Index, error) {
	if !readOnly(reason) {
		return nil, reason
	}
	d, err := db.OpenReadOnly(ctx, root.Join(memdir.IndexName))
	if err != nil {
		return nil, reason
	}
	if _, err := Sync(ctx, d, root, Full); err != nil {
		d.Close()
		return nil, reason
	}
	return &Index{DB: d}, nil
}

// openLate opens the index as it is, if the time to bring it up to date is over.
func openLate(ctx, work context.Context, root memdir.Root, reason error) (*Index, error) {
	if work.Err() == nil {
		return nil, reason
	}
	ix, err := openOnDisk(ctx, root)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errLate, err)
	}
	ix.Late = true
	return ix, nil
}

func openInMemory(ctx context.Context, root memdir.Root, reason error) (*Index, error) {
	d, err := db.CreateInMemory(ctx)
	if err != nil {
		return nil, err
	}
	if _, isHook := ctx.Deadline(); isHook {
		err = d.Limit(ctx, maxInMemory)
	}
	if err == nil {
		_, err = fill(ctx, d, root, nil)
	}
	if db.Unwritable(err) {
		err = fmt.Errorf("an index in memory would take more than %d MiB, and on disk: %w", maxInMemory>>20, reason)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return &Index{DB: d, InMemory: reason}, nil
}

func readOnly(err error) bool {
	return errors.Is(err, db.ErrReadOnly) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
