package indexer

import (
	"context"
	"errors"

	"memctl/db"
	"memctl/memdir"
)

// Record takes the files named into the index. An index that is missing or
// damaged is left to the next reader, who rebuilds it from the files.
func Record(ctx context.Context, root memdir.Root, paths []string) error {
	lock, err := root.LockShared(ctx, useLock, lockTimeout)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	d, err := db.Open(ctx, root.Join(memdir.IndexName))
	if err == nil {
		_, err = Refresh(ctx, d, root, paths)
		err = errors.Join(err, d.Close())
	}
	if db.Rebuildable(err) {
		return nil
	}
	return err
}
