package db

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
)

// A write-ahead log belongs to a name, not to a file: if someone copies another index
// over this one, SQLite merges the log of the first into the second. So every index has
// a random generation, in its file's header and in a row of meta. Each transaction
// changes another row on that page, which brings the page into the log: with a foreign
// log the two generations differ.

// generationOffset is where the file's header keeps the user version
// (https://sqlite.org/fileformat2.html#the_database_header).
const generationOffset = 60

func (d *DB) putGeneration(ctx context.Context) error {
	generation := strconv.Itoa(1 + rand.IntN(1<<31-1))
	err := d.Update(ctx, func(tx *Tx) error {
		for _, counter := range []string{"writes", "removed"} {
			if err := tx.PutMeta(counter, "0"); err != nil {
				return err
			}
		}
		return tx.PutMeta("generation", generation)
	})
	if err != nil {
		return err
	}
	_, err = d.sql.ExecContext(ctx, "PRAGMA user_version = "+generation)
	return wrap("mark the index", err)
}

// countWrite brings meta's page into the log. It also counts what TidyUp will have to
// clear.
func (t *Tx) countWrite() error {
	return t.exec("count a write", `
		UPDATE meta
		SET value = value + iif(key = 'writes', 1, ?)
		WHERE key IN ('writes', 'removed')`, t.removed)
}

// checkLog compares the generation that SQLite sees through the log with the file's
// own. Without a log there is nothing to compare.
func (d *DB) checkLog(seen int64) error {
	if info, err := os.Stat(d.Path + "-wal"); err != nil || info.Size() == 0 {
		return nil
	}
	file, err := os.Open(d.Path)
	if err != nil {
		return fmt.Errorf("open index: %w: %w", ErrReadOnly, err)
	}
	defer file.Close()
	var header [4]byte
	if _, err := file.ReadAt(header[:], generationOffset); err != nil {
		return fmt.Errorf("open index: %w: %w", ErrDamaged, err)
	}
	if own := int64(binary.BigEndian.Uint32(header[:])); own != seen {
		return fmt.Errorf("open index: %w: the write-ahead log beside it is another index's", ErrDamaged)
	}
	return nil
}
