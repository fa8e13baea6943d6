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

// A hook has little time, so it builds a part of a new index, in one transaction, and the next hook goes on where it
// ended. The build has a name of its own until it is complete. Until then a hook that has no other index answers from
// what is there.

// buildTime is how long one hook builds. A few files are never left, however slow the machine is.
const buildTime = 1700 * time.Millisecond

// mostInPrompt is the size up to which any hook goes on with a build, in bytes. A larger one is left to a session's
// start: if not, each prompt of a large store would spend its time on it.
const mostInPrompt = 1 << 20

// A build may also come with a project. So each has a random token, and a hook goes on only with one whose token this
// person's memctl has noted: none goes on with another's rows.
const (
	tokenKey     = "build"
	startedName  = "builds-started"
	startedLimit = 16 << 10 // bytes
)

// isOver reports whether a hook has built for long enough.
var isOver = func(start time.Time) bool { return time.Since(start) > buildTime }

// errLeft means that a session's start is to build the index.
var errLeft = errors.New("the index is not built yet; the next session start goes on with it")

// isLeft reports whether a hook leaves the index to a session's start.
func isLeft(ctx context.Context, root files.Root, depth Depth) bool {
	_, isHook := ctx.Deadline()
	info, err := gate.Lstat(root.Join(files.BuildName))
	return isHook && depth != Full && err == nil && info.Size() > mostInPrompt
}

// rebuildInParts is rebuildLocked for a hook.
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
		if ctx.Err() == nil && !errors.Is(err, errLeft) {
			root.RemoveIndex(files.BuildName) // the next one begins again
		}
		return nil, err
	}
	summary.Elapsed = time.Since(start)
	return summary, replace(ctx, root, func() error { return closeBuild(ctx, d, path) })
}

// closeBuild makes an index of a complete build that no one else has open.
func closeBuild(ctx context.Context, d *db.DB, path string) error {
	err := d.Update(ctx, func(tx *db.Tx) error {
		tx.PutMeta("built_at", schemas.FormatTime(time.Now()))
		return tx.PutMeta(tokenKey, "") // it is no build any more
	})
	if err = errors.Join(err, d.Close()); err != nil {
		return err
	}
	// The last process that closes it merges the log, which does not come along.
	if info, err := gate.Lstat(path + "-wal"); err == nil && info.Size() > 0 {
		return fmt.Errorf("close the new index: %w", db.ErrReadOnly)
	}
	return nil
}

// openUnfinished opens what there is of a build, to read it.
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

// openBuild opens what an earlier hook built, or begins.
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

// tokenLine has one length whatever the token is, so it is no part of another line.
func tokenLine(token string) []byte { return []byte(text.Hash([]byte(token), sha256.Size) + "\n") }

// completeBuild adds the files that a build does not have. A folder that an earlier hook has completed is not
// compared again; the next session start does that. The error is errLeft if there was no time for all.
//
// All that a hook adds is one transaction: each writes many pages again that the one before wrote.
func completeBuild(ctx context.Context, d *db.DB, root files.Root) (*Summary, error) {
	done, _, err := d.Folders(ctx, "", 0)
	if err != nil {
		return nil, err
	}
	start, left, summary := time.Now(), false, &Summary{}
	err = d.Update(ctx, func(tx *db.Tx) error {
		b := &batch{write: func(b *batch) error {
			if left = b.changed > batchFiles && isOver(start); left {
				return errLeft
			}
			a := &acts{root: root}
			a.add(b.triggers...)
			_ = a.append() // without them there is only no answer before a tool
			return b.writeTo(tx)
		}}
		for _, name := range schemas.Folders() {
			if folder, ok := done[name]; ok && unchanged(root, folder) {
				continue
			}
			if err := b.addParts(ctx, d, listFolder(root, "", name)); left {
				return nil
			} else if err != nil {
				return err
			}
		}
		return summary.read(tx)
	})
	if err == nil && left {
		err = errLeft
	}
	return summary, err
}

// addParts adds the files of a folder that differ, part by part: what an earlier hook did is passed over first.
func (b *batch) addParts(ctx context.Context, d *db.DB, f *folder) error {
	defer f.close()
	listed := 0
	for {
		indexed, err := f.stampsOfPart(ctx, d)
		if err != nil {
			return err
		}
		f.difference = compare(f.stats, indexed)
		if err := errors.Join(b.addFolder(ctx, d, f), b.flush()); err != nil {
			return err
		}
		if listed += len(f.stats); !f.more {
			break
		}
		if err := f.next(); err != nil {
			return err
		}
	}
	if n, err := d.CountFiles(ctx, f.path); err != nil {
		return err
	} else if n > listed {
		if err := f.findRemoved(ctx, d, anyNumber); err != nil {
			return err
		}
		b.removed = f.removed
	}
	b.folders = append(b.folders, f.state)
	return b.flush()
}
