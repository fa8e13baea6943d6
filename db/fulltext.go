package db

import (
	"context"
	"database/sql/driver"
	"fmt"

	"memctl/text"

	"modernc.org/sqlite"
)

// The full text of a memory is text.FullText of its title, tags and body. The table's
// content is the view memory_documents, which has the texts as they were written: a
// query for a column or a snippet returns those, and only FTS5's index has the terms
// that FullText adds. FTS5's own "rebuild" would lose these terms; do not use it.

// mergePages is how many pages one TidyUp writes. FTS5 itself merges nothing (see the
// migration): a merge may rewrite the whole full text, and a prompt must not wait for
// that.
const mergePages = 64

// BlankPages is the number of rows of the full text that are not memories: the
// migration adds pages of a usual length, without words that people search for, at ids
// below zero. bm25 measures how rare a word is among the rows. In a store of one memory
// every word would be in every row and worth nothing.
const BlankPages = 16

// full_text makes text.FullText available in SQL.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("full_text", 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		s, _ := args[0].(string)
		return text.FullText(s), nil
	})
}

// TidyUp does what prompts leave undone: it removes unused tokens and merges a bounded
// part of the full text, or all of it if memories were removed or replaced since the
// last TidyUp. Then no byte of the index or its log has their text any more.
func (d *DB) TidyUp(ctx context.Context) error {
	removed := 0
	err := d.Update(ctx, func(tx *Tx) error {
		err := tx.get("count removed memories", &removed, `SELECT coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'removed'), 0)`)
		if err != nil {
			return err
		}
		if err := tx.removeUnusedTokens(); err != nil {
			return err
		}
		if removed == 0 {
			return tx.exec("merge full text", `INSERT INTO memories_fts (memories_fts, rank) VALUES ('merge', ?)`, mergePages)
		}
		for _, table := range []string{"memories_fts", "observations_fts"} {
			if err := tx.exec("merge full text", `INSERT INTO `+table+` (`+table+`) VALUES ('optimize')`); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || removed == 0 {
		return err
	}
	if err := d.clearLog(ctx); err != nil {
		return err
	}
	return d.Update(ctx, func(tx *Tx) error {
		return tx.exec("count removed memories", `UPDATE meta SET value = value - ? WHERE key = 'removed'`, removed)
	})
}

// clearLog merges the write-ahead log and empties it.
func (d *DB) clearLog(ctx context.Context) error {
	var result struct{ Busy, Log, Checkpointed int }
	if err := d.sql.GetContext(ctx, &result, `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		return wrap("merge the write-ahead log", err)
	}
	if result.Busy != 0 {
		return fmt.Errorf("merge the write-ahead log: %w", ErrBusy)
	}
	return nil
}

// HasRemoved reports whether memories were removed or replaced since the last TidyUp.
func (d *DB) HasRemoved(ctx context.Context) (bool, error) {
	var removed []bool
	err := d.Select(ctx, &removed, `SELECT 1 FROM meta WHERE key = 'removed' AND CAST(value AS INTEGER) > 0`)
	return len(removed) > 0, err
}

// addFullText adds the text of memories, given by a JSON list of their ids, in one
// statement, because FTS5 writes a segment at the end of each.
func (t *Tx) addFullText(ids string) error {
	return t.exec("write full text", `
		INSERT INTO memories_fts (rowid, title, tags, body)
		SELECT memory_id, full_text(title), full_text(tags), full_text(body)
		FROM memory_documents
		WHERE memory_id IN (SELECT value FROM json_each(?))
		ORDER BY memory_id`, ids)
}

// removeFullText removes the text of a file's memory. FTS5 wants the values that were
// added.
func (t *Tx) removeFullText(path string) error {
	return t.exec("remove full text", `
		INSERT INTO memories_fts (memories_fts, rowid, title, tags, body)
		SELECT 'delete', memory_id, full_text(title), full_text(tags), full_text(body)
		FROM memory_documents
		WHERE memory_id = (SELECT memory_id FROM files WHERE path = ?)`, path)
}
