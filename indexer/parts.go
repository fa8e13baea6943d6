package indexer

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
)

// A hook has little time. It adds a part of a new index, in one transaction, and the next hook continues there. An
// unfinished build is a separate file; hooks that have no other index answer from it.

const (
	// buildTime is how long one hook builds at most. It adds a batch even if that takes longer, so each gets further.
	buildTime = 1700 * time.Millisecond
	// buildFiles is how many files are a batch: some milliseconds each where reading is slow.
	buildFiles = 100
)

// maxInPrompt is the size, in bytes, up to which every hook continues a build. A larger one waits for a session's
// start, so that prompts of a large store do not spend their time on it.
const maxInPrompt = 1 << 20

// A build may also come with a project. So each has a random token, and a hook goes on only with one whose token this
// person's memctl has noted: none goes on with another's rows.
const (
	tokenKey     = "build"
	startedName  = "builds-started"
	startedLimit = 16 << 10 // bytes
)

// isOver reports whether a hook has built until a time. Tests let it end at once.
var isOver = func(end time.Time) bool { return time.Now().After(end) }

// errUnfinished means that a later session start has to complete the index.
var errUnfinished = errors.New("the index is not built yet; the next session start goes on with it")

// waitsForStart reports whether a hook leaves a large build to the next session start.
func waitsForStart(ctx context.Context, root files.Root, depth Depth) bool {
	_, isHook := ctx.Deadline()
	info, err := gate.Lstat(root.Join(files.BuildName))
	return isHook && depth != Full && err == nil && info.Size() > maxInPrompt
}

// rebuildInParts is rebuildLocked for a hook, and for a command that finds an unfinished build.
func rebuildInParts(ctx context.Context, root files.Root) (*Summary, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(2, runtime.NumCPU()))) // one goroutine reads, another one writes
	start, path := time.Now(), root.Join(files.BuildName)
	d, err := openBuild(ctx, root, path)
	if err != nil {
		return nil, err
	}
	summary, err := completeBuild(ctx, d, root)
	if err != nil {
		err = errors.Join(err, d.Close())
		if ctx.Err() == nil && !errors.Is(err, errUnfinished) {
			root.RemoveIndex(files.BuildName) // the next one begins again
		}
		return nil, err
	}
	summary.Elapsed = time.Since(start)
	open := true
	err = replace(ctx, root, func() error {
		open = false
		return closeBuild(ctx, d, path)
	})
	if open { // another process has the index or the build: the next one goes on
		err = errors.Join(err, d.Close())
	}
	return summary, err
}

// closeBuild turns a complete build into an index. No other process may have it open.
func closeBuild(ctx context.Context, d *db.DB, path string) error {
	err := d.Update(ctx, func(tx *db.Tx) error {
		tx.PutMeta("built_at", schemas.FormatTime(time.Now()))
		return tx.PutMeta(tokenKey, "") // no longer a build
	})
	if err = errors.Join(err, d.Close()); err != nil {
		return err
	}
	// The rename leaves the log behind, so the last process to close the build must have merged it.
	if info, err := gate.Lstat(path + "-wal"); err == nil && info.Size() > 0 {
		return fmt.Errorf("close the new index: %w", db.ErrReadOnly)
	}
	return nil
}

// openUnfinished opens an unfinished build for reading.
func openUnfinished(ctx context.Context, root files.Root) (*Index, error) {
	ix, err := openNamed(ctx, root, files.BuildName)
	if err != nil {
		return nil, err
	}
	if !isOwnBuild(ctx, ix.DB) {
		return nil, errors.Join(db.ErrDamaged, ix.Close())
	}
	// counting the files would take longer than the answer
	ix.Unfinished, err = db.QueryRow[int](ctx, ix.DB, `SELECT coalesce(max(memory_id), 0) FROM memories`)
	if err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return ix, nil
}

// openBuild opens the build of an earlier hook, or begins one.
func openBuild(ctx context.Context, root files.Root, path string) (*db.DB, error) {
	d, err := db.Open(ctx, path)
	if err == nil && !isOwnBuild(ctx, d) {
		err = errors.Join(db.ErrDamaged, d.Close())
	}
	if err == nil || ctx.Err() != nil {
		return d, err
	}
	root.RemoveIndex(files.BuildName) // none, damaged, another version's, or another person's
	if d, err = db.Create(ctx, path); err != nil {
		return nil, err
	}
	_, _ = files.RemoveState(triggersName(root))
	_, _ = files.RemoveState(titlesName(root))
	token := rand.Text()
	if err := d.Update(ctx, func(tx *db.Tx) error {
		tx.PutConstants()
		return tx.PutMeta(tokenKey, token)
	}); err != nil {
		d.Close()
		return nil, err
	}
	if err := d.Finish(ctx); err != nil {
		return nil, err
	}
	_ = files.AppendState(startedName, tokenLine(token), startedLimit) // without it the next hook begins again
	return db.Open(ctx, path)
}

// isOwnBuild reports whether this person's memctl began a build.
func isOwnBuild(ctx context.Context, d *db.DB) bool {
	var token string
	err := d.View(ctx, func(tx *db.Tx) (err error) {
		token, err = tx.Meta(tokenKey)
		return err
	})
	started, stateErr := files.ReadState(startedName, startedLimit)
	return errors.Join(err, stateErr) == nil && bytes.Contains(started, tokenLine(token))
}

// tokenLine returns a line of fixed length, so that no line is part of another.
func tokenLine(token string) []byte { return []byte(text.Hash([]byte(token), sha256.Size) + "\n") }

// completeBuild adds the files that a build does not have. A folder that an earlier hook has completed is not
// compared again; the next session start does that. The error is errUnfinished if there was no time for all.
//
// A hook writes one transaction: each further one would rewrite many pages of the one before.
func completeBuild(ctx context.Context, d *db.DB, root files.Root) (*Summary, error) {
	done, _, err := d.Folders(ctx, "", 0)
	if err != nil {
		return nil, err
	}
	deadline, isHook := ctx.Deadline()
	end := time.Now().Add(min(buildTime, time.Until(deadline)*3/4)) // what it has added by then is still to be written
	unfinished, summary := false, &Summary{}
	err = d.Update(ctx, func(tx *db.Tx) error {
		lines, written := &triggerLines{root: root}, false // a whole batch
		b := &batch{files: buildFiles, write: func(b *batch) error {
			if unfinished = isHook && written && isOver(end); unfinished {
				return errUnfinished
			}
			written = written || b.isFull()
			lines.add(b.triggers...)
			return b.writeTo(tx)
		}}
		defer func() {
			if ctx.Err() == nil {
				lines.append()
			}
		}()
		for _, name := range schemas.Folders() {
			if folder, ok := done[name]; ok && unchanged(root, folder) {
				continue
			}
			if err := b.addParts(ctx, d, listFolder(root, "", name)); unfinished {
				return nil
			} else if err != nil {
				return err
			}
		}
		return summary.read(tx)
	})
	if err == nil && unfinished {
		err = errUnfinished
	}
	return summary, err
}

// addParts adds the files of a folder that differ, part by part: what an earlier hook did is passed over first.
func (b *batch) addParts(ctx context.Context, d *db.DB, f *folder) error {
	defer f.close()
	for compared := 0; ; {
		indexed, err := f.stampsOfPart(ctx, d)
		if err != nil {
			return err
		}
		f.difference = compare(f.stats, indexed)
		if err := errors.Join(b.addFolder(ctx, d, f), b.flush()); err != nil {
			return err
		}
		compared += len(indexed)
		if f.more {
			if err := f.next(); err != nil {
				return err
			}
			continue
		}
		// d has the rows of earlier hooks only: those of this one are not committed
		if n, err := d.CountFiles(ctx, f.path); err != nil {
			return err
		} else if n > compared {
			if err := f.findRemoved(ctx, d); err != nil {
				return err
			}
			b.removed = f.removed
		}
		b.folders = append(b.folders, f.state)
		return b.flush()
	}
}
