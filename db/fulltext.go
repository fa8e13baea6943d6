package db

import (
	"database/sql/driver"

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

// TidyUp does what prompts leave undone: it merges a bounded part of the full text and
// removes unused tokens.
func (t *Tx) TidyUp() error {
	if err := t.exec("merge full text", `INSERT INTO memories_fts (memories_fts, rank) VALUES ('merge', ?)`, mergePages); err != nil {
		return err
	}
	return t.removeUnusedTokens()
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
