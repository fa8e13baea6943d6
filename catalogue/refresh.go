package catalogue

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/schemas"
)

// refresh makes the rows of a root equal to its files.
func (c *catalogue) refresh(ctx context.Context, root memdir.Root) error {
	if err := c.open(ctx); err != nil {
		return err
	}
	state := stateOf(root) // of before the files are read: what changes meanwhile is read again
	row, err := c.row(ctx, root.Path)
	if err != nil {
		return err
	}
	if err := indexer.SyncPlace(ctx, c.db, root, row.Prefix()); err != nil || row.State == state {
		return err
	}
	row.State = state
	return c.db.Update(ctx, func(tx *db.Tx) error {
		_, err := tx.PutCatalogueRoot(row)
		return err
	})
}

// stateOf describes what changes with the files of a root: the times of its folders, and of
// its index, into which memctl takes what was edited in place. It is "" if the next change
// may leave it the same.
func stateOf(root memdir.Root) string {
	names := []string{memdir.ConfigName, memdir.IndexName, memdir.IndexName + "-wal"}
	for _, info := range schemas.Categories {
		names = append(names, info.Folder)
	}
	now := time.Now().UnixNano()
	var state strings.Builder
	for _, name := range names {
		info, err := os.Lstat(root.Join(name))
		if err != nil || info.Size() == 0 && info.Mode().IsRegular() { // an empty log is none
			state.WriteString("- ")
			continue
		}
		mtime := info.ModTime().UnixNano()
		if !memdir.Settled(mtime, now) {
			return ""
		}
		fmt.Fprintf(&state, "%d:%d ", mtime, info.Size())
	}
	return state.String()
}
