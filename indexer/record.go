package indexer

import (
	"context"
	"errors"
	"os"

	"memctl/memdir"
)

// Record updates the rows of files that the caller has just written, moved or
// removed. It leaves an index that is missing, damaged or of another version, and large
// changes, to the next reader, which rebuilds it.
//
// A process that ends now is not lasting: after success Record closes neither the index
// nor its lock, which the kernel does. To close the index would merge the write-ahead
// log, which waits for the disk several times, so Record merges only a long log.
func Record(ctx context.Context, root memdir.Root, paths []string, lasting bool) error {
	ix, err := openOnDisk(ctx, root)
	if err == nil {
		_, err = Refresh(ctx, ix.DB, root, paths)
		if err == nil && !lasting && !hasLongLog(root) {
			return nil
		}
		err = errors.Join(err, ix.Close())
	}
	if wantsRebuild(err) {
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
