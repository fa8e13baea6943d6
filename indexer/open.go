package indexer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/gate"
)

const (
	// lockTimeout is how long to wait for a lock on the index.
	lockTimeout = 5 * time.Second
	// buildTimeout is how long one process waits for another's rebuild.
	buildTimeout = 20 * time.Second
	// maxInMemory bounds an index in memory in a hook, in bytes: some 6,000 usual
	// memories.
	maxInMemory = 12 << 20
)

// errLate means that there is no index to use, and no time to build one.
var errLate = errors.New("the index could not be built in time; memctl reindex finishes it")

// way is the way in which an index was opened. The ways are tried in this order.
type way int

const (
	onDisk way = iota
	rebuilt
	unwritable // read-only
	inMemory
	late
)

// Index is an index that was up to date when it was opened.
type Index struct {
	*db.DB
	lock  *files.Lock
	root  files.Root
	depth Depth
	way   way
	// Changed is how many files were added, replaced or removed by opening it.
	Changed int
	// Rebuilt is set if the index had to be rebuilt.
	Rebuilt *Summary
	// InMemory is why the index on disk could not be used; nil normally.
	InMemory error
	// Late is set if there was no time to bring the index up to date.
	Late bool
	// Unfinished is about how many memories an unfinished build has; 0 for a complete index.
	Unfinished int
	// Unread is set if there was no time to take in all observations.
	Unread bool

	keep bool
}

// Keep makes Release leave the index open for the next use in this process, which ends soon.
func (ix *Index) Keep() { ix.keep = true }

// Use opens the root's index, brings it up to date and runs fn on it, with another index
// once more if fn finds that the first is damaged or cannot be written. It fails only if fn
// does, the memory files cannot be read, or ctx ends.
func Use(ctx context.Context, root files.Root, depth Depth, fn func(*Index) error) error {
	ix, err := Open(ctx, root, depth)
	for err == nil {
		err = fn(ix)
		if !ix.Failed(err) {
			return errors.Join(err, ix.Release(err))
		}
		ix, err = ix.Another(ctx, err)
	}
	return err
}

// Open opens the root's index and brings it up to date. It rebuilds an index that is
// missing, damaged or foreign, and makes one in memory if the index cannot be written. Full
// also removes what killed writers left. The caller ends with Release.
//
// If ctx has a deadline, a quarter of the time is left to the caller. If the index is not
// up to date by then, Open returns the one on disk as it is: results are checked against
// their own files. A later session start, or reindex, has more time.
func Open(ctx context.Context, root files.Root, depth Depth) (*Index, error) {
	if depth == Full {
		root.Sweep(ctx)
	}
	ix, err := open(ctx, root, depth, onDisk, nil)
	if err == nil && depth == Full {
		if ix.way <= rebuilt {
			root.RemoveStaleBuild()
		}
		completeTriggers(ctx, ix)
	}
	return ix, err
}

// Failed reports whether an error of a query calls for Another index.
func (ix *Index) Failed(err error) bool { return db.Rebuildable(err) || db.Unwritable(err) }

// Another closes an index that has failed, and opens one in the next way.
func (ix *Index) Another(ctx context.Context, reason error) (*Index, error) {
	ix.Close()
	return open(ctx, ix.root, ix.depth, ix.way+1, reason)
}

// open opens an index in the first way that succeeds, from one on. Reason is why the ways
// before have failed.
func open(ctx context.Context, root files.Root, depth Depth, from way, reason error) (*Index, error) {
	before, _ := gate.Lstat(root.Join(files.IndexName))
	work, cancel := beforeDeadline(ctx)
	defer cancel()
	for w := from; w <= late; w++ {
		var ix *Index
		var err error
		switch {
		case w == onDisk:
			ix, err = openSynced(work, root, depth)
		case w == rebuilt && db.Rebuildable(reason) && waitsForStart(ctx, root, depth):
			err = errUnfinished
		case w == rebuilt && db.Rebuildable(reason):
			ix, err = openRebuilt(work, root, depth, before, reason)
		case w == unwritable && readOnly(reason):
			if ix, err = openReadOnly(work, root); err != nil {
				continue // the reason is still why it cannot be written
			}
		case w == inMemory && !errors.Is(reason, errUnfinished): // building in memory would take as long
			ix, err = openInMemory(work, root, reason)
		case w == late && (work.Err() != nil || errors.Is(reason, errUnfinished)):
			ix, err = openLate(ctx, root)
		default:
			continue
		}
		if err == nil {
			ix.root, ix.depth, ix.way = root, depth, w
			if err = ix.observe(ctx, work); err == nil {
				return ix, nil
			}
			ix.Close()
		}
		reason = err
	}
	return nil, reason
}

// beforeDeadline leaves a quarter of the time until ctx's deadline.
func beforeDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(deadline)*3/4)
}

// SyncAgain brings the index up to date once more. Like Open, it leaves the caller a quarter of the time: the next
// session start takes in the rest.
func (ix *Index) SyncAgain(ctx context.Context) error {
	work, cancel := beforeDeadline(ctx)
	defer cancel()
	_, err := Sync(work, ix.DB, ix.root, Full)
	if ix.Late = work.Err() != nil; ix.Late {
		return ctx.Err()
	}
	return err
}

// openOnDisk opens the index as it is. No rebuild replaces it until it is closed.
func openOnDisk(ctx context.Context, root files.Root) (*Index, error) {
	return openNamed(ctx, root, files.IndexName)
}

func openNamed(ctx context.Context, root files.Root, name string) (*Index, error) {
	lock, err := root.LockShared(ctx, useLock, lockTimeout)
	if err != nil {
		return nil, err
	}
	d, err := db.Open(ctx, root.Join(name))
	if err != nil {
		lock.Unlock()
		return nil, err
	}
	return &Index{DB: d, lock: lock}, nil
}

// openSynced opens the index on disk, or takes one that this process has left open, and brings it up to date.
func openSynced(ctx context.Context, root files.Root, depth Depth) (ix *Index, err error) {
	if ix = takeLeft(root); ix == nil {
		ix, err = openOnDisk(ctx, root)
	}
	if err != nil {
		return nil, err
	}
	if ix.Changed, err = Sync(ctx, ix.DB, root, depth); err == nil && depth == Full {
		err = tidyUp(ctx, ix.DB, ix.Changed > 0)
	}
	if err != nil {
		ix.Close()
		return nil, err
	}
	return ix, nil
}

// openRebuilt rebuilds the index and opens the new one. If another process has just
// replaced the file that was seen, openRebuilt opens that.
func openRebuilt(ctx context.Context, root files.Root, depth Depth, before fs.FileInfo, reason error) (*Index, error) {
	summary, err := rebuildOnce(ctx, root, before)
	if err != nil {
		return nil, err
	}
	if summary != nil {
		depth = Quick // it has just compared the files
	}
	ix, err := openSynced(ctx, root, depth)
	if err == nil && summary != nil {
		summary.Reason = reason
		ix.Rebuilt = summary
	}
	return ix, err
}

// rebuildOnce returns nil if another process has replaced the file that was seen.
func rebuildOnce(ctx context.Context, root files.Root, before fs.FileInfo) (*Summary, error) {
	lock, err := root.LockExclusive(ctx, buildLock, buildTimeout)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	now, err := gate.Lstat(root.Join(files.IndexName))
	if err == nil && (before == nil || !os.SameFile(before, now)) {
		return nil, nil
	}
	return rebuildLocked(ctx, root, Quick, nil)
}

// openReadOnly opens an index in a folder that cannot be written. It fails unless the
// index is up to date.
func openReadOnly(ctx context.Context, root files.Root) (*Index, error) {
	d, err := db.OpenReadOnly(ctx, root.Join(files.IndexName))
	if err != nil {
		return nil, err
	}
	if _, err := Sync(ctx, d, root, Full); err != nil {
		d.Close()
		return nil, err
	}
	return &Index{DB: d}, nil
}

func openInMemory(ctx context.Context, root files.Root, reason error) (*Index, error) {
	d, err := db.CreateInMemory(ctx)
	if err != nil {
		return nil, err
	}
	if _, isHook := ctx.Deadline(); isHook {
		err = d.Limit(ctx, maxInMemory)
	}
	if err == nil {
		_, err = fill(ctx, d, &triggerLines{root: root}, nil)
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

// openLate opens the index as it is, or as much of one as there is.
func openLate(ctx context.Context, root files.Root) (*Index, error) {
	ix, err := openOnDisk(ctx, root)
	if err != nil {
		var unfinished error
		if ix, unfinished = openUnfinished(ctx, root); unfinished != nil {
			return nil, fmt.Errorf("%w: %w", errLate, err)
		}
	}
	ix.Late = true
	return ix, nil
}

// observe takes in new observations. If the time is over, the next run takes in the rest.
func (ix *Index) observe(ctx, work context.Context) error {
	if ix.depth == Quick || ix.Late {
		return nil
	}
	err := observe(work, ix.DB, ix.root)
	if work.Err() != nil {
		ix.Unread, err = true, ctx.Err()
	}
	return err
}

// Release closes the index after a use that ended with err. After a successful prompt it
// leaves the index open: the process ends now and the kernel frees its locks. To close it
// would merge the write-ahead log, which waits for the disk; only a long log is merged.
// After Keep it leaves the index open too, if there is no log.
func (ix *Index) Release(err error) error {
	staysOpen := ix.depth == Quick && !hasLongLog(ix.root) || ix.keep && ix.way <= rebuilt && !hasLog(ix.root, 0)
	if err == nil && staysOpen {
		left.Lock()
		defer left.Unlock()
		left.open = append(left.open, ix)
		return nil
	}
	if err := ix.Close(); !db.Unwritable(err) {
		return err
	}
	return nil
}

// left has the indexes that Release left open.
var left struct {
	sync.Mutex
	open []*Index
}

// takeLeft returns an index of a root that Release left open, nil if there is none.
func takeLeft(root files.Root) *Index {
	left.Lock()
	defer left.Unlock()
	for i, ix := range left.open {
		if ix.root.Path == root.Path && ix.way <= rebuilt {
			left.open = slices.Delete(left.open, i, i+1)
			return &Index{DB: ix.DB, lock: ix.lock}
		}
	}
	return nil
}

// CloseLeft closes the indexes that Release left open, for a process that goes on.
func CloseLeft() {
	left.Lock()
	defer left.Unlock()
	for _, ix := range left.open {
		ix.Close()
	}
	left.open = nil
}

// Close closes the index and lets a rebuild replace it.
func (ix *Index) Close() error {
	err := ix.DB.Close()
	if ix.lock != nil {
		ix.lock.Unlock()
	}
	return err
}

// hasLongLog reports whether the write-ahead log is worth merging: each new process
// reads all of it.
func hasLongLog(root files.Root) bool { return hasLog(root, 1<<20) }

// hasLog reports whether the write-ahead log has more than a number of bytes.
func hasLog(root files.Root, bytes int64) bool {
	info, err := gate.Stat(root.Join(files.IndexName) + "-wal")
	return err == nil && info.Size() > bytes
}

// tidyTimeout is how long a hook tidies an index. A store of some 60,000 memories
// takes longer and is left to gc.
const tidyTimeout = 4 * time.Second

// tidyUp tidies the index if it has changed, or if a prompt has removed memories since
// the last time. While another process reads, the next Full does it.
func tidyUp(ctx context.Context, d *db.DB, changed bool) error {
	removed, err := d.HasRemoved(ctx)
	if err != nil || !changed && !removed {
		return err
	}
	if _, isHook := ctx.Deadline(); isHook {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, tidyTimeout)
		defer cancel()
	}
	if err := d.TidyUp(ctx); !db.Unwritable(err) && ctx.Err() == nil {
		return err
	}
	return nil
}

func readOnly(err error) bool {
	return errors.Is(err, db.ErrReadOnly) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
