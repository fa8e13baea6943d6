package writer

import (
	"context"
	"errors"
	"time"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/privacy"
	"memctl/schemas"
)

// lockTimeout is how long another writer may take.
const lockTimeout = 5 * time.Second

// Writer changes the memories of a root.
type Writer struct {
	Root   memdir.Root
	Config schemas.Config
	Now    func() time.Time
	// Notify is told what was mended and what deserves a second look, as it
	// is found, also where the change is then refused.
	Notify func(Notice)
	// Lasting is set in a process that goes on after a change: it must not leave the
	// index open.
	Lasting bool
	// Step is called between the steps of a change, for tests; nil normally.
	Step   func()
	filter *privacy.Filter
	// batch gathers what the index is told of at the end; nil where it is told at
	// once.
	batch *[]string
}

func (w *Writer) now() string { return schemas.FormatTime(w.Now()) }

// locked runs fn as the one writer, and tells the index of the files that fn
// made, changed or removed; look may then ask it something, as in indexer.Record.
// Errors that are none of ours get the code.
func (w *Writer) locked(ctx context.Context, code Code, look func(*db.DB) error, fn func() (paths []string, err error)) error {
	paths, err := w.alone(ctx, fn)
	if len(paths) > 0 {
		w.tell(ctx, paths, look)
	}
	var ours *Error
	switch {
	case err == nil || errors.As(err, &ours):
		return err
	case errors.Is(err, memdir.ErrLocked):
		return failed(LockTimeout, Detail{"path", w.Root.Join(memdir.WriteLock)}, Detail{"error", err.Error()},
			Detail{"fix", "run the command again; nothing was written"})
	}
	return failed(code, Detail{"error", err.Error()}, Detail{"fix", "mend the cause and run the command again"})
}

func (w *Writer) alone(ctx context.Context, fn func() ([]string, error)) ([]string, error) {
	lock, err := w.Root.LockExclusive(ctx, memdir.WriteLock, lockTimeout)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	w.step()
	if err := w.Root.RemoveTemps(); err != nil {
		return nil, err
	}
	return fn()
}

// tell brings files into the index. They are safe by now: an index that cannot
// be told is only a warning, for the next reader finds out by itself. It is done
// without the lock, lest a slow index holds up other writers.
func (w *Writer) tell(ctx context.Context, paths []string, look func(*db.DB) error) {
	w.step()
	if w.batch != nil {
		*w.batch = append(*w.batch, paths...)
		return
	}
	record := indexer.Record
	if w.Lasting {
		record = indexer.RecordAndClose
	}
	if err := record(ctx, w.Root, paths, look); err != nil {
		w.warn("the memory is saved, but the index could not be told: %v; the next command that reads brings it up to date", err)
	}
}

// together runs fn, which makes many changes, and tells the index of all of them
// at once.
func (w *Writer) together(ctx context.Context, fn func() error) error {
	var paths []string
	w.batch = &paths
	err := fn()
	w.batch = nil
	if len(paths) > 0 {
		w.tell(ctx, paths, nil)
	}
	return err
}

func (w *Writer) step() {
	if w.Step != nil {
		w.Step()
	}
}
