package indexer

import (
	"context"
	"errors"
	"os"

	"memctl/db"
	"memctl/memdir"
)

// Record updates the rows of files that the caller has just written, moved or
// removed. It leaves an index that is missing, damaged or of another version to the
// next reader, which rebuilds it.
//
// Record is for a process that ends now: after success it closes neither the index nor
// its lock, which the kernel does. To close the index would merge the write-ahead log,
// which waits for the disk several times, so only a long log is merged.
func Record(ctx context.Context, root memdir.Root, paths []string) error {
	return record(ctx, root, paths, func() bool { return !hasLongLog(root) })
}

// RecordAndClose is Record for a process that goes on.
func RecordAndClose(ctx context.Context, root memdir.Root, paths []string) error {
	return record(ctx, root, paths, func() bool { return false })
}

func record(ctx context.Context, root memdir.Root, paths []string, stayOpen func() bool) error {
	lock, err := root.LockShared(ctx, useLock, lockTimeout)
	if err != nil {
		return err
	}
	d, err := db.Open(ctx, root.Join(memdir.IndexName))
	if err == nil {
		_, err = Refresh(ctx, d, root, paths)
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

// hasLongLog reports whether the write-ahead log is worth merging: each new process
// reads all of it.
func hasLongLog(root memdir.Root) bool {
	info, err := os.Stat(root.Join(memdir.IndexName) + "-wal")
	return err == nil && info.Size() > 1<<20
}
