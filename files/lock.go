package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"memctl/files/gate"
)

// ErrLocked means that another process held a lock for too long.
var ErrLocked = errors.New("locked by another process")

// retryDelay is how often a lock is tried again.
const retryDelay = 3 * time.Millisecond

// Lock is a kernel lock on a file of the root. The kernel frees it when its
// holder dies.
type Lock struct{ f *gate.Lock }

// LockShared takes a lock that many processes may hold at once, while none holds it
// exclusively.
func (r Root) LockShared(ctx context.Context, name string, timeout time.Duration) (*Lock, error) {
	return r.lock(ctx, name, timeout, (*gate.Lock).TryShared)
}

// LockExclusive takes a lock that no other process holds.
func (r Root) LockExclusive(ctx context.Context, name string, timeout time.Duration) (*Lock, error) {
	return r.lock(ctx, name, timeout, (*gate.Lock).TryExclusive)
}

// lock tries at least once, however little time is left: on a busy machine even the
// first try may come late.
func (r Root) lock(ctx context.Context, name string, timeout time.Duration,
	try func(*gate.Lock) (bool, error)) (*Lock, error) {
	path := r.Join(name)
	if info, err := gate.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &inTheWay{path, info.Mode()}
	}
	f := gate.NewLock(path)
	for deadline := time.Now().Add(timeout); ; {
		locked, err := try(f)
		switch {
		case err != nil: // it names the path
			return nil, fmt.Errorf("lock: %w", err)
		case locked:
			return &Lock{f}, nil
		case !time.Now().Before(deadline):
			return nil, fmt.Errorf("lock %s: %w for %v", path, ErrLocked, timeout)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("lock: %w", ctx.Err())
		case <-time.After(retryDelay):
		}
	}
}

// inTheWay is the error for what stands in the place of a lock. To callers, the root cannot be written.
type inTheWay struct {
	path string
	mode fs.FileMode
}

func (e *inTheWay) Error() string { return fmt.Sprintf("lock: %s: %s", e.path, e.reason()) }
func (e *inTheWay) reason() string {
	return "expected a regular file, found " + gate.Kind(e.mode)
}
func (e *inTheWay) Is(target error) bool { return target == fs.ErrPermission }

// Locks are the locks of several roots.
type Locks []*Lock

// Unlock frees the locks.
func (l Locks) Unlock() {
	for _, lock := range l {
		lock.Unlock()
	}
}

// LockWriters takes the write locks of several roots, always in the same order, so that
// two processes do not wait for each other.
func LockWriters(ctx context.Context, timeout time.Duration, roots ...Root) (Locks, error) {
	roots = slices.SortedFunc(slices.Values(roots), func(a, b Root) int { return cmp.Compare(a.Path, b.Path) })
	var locks Locks
	for _, root := range roots {
		lock, err := root.LockExclusive(ctx, WriteLock, timeout)
		if err != nil {
			locks.Unlock()
			return nil, err
		}
		locks = append(locks, lock)
	}
	return locks, nil
}

// LockFolder keeps other memctl processes from writing in a folder that is not a
// memory root. The lock file is in the folder's staging: it would stay behind among
// the files of others.
func LockFolder(ctx context.Context, folder string, timeout time.Duration) (*Lock, error) {
	r := Root{Path: folder}
	staged, err := r.OpenStaging()
	if err != nil {
		return nil, err
	}
	defer staged.Close()
	return Root{Path: r.Staging()}.LockExclusive(ctx, "write.lock", timeout)
}

// Unlock frees the lock. The file stays: if it were removed, a third process could
// lock another file of the same name.
func (l *Lock) Unlock() error { return l.f.Close() }
