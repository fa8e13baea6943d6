package db

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"

	"memctl/files/gate"
	"memctl/schemas"
)

// PutMeta records one fact about the index.
func (t *Tx) PutMeta(key, value string) error {
	return t.exec("write meta", `
		INSERT INTO meta (key, value) VALUES (?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
}

// Meta returns a fact about the index, "" if it is not recorded.
func (t *Tx) Meta(key string) (string, error) {
	var value string
	err := t.get("read meta", &value, `SELECT coalesce((SELECT value FROM meta WHERE key = ?), '')`, key)
	return value, err
}

// PutConstants writes the rows that do not depend on any file: the content version and the
// categories.
func (t *Tx) PutConstants() error {
	t.PutMeta("content_version", strconv.Itoa(ContentVersion))
	table := newInserter(t, "categories", "category", "folder", "display", "priority")
	for _, info := range schemas.Categories {
		table.queue(string(info.Category), info.Folder, info.Category.Display(), info.Priority)
	}
	return table.flush()
}

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
		for _, counter := range []string{"writes", "removed_memories", "removed_observations"} {
			tx.PutMeta(counter, "0")
		}
		return tx.PutMeta("generation", generation)
	})
	if err != nil {
		return err
	}
	_, err = d.sql.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %s; PRAGMA application_id = %d", generation,
		applicationID))
	return wrap("mark the index", err)
}

// Noted returns a fact that Note recorded, and the state of the index. Every Update changes the state, so an equal
// state means equal rows of files. It is "" for an index in memory.
func (d *DB) Noted(ctx context.Context, key string) (state, value string, err error) {
	row, err := QueryRow[struct{ State, Value string }](ctx, d, `
		SELECT
			coalesce((SELECT value FROM meta WHERE key = 'generation')
				|| ':' || (SELECT value FROM meta WHERE key = 'writes'), '') AS state,
			coalesce((SELECT value FROM meta WHERE key = ?), '') AS value`, key)
	return row.State, row.Value, err
}

// Note records a fact and leaves the state as it is.
func (d *DB) Note(ctx context.Context, key, value string) error {
	return d.run(ctx, nil, func(tx *Tx) error { return tx.PutMeta(key, value) })
}

// removals counts rows that were removed or replaced since the last TidyUp.
type removals struct {
	Memories     int `db:"memories"`
	Observations int `db:"observations"` // by file
}

// countWrite brings meta's page into the log. It also counts what TidyUp will have to
// clear.
func (t *Tx) countWrite(counter string) error {
	return t.exec("count a write", `
		INSERT INTO meta (key, value)
		VALUES (?, '1'), ('removed_memories', ?), ('removed_observations', ?)
		ON CONFLICT (key) DO UPDATE SET value = value + excluded.value`,
		counter, t.removed.Memories, t.removed.Observations)
}

const selectRemoved = `
	SELECT
		coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'removed_memories'), 0) AS memories,
		coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'removed_observations'), 0) AS observations`

func (t *Tx) removedSince() (removals, error) {
	rows, err := queryTx[removals](t, selectRemoved)
	return append(rows, removals{})[0], err
}

// HasRemoved reports whether rows were removed or replaced since the last TidyUp.
func (d *DB) HasRemoved(ctx context.Context) (bool, error) {
	removed, err := QueryRow[removals](ctx, d, selectRemoved)
	return removed != removals{}, err
}

// checkLog compares the generation that SQLite sees through the log with the file's
// own. Without a log there is nothing to compare.
func (d *DB) checkLog(generation int64) error {
	if info, err := gate.Stat(d.Path + "-wal"); err != nil || info.Size() == 0 {
		return nil
	}
	file, _, err := gate.OpenRegular(d.Path)
	if err != nil {
		return fmt.Errorf("open index: %w: %w", ErrReadOnly, err)
	}
	defer file.Close()
	var header [4]byte
	if _, err := file.ReadAt(header[:], generationOffset); err != nil {
		return fmt.Errorf("open index: %w: %w", ErrDamaged, err)
	}
	if own := int64(binary.BigEndian.Uint32(header[:])); own != generation {
		return fmt.Errorf("open index: %w: the write-ahead log next to it is another index's", ErrDamaged)
	}
	return nil
}
