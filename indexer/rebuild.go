package indexer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
)

// Lock files next to the index. A process that has the index, or an unfinished
// build of it, open holds useLock shared.
// It is held exclusively only while a new index replaces the old one, because SQLite's
// write-ahead log belongs to a name, not to a file. buildLock is held while a new index
// is built.
const (
	useLock   = files.IndexName + ".lock"
	buildLock = files.BuildLock
)

// Summary is the result of a rebuild.
type Summary struct {
	Memories map[schemas.Status]int
	Broken   int               // how many files and folders cannot be indexed
	Problems []schemas.Problem // why, of the first maxProblems
	Twins    []schemas.Problem // indexed files that some system takes for another one
	Elapsed  time.Duration
	// Reason is why the old index was replaced; nil on request.
	Reason error
}

// maxProblems bounds the problems in a Summary. The index has all of them.
const maxProblems = 100

// Files is the number of files that were read.
func (s *Summary) Files() int {
	n := s.Broken
	for _, count := range s.Memories {
		n += count
	}
	return n
}

// First reports whether there was no index before.
func (s *Summary) First() bool { return errors.Is(s.Reason, db.ErrMissing) }

// Why is the reason in a few words.
func (s *Summary) Why() string {
	for _, cause := range []error{db.ErrMissing, db.ErrDamaged} {
		if errors.Is(s.Reason, cause) {
			return cause.Error()
		}
	}
	return db.ErrVersion.Error()
}

// Progress receives the number of files read so far and their total.
type Progress func(done, total int)

// Rebuild builds a new index, while other processes go on reading the old one, and
// replaces the old one with it.
func Rebuild(ctx context.Context, root files.Root, wait time.Duration, progress Progress) (*Summary, error) {
	lock, err := root.LockExclusive(ctx, buildLock, wait)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	root.Sweep(ctx)
	return rebuildLocked(ctx, root, Full, progress)
}

// rebuildLocked is Rebuild for a caller that holds buildLock. Quick leaves observations
// to the next reader that wants them, and looks for no twins.
func rebuildLocked(ctx context.Context, root files.Root, depth Depth, progress Progress) (*Summary, error) {
	start := time.Now()
	path := root.Join(files.BuildName)
	if _, err := db.IsOwn(ctx, root.Join(files.IndexName)); err != nil {
		return nil, err
	}
	_, isHook := ctx.Deadline()
	if _, err := gate.Lstat(path); depth == Quick && (isHook || err == nil) {
		return rebuildInParts(ctx, root)
	}
	root.RemoveIndex(files.BuildName) // what a killed rebuild left behind
	defer root.RemoveIndex(files.BuildName)
	d, err := db.Create(ctx, path)
	if err != nil {
		return nil, err
	}
	a := &triggerLines{root: root}
	summary, err := fill(ctx, d, a, progress)
	if err == nil && depth != Quick {
		if err = observe(ctx, d, root); err == nil {
			err = d.View(ctx, func(tx *db.Tx) (err error) {
				summary.Twins, err = Collisions(tx)
				return err
			})
		}
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	_ = a.replace() // without them there is only no answer before a tool
	summary.Elapsed = time.Since(start)
	if err := d.Finish(ctx); err != nil {
		return nil, err
	}
	return summary, replace(ctx, root, nil)
}

// replace puts a new index in the place of the old one, once no process has either open. finish, if not nil, completes
// the new one under the lock.
func replace(ctx context.Context, root files.Root, finish func() error) error {
	lock, err := root.LockExclusive(ctx, useLock, lockTimeout)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	index := root.Join(files.IndexName)
	own, err := db.IsOwn(ctx, index)
	if err == nil && !own {
		err = root.KeepOther(files.IndexName)
	}
	if err == nil && finish != nil {
		err = finish()
	}
	if err != nil {
		return fmt.Errorf("put the new index in place: %w", err)
	}
	root.RemoveIndex(files.IndexName)
	if err := root.PlaceIndex(); err != nil {
		return fmt.Errorf("put the new index in place: %w", err)
	}
	return nil
}

// fill loads every file of a root into an empty index, and collects the triggers.
func fill(ctx context.Context, d *db.DB, a *triggerLines, progress Progress) (*Summary, error) {
	summary := &Summary{}
	err := d.Update(ctx, func(tx *db.Tx) error {
		tx.PutConstants()
		if err := loadFolders(ctx, tx, a, progress); err != nil {
			return err
		}
		tx.PutMeta("built_at", schemas.FormatTime(time.Now()))
		return summary.read(tx)
	})
	return summary, err
}

func loadFolders(ctx context.Context, tx *db.Tx, a *triggerLines, progress Progress) error {
	loader := tx.Load()
	done, total := 0, 0
	if progress != nil {
		total = countFiles(a.root)
	}
	add := func(e entry) error {
		if done++; progress != nil {
			progress(done, max(done, total))
		}
		a.add(e.triggers...)
		return loader.Add(e.Entry)
	}
	for _, name := range schemas.Folders() {
		if err := loadFolder(ctx, tx, listFolder(a.root, "", name), add); err != nil {
			return err
		}
	}
	return loader.Close()
}

// loadFolder adds the files of a folder, part by part.
func loadFolder(ctx context.Context, tx *db.Tx, f *folder, add func(entry) error) error {
	defer f.close()
	for {
		names := make([]string, len(f.stats))
		for i, stat := range f.stats {
			names[i] = stat.Name
		}
		if err := readAll(ctx, f, names, nil, add); err != nil {
			return err
		}
		if !f.more {
			return tx.PutFolder(f.state)
		}
		if err := f.next(); err != nil {
			return err
		}
	}
}

// countFiles counts the files of all folders that can be listed.
func countFiles(root files.Root) (total int) {
	for _, name := range schemas.Folders() {
		f := listFolder(root, "", name)
		for total += len(f.stats); f.more && f.next() == nil; {
			total += len(f.stats)
		}
		f.close()
	}
	return total
}

func (s *Summary) read(tx *db.Tx) (err error) {
	s.Memories, _ = tx.Counts()
	s.Broken, _ = tx.CountProblems()
	s.Problems, err = tx.Problems(maxProblems)
	return err
}
