package indexer

import (
	"context"
	"errors"
	"os"

	"memctl/db"
	"memctl/memdir"
)

// Record takes in files that the caller has just written, moved or removed. An
// index that is missing, damaged or of another version is left to the next
// reader, which makes it anew.
//
// It is for a process that ends now: after success neither the index nor its
// lock is closed, which the kernel does, for closing merges the write-ahead log,
// and that waits for the disk several times. Only a long log is merged. SQLite
// would not do so for good: each process, being the only one, takes the log to be
// unmerged from its beginning.
//
// look may then ask the index something, though nothing but those files is sure to
// be up to date; nil for nothing.
func Record(ctx context.Context, root memdir.Root, paths []string, look func(*db.DB) error) error {
	return record(ctx, root, paths, look, func() bool { return !longLog(root) })
}

// RecordAndClose is Record for a process that goes on.
func RecordAndClose(ctx context.Context, root memdir.Root, paths []string, look func(*db.DB) error) error {
	return record(ctx, root, paths, look, func() bool { return false })
}

func record(ctx context.Context, root memdir.Root, paths []string, look func(*db.DB) error, stayOpen func() bool) error {
	lock, err := root.LockShared(ctx, useLock, lockTimeout)
	if err != nil {
		return err
	}
	d, err := db.Open(ctx, root.Join(memdir.IndexName))
	if err == nil {
		_, err = Refresh(ctx, d, root, paths)
		if err == nil && look != nil {
			err = look(d)
		}
		if err == nil && stayOpen() {
			return nil
		}
		err = errors.Join(err, d.Close())
	}
	lock.Unlock()
	if db.Rebuildable(err) {
		return nil
	}
	return err
}

// longLog tells whether the log is worth merging: a cold process reads it whole.
func longLog(root memdir.Root) bool {
	info, err := os.Stat(root.Join(memdir.IndexName) + "-wal")
	return err == nil && info.Size() > 1<<20
}
