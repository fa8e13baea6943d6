package indexer

import (
	"context"
	"errors"
	"time"

	"memctl/db"
	"memctl/memdir"
)

// Depth is how closely Use compares the files with the index.
type Depth int

const (
	// Quick compares only the folders whose mtime has changed, or every folder of a
	// small store. In a large store it may miss an edit in place: the next Full finds
	// it, and so does Stale when the memory is about to be shown. Quick leaves
	// observations out.
	Quick Depth = iota
	// Usual is Quick and takes in new observations.
	Usual
	// Full compares every file and takes in new observations.
	Full
)

const (
	// quickLimit is the number of files up to which Quick compares all of them.
	quickLimit = 300
	// syncLimit is the number of changed files above which a rebuild is cheaper.
	syncLimit = 5000
	// syncBytes bounds the changed files that Sync holds in memory; a rebuild holds few.
	syncBytes = 8 << 20
)

// errTooMany means that a rebuild is faster than Sync.
var errTooMany = errors.New("too many changes")

// Sync brings the index up to date with the memory files and returns how many files
// it added, replaced or removed.
func Sync(ctx context.Context, d *db.DB, root memdir.Root, depth Depth) (int, error) {
	recorded, large, err := d.Folders(ctx, quickLimit)
	if err != nil {
		return 0, err
	}
	var updates []*update
	changed := 0
	for _, name := range categoryFolders() {
		if known, ok := recorded[name]; ok && large && depth != Full && unchanged(root, known) {
			continue
		}
		s := scanFolder(root, name)
		defer s.close()
		u, err := newUpdate(ctx, d, s, recorded[name])
		if err != nil {
			return 0, err
		}
		if u.needed(recorded[name]) {
			updates = append(updates, u)
		}
		changed += u.changes()
	}
	if changed > syncLimit {
		return 0, errTooMany
	}
	n, err := apply(ctx, d, updates)
	if err != nil || depth != Full {
		return n, err
	}
	return n, tidyUp(ctx, d, n > 0)
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

// unchanged reports whether no file of a folder was added, removed or renamed since
// memctl last compared them.
func unchanged(root memdir.Root, recorded db.Folder) bool {
	mtime, err := root.FolderMtime(recorded.Folder)
	return err == nil && mtime == recorded.MtimeNS && settled(recorded)
}

// settled reports whether the next change of a folder is sure to change its mtime.
func settled(f db.Folder) bool { return memdir.Settled(f.MtimeNS, f.ListedNS) }
