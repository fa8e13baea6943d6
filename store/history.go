package store

import (
	"context"
	"fmt"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/git"
	"memctl/indexer"
	"memctl/retrieve"
	"memctl/schemas"
)

// historyLimit is how long a session's start waits for git's log, and historyLimitAsked who asked
// for it.
const (
	historyLimit      = 3 * time.Second
	historyLimitAsked = time.Minute
)

// takeHistory keeps what git's log says of a root's memories in an index, or in the catalogue, where
// their paths begin with a prefix. It counts if git.history is true. It asks for the commits since the
// last time. The next comparison reads the files again for which it says something else now.
func takeHistory(
	ctx context.Context, d *db.DB, root files.Root, prefix string, counts bool, limit time.Duration,
) (changed bool, err error) {
	var last string
	var known bool
	var recorded schemas.History
	if err := d.View(ctx, func(tx *db.Tx) (err error) {
		if last, known, err = tx.RecordedAt(prefix); err == nil && known && counts {
			recorded, err = tx.AllRecorded(prefix)
		}
		return err
	}); err != nil || !known && !counts {
		return false, err
	}
	put := func(tx *db.Tx) error { return tx.ForgetRecorded(prefix) }
	if counts {
		head := git.Head(ctx, root.Path)
		if known && head == last {
			return false, nil
		}
		if head != "" {
			if recorded, err = git.Recorded(ctx, root, head, last, recorded, limit); err != nil {
				return false, err
			}
		} else {
			recorded = nil
		}
		put = func(tx *db.Tx) error { return tx.PutRecorded(prefix, head, recorded) }
	}
	err = d.Update(ctx, put)
	return err == nil, err
}

// date is syncHistory for a command, which has the time that a first look at a long log takes. Hooks and the server
// have the dates of the last session's start, or command.
func (s *Store) date(ctx context.Context, source retrieve.Source) {
	_, isHook := ctx.Deadline()
	if cfg, _, err := source.Root.Config(); err != nil || isHook || s.Depth != Full || !cfg.Git.History {
		return
	}
	changed, err := takeHistory(ctx, source.DB, source.Root, "", true, historyLimitAsked)
	if err == nil && changed {
		_, err = indexer.Sync(ctx, source.DB, source.Root, Full)
	}
	if err != nil && !db.Unwritable(err) {
		s.warn(undated(err))
	}
}

// undated is the warning that git could not be asked.
func undated(err error) error {
	return fmt.Errorf("the times of changes are those of the files: %w", err)
}

// syncHistory is takeHistory for the index of a root, which it then makes equal to the files.
func syncHistory(ctx context.Context, ix *indexer.Index, root files.Root, counts bool, limit time.Duration) error {
	changed, err := takeHistory(ctx, ix.DB, root, "", counts, limit)
	if err == nil && changed {
		err = ix.SyncAgain(ctx)
	}
	return err
}

// RebuildIndex makes the index of a root again from its files, for which it waits for other
// processes, and from git's log where that counts.
func RebuildIndex(
	ctx context.Context, root files.Root, wait time.Duration, progress func(done, total int),
) (*Summary, error) {
	summary, err := indexer.Rebuild(ctx, root, wait, progress)
	if cfg, _, configErr := root.Config(); err == nil && configErr == nil && cfg.Git.History {
		err = indexer.Use(ctx, root, indexer.Usual, func(ix *indexer.Index) error {
			return syncHistory(ctx, ix, root, true, historyLimitAsked)
		})
	}
	return summary, err
}
