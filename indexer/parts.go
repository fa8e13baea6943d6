package indexer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memctl/db"
	"memctl/gate"
	"memctl/memdir"
	"memctl/schemas"
)

// A hook has little time, so it builds a new index in parts, each a transaction, and the next hook goes on where it
// ended. The build has a name of its own until it is complete: no reader takes it for the index.

// mostInPrompt is the size up to which any hook goes on with a build, in bytes. A larger one is left to a session's
// start: otherwise each prompt of a large store would spend its time on it.
const mostInPrompt = 1 << 20

// stopAfterPart runs after each part. Tests end the time there.
var stopAfterPart func()

// errLeft means that a session's start is to build the index.
var errLeft = errors.New("the index is not built yet; the next session start goes on with it")

// isLeft reports whether a hook leaves the index to a session's start.
func isLeft(ctx context.Context, root memdir.Root, depth Depth) bool {
	_, isHook := ctx.Deadline()
	info, err := gate.Lstat(root.Join(memdir.BuildName))
	return isHook && depth != Full && err == nil && info.Size() > mostInPrompt
}

// rebuildInParts is rebuildLocked for a hook.
func rebuildInParts(ctx context.Context, root memdir.Root) (*Summary, error) {
	start, path := time.Now(), root.Join(memdir.BuildName)
	d, err := openBuild(ctx, root, path)
	if err != nil {
		return nil, err
	}
	summary, err := completeBuild(ctx, d, root)
	if err = errors.Join(err, d.Close()); err == nil {
		// The last process that closes it merges the log, which does not come along.
		if info, statErr := gate.Lstat(path + "-wal"); statErr == nil && info.Size() > 0 {
			err = fmt.Errorf("close the new index: %w", db.ErrReadOnly)
		}
	}
	if err != nil {
		if ctx.Err() == nil {
			root.RemoveIndex(memdir.BuildName) // the next one begins again
		}
		return nil, err
	}
	summary.Elapsed = time.Since(start)
	return summary, replace(ctx, root, path)
}

// openBuild opens what an earlier hook built, or begins.
func openBuild(ctx context.Context, root memdir.Root, path string) (*db.DB, error) {
	d, err := db.Open(ctx, path)
	if err == nil || ctx.Err() != nil {
		return d, err
	}
	root.RemoveIndex(memdir.BuildName) // none, damaged, or another version's
	if d, err = db.Create(ctx, path); err != nil {
		return nil, err
	}
	if err := d.Update(ctx, (*db.Tx).PutConstants); err != nil {
		d.Close()
		return nil, err
	}
	if err := d.Finish(ctx); err != nil {
		return nil, err
	}
	return db.Open(ctx, path)
}

// completeBuild adds the files that a build does not have.
func completeBuild(ctx context.Context, d *db.DB, root memdir.Root) (*Summary, error) {
	b := &batch{write: func(b *batch) error {
		err := d.Update(ctx, func(tx *db.Tx) error { return b.writeTo(tx) })
		if stopAfterPart != nil {
			stopAfterPart()
		}
		return err
	}}
	for _, name := range schemas.Folders() {
		if err := b.addParts(ctx, d, listFolder(root, "", name)); err != nil {
			return nil, err
		}
	}
	_ = writeTriggers(ctx, d, root) // without them there is only no answer before a tool
	summary := &Summary{}
	return summary, d.Update(ctx, func(tx *db.Tx) error {
		tx.PutMeta("built_at", schemas.FormatTime(time.Now()))
		return summary.read(tx)
	})
}

// addParts adds the files of a folder that differ, part by part: what an earlier hook did is passed over first.
func (b *batch) addParts(ctx context.Context, d *db.DB, f *folder) error {
	defer f.close()
	listed := 0
	for {
		paths := make([]string, len(f.stats))
		for i, stat := range f.stats {
			paths[i] = f.path + stat.Name
		}
		indexed, err := d.StampsOf(ctx, paths)
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
