package memdir

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/schemas"
)

// A memory moves from one root to another in steps: a record of the move in both roots,
// the new file, the end of the old file, the end of the records. The mover holds the write
// locks of both roots all the time. So a process that has the lock of a root and finds a
// record there knows that the mover has died, and ends the move. At no point is the
// memory in neither root.

// moveName is the record of a move. Git ignores it with the index's other files.
const moveName = IndexName + ".move"

// move is the record of a move.
type move struct {
	From string `json:"from"` // the roots
	To   string `json:"to"`
	Path string `json:"path"` // of the memory below both roots
	Old  string `json:"old"`  // the SHA-256 of the file in From
	New  string `json:"new"`  // that of the file in To
}

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

// Move moves a memory to the same path in another root, where it has a new content:
// fs.ErrExist if that path is taken. The caller holds the write locks of both roots. Step
// is called between the steps, for tests; it may be nil.
func Move(from, to Root, path string, before, after []byte, step func()) error {
	folder, name := filepath.Split(filepath.FromSlash(path))
	source, err := from.OpenFolder(filepath.Clean(folder))
	if err != nil {
		return err
	}
	if source == nil {
		return fs.ErrNotExist
	}
	defer source.Close()
	target, err := to.MakeFolder(filepath.Clean(folder))
	if err != nil {
		return err
	}
	defer target.Close()
	if _, err := target.Stat(name); err == nil {
		return fs.ErrExist
	}
	source.Step, target.Step = step, step
	m := move{from.Path, to.Path, path, hashOf(before), hashOf(after)}
	err = errors.Join(to.recordMove(m, step), from.recordMove(m, step))
	if err == nil {
		err = target.WriteNew(name, after)
	}
	if err == nil {
		err = source.Remove(name)
	}
	if err != nil {
		return errors.Join(err, m.undo(source, target, name))
	}
	return m.forget(step)
}

// undo leaves the memory where it was, if it is still there.
func (m move) undo(source, target *Folder, name string) error {
	if _, err := source.Stat(name); err != nil {
		return nil // it has gone; the next process ends the move
	}
	if data, _, err := target.Read(name); err == nil && hashOf(data) == m.New {
		if err := target.Remove(name); err != nil {
			return err
		}
	}
	return m.forget(nil)
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// recordMove writes the record of a move into the root.
func (r Root) recordMove(m move, step func()) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	top, err := r.OpenFolder(".")
	if err != nil {
		return err
	}
	defer top.Close()
	top.Step = step
	return top.Replace(moveName, append(data, '\n'))
}

// forget removes the records, the source's first: as long as both files may exist, both
// records do.
func (m move) forget(step func()) error {
	return errors.Join(Root{Path: m.From}.forgetMove(step), Root{Path: m.To}.forgetMove(step))
}

func (r Root) forgetMove(step func()) error {
	top, err := r.OpenFolder(".")
	if err != nil {
		return err
	}
	if top == nil {
		return nil
	}
	defer top.Close()
	top.Step = step
	return top.RemoveIfThere(moveName)
}

// HasMove reports whether the root has the record of a move.
func (r Root) HasMove() bool { return exists(r.Join(moveName)) }

// readMove returns the record of a move that concerns the root, false if there is none.
func (r Root) readMove() (m move, ok bool) {
	data, err := r.readOptional(moveName)
	if err != nil || json.Unmarshal(data, &m) != nil {
		return m, false
	}
	_, isMemory := schemas.CategoryOfPath(m.Path)
	return m, isMemory && m.From != m.To && (m.From == r.Path || m.To == r.Path) && strings.HasSuffix(m.Path, ".json")
}

// FinishMove ends a move that a process left in the root when it died: if the new file
// was there, the old one goes. It waits for a process that is moving a memory now.
func (r Root) FinishMove(ctx context.Context, timeout time.Duration) error {
	m, err := r.abandonedMove(ctx, timeout)
	if m == nil || err != nil {
		return err
	}
	from, to := Root{Path: m.From}, Root{Path: m.To}
	locks, err := LockWriters(ctx, timeout, from, to)
	if err != nil {
		return err
	}
	defer locks.Unlock()
	if !m.isRecorded() {
		return nil // another process has ended it
	}
	old, _ := from.ReadFile(m.Path)
	if placed, err := to.ReadFile(m.Path); err == nil && hashOf(placed) == m.New && hashOf(old) == m.Old {
		folder, err := from.OpenFolder(filepath.Dir(filepath.FromSlash(m.Path)))
		if err != nil {
			return err
		}
		defer folder.Close()
		if err := folder.Remove(filepath.Base(m.Path)); err != nil {
			return err
		}
	}
	return m.forget(nil)
}

// abandonedMove returns the move that a dead process has left, nil if there is none. A
// record that the other root does not have is removed: the files were not both there, or
// the record came with the files of a stranger.
func (r Root) abandonedMove(ctx context.Context, timeout time.Duration) (*move, error) {
	lock, err := r.LockExclusive(ctx, WriteLock, timeout)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	if !r.HasMove() {
		return nil, nil
	}
	if m, ok := r.readMove(); ok && m.isRecorded() {
		return &m, nil
	}
	return nil, r.forgetMove(nil)
}

// isRecorded reports whether both roots have this record.
func (m move) isRecorded() bool {
	for _, path := range []string{m.From, m.To} {
		if other, ok := (Root{Path: path}).readMove(); !ok || other != m {
			return false
		}
	}
	return true
}
