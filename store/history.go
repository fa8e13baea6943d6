package store

import (
	"context"
	"time"

	"memctl/db"
	"memctl/git"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/schemas"
)

// historyLimit is how long a session's start waits for git's log, and historyLimitAsked who asked
// for it.
const (
	historyLimit      = 3 * time.Second
	historyLimitAsked = time.Minute
)

// takeHistory brings an index up to date with what git's log says of a root's memories, which
// counts if git.history is true. It asks for the commits since the last time.
func takeHistory(ctx context.Context, ix *indexer.Index, root memdir.Root, counts bool, limit time.Duration) error {
	var last string
	var known bool
	var recorded map[string]schemas.Recorded
	if err := ix.View(ctx, func(tx *db.Tx) (err error) {
		if last, known, err = tx.RecordedAt(); err == nil && known && counts {
			recorded, err = tx.AllRecorded()
		}
		return err
	}); err != nil || !known && !counts {
		return err
	}
	put := (*db.Tx).ForgetRecorded
	if counts {
		head := git.Head(ctx, root.Path)
		if known && head == last {
			return nil
		}
		if head != "" {
			var err error
			if recorded, err = git.Recorded(ctx, root, head, last, recorded, limit); err != nil {
				return err
			}
		} else {
			recorded = nil
		}
		put = func(tx *db.Tx) error { return tx.PutRecorded(head, recorded) }
	}
	if err := ix.Update(ctx, put); err != nil {
		return err
	}
	_, err := indexer.Sync(ctx, ix.DB, root, indexer.Full)
	return err
}

// RebuildIndex makes the index of a root again from its files, for which it waits for other
// processes, and from git's log where that counts.
func RebuildIndex(
	ctx context.Context, root memdir.Root, wait time.Duration, progress func(done, total int),
) (*Summary, error) {
	summary, err := indexer.Rebuild(ctx, root, wait, progress)
	if cfg, _, configErr := root.Config(); err == nil && configErr == nil && cfg.Git.History {
		err = indexer.Use(ctx, root, indexer.Usual, func(ix *indexer.Index) error {
			return takeHistory(ctx, ix, root, true, historyLimitAsked)
		})
	}
	return summary, err
}
