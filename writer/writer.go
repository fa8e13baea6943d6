// Package writer makes every change to memory files: create, update, retire,
// archive, unarchive, restore, transfer, collect, enforce and scrub. A change holds the
// root's write lock from reading a file to its being on disk, writes a file whole
// or not at all, and then updates the index. Nothing is read from the index in
// order to write a file.
package writer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/gate"
	"memctl/files/git"
	"memctl/indexer"
	"memctl/privacy"
	"memctl/schemas"
)

// lockTimeout is how long a change waits for another writer.
const lockTimeout = 5 * time.Second

// Writer changes the memories of a root. It is not safe for concurrent use.
type Writer struct {
	Root   files.Root
	Config schemas.Config
	// Other is the user's root if Root is a project's, and the project's if Root is the
	// user's; its zero value if there is none. A refusal says if the memory is there.
	Other files.Root
	Now   func() time.Time
	// Notify receives what was fixed and what deserves a second look.
	Notify func(Notice)
	// Hash, unless it is "", is the MD5 of the file that a person was shown. Move refuses a
	// memory whose file has another one.
	Hash string
	// Lasting is set in a process that goes on after a change. It closes the index
	// after each.
	Lasting bool
	// Read is set where a person has the whole memory before them that a change is made of. What they save counts as
	// seen.
	Read bool
	// Index is the root's index if it is open during a change, else nil.
	Index *indexer.Index
	// Again lets a new memory repeat the one that has its name. It gets a number.
	Again bool
	// Compare, unless it is nil, compares a new memory with the others before it is written. It refuses one with
	// an error.
	Compare func(ctx context.Context, category schemas.Category, m *schemas.Memory) error
	// Propose, unless it is nil, keeps a change of a memory for a person. The change is checked, but not made.
	Propose func(context.Context, Proposal) (number int, err error)
	// Changed, unless it is nil, is called after a change of files, with their paths.
	Changed func(ctx context.Context, paths []string)
	// Step is called between the steps of a change, for tests; nil normally.
	Step   func()
	filter *privacy.Filter
	// batch collects the paths that each indexes at its end; nil outside of each.
	batch *[]string
}

func (w *Writer) now() string { return schemas.FormatTime(w.Now()) }

func (w *Writer) step() {
	if w.Step != nil {
		w.Step()
	}
}

// locked runs change as the only writer of the root and indexes the files that it
// wrote, moved or removed. It gives the code to an error that is not an *Error.
func (w *Writer) locked(ctx context.Context, code Code, change func() (paths []string, err error)) error {
	paths, err := w.underLock(ctx, change)
	w.index(ctx, paths)
	if err == nil {
		w.changed(ctx, paths)
	}
	return w.refusal(code, err)
}

// changed says that files have changed. A change of many files says it once.
func (w *Writer) changed(ctx context.Context, paths []string) {
	if w.Changed != nil && w.batch == nil {
		w.Changed(ctx, paths)
	}
}

// refusal gives a code to an error that is not an *Error.
func (w *Writer) refusal(code Code, err error) error {
	switch {
	case err == nil || errors.As(err, new(*Error)):
		return err
	case errors.Is(err, files.ErrLocked):
		busy := refuse(LockTimeout, "", err.Error(), "run the command again; nothing was written")
		busy.Path = w.Root.Join(files.WriteLock)
		return busy
	}
	return refuse(code, "", err.Error(), "remove the cause and run the command again")
}

// underLock runs change as the only writer of the root, and of some others.
func (w *Writer) underLock(
	ctx context.Context, change func() ([]string, error), others ...files.Root,
) ([]string, error) {
	roots := append(others, w.Root)
	locks, err := files.LockWriters(ctx, lockTimeout, roots...)
	if err != nil {
		return nil, err
	}
	defer locks.Unlock()
	w.step()
	for _, root := range roots {
		if err := root.RemoveTemps(); err != nil {
			return nil, err
		}
	}
	return change()
}

// index updates the index for changed files. They are on disk by now and the next
// reader would find them, so an error is only a warning. It runs without the write
// lock, so that a slow index does not hold up other writers.
func (w *Writer) index(ctx context.Context, paths []string) {
	if len(paths) == 0 {
		return
	}
	w.step()
	if w.batch != nil {
		*w.batch = append(*w.batch, paths...)
		return
	}
	if err := w.record(ctx, paths); err != nil {
		w.warn("the memory is saved, but the index was not updated: %v; "+
			"the next command that reads brings it up to date", err)
	}
	w.commit(ctx, paths)
}

func (w *Writer) record(ctx context.Context, paths []string) error {
	if w.Index == nil {
		return indexer.Record(ctx, w.Root, paths, w.Lasting)
	}
	_, err := indexer.Refresh(ctx, w.Index.DB, w.Root, paths)
	return err
}

// use runs fn on the open index, or on one for it alone.
func (w *Writer) use(ctx context.Context, fn func(*indexer.Index) error) error {
	if w.Index == nil {
		return indexer.Use(ctx, w.Root, indexer.Usual, fn)
	}
	return fn(w.Index)
}

// commit commits changed files if the setting auto_commit says so. They are saved already,
// so an error is only a warning.
func (w *Writer) commit(ctx context.Context, paths []string) {
	if !w.Config.AutoCommit {
		return
	}
	const maxNamed = 100 // a message is an argument of git, whose length systems limit
	names := strings.Join(paths[:min(len(paths), maxNamed)], "\n")
	message := fmt.Sprintf("Save %d files of memories\n\n%s", len(paths), names)
	if len(paths) == 1 {
		message = "Save memory " + paths[0]
		if _, err := gate.Lstat(w.Root.Join(paths[0])); errors.Is(err, fs.ErrNotExist) {
			message = "Remove memory " + paths[0]
		}
	}
	if err := git.CommitFiles(ctx, w.Root.Path, paths, message); err != nil {
		w.warn("the memory is saved, but not committed: %v", err)
	}
}

// Skipped is a file that a change of many files left as it was.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// each runs change with the index of each path and updates the index of memories
// once, at the end. An error skips that path and does not stop the others.
func (w *Writer) each(ctx context.Context, paths []string, change func(i int) error) ([]Skipped, error) {
	skipped, changed := []Skipped{}, []string{}
	w.batch = &changed
	for i := 0; i < len(paths) && ctx.Err() == nil; i++ {
		if err := change(i); err != nil {
			skipped = append(skipped, Skipped{paths[i], Reason(err)})
		}
	}
	w.batch = nil
	if w.index(ctx, changed); len(changed) > 0 {
		w.changed(ctx, changed)
	}
	return skipped, ctx.Err()
}

// Configure changes memory-config.json as memories are changed: under the write lock,
// whole or not at all. Change gets nil if there is no such file.
func (w *Writer) Configure(ctx context.Context, change func(data []byte) ([]byte, error)) error {
	return w.locked(ctx, ConfigError, func() ([]string, error) {
		folder, err := w.Root.OpenFolder(".")
		if err != nil {
			return nil, err
		}
		defer folder.Close()
		folder.Step = w.step
		old, _, err := folder.Read(files.ConfigName)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, badConfig(err)
		}
		data, err := change(old)
		if err != nil {
			return nil, badConfig(err)
		}
		if bytes.Equal(data, old) {
			return nil, nil
		}
		if err := folder.Replace(files.ConfigName, data); err != nil {
			return nil, fmt.Errorf("write %s: %w", files.ConfigName, err)
		}
		return nil, nil
	})
}

func badConfig(err error) error {
	e := refuse(ConfigError, "", err.Error(), "give another value, or fix the file by hand")
	e.Path = files.ConfigName
	return e
}
