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

// The options of FTS5 (https://sqlite.org/fts5.html#configuration_options). Merging
// segments may rewrite the whole full text, and a prompt must never wait for that: FTS5
// merges by itself only when there are very many segments, and TidyUp merges a little
// at a time.
const (
	bulkHash    = 24 << 20 // bytes gathered before a segment is written, during a bulk load
	usualHash   = 1 << 20  // FTS5's default
	automerge   = 0        // never
	crisismerge = 500      // segments
	mergePages  = 64       // written by one TidyUp
)

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

// fillFullText adds the text of all memories in one statement, because FTS5 writes a
// segment at the end of each.
func (t *Tx) fillFullText() error {
	if err := t.configureFullText("hashsize", bulkHash); err != nil {
		return err
	}
	if err := t.exec("index full text", `
		INSERT INTO memories_fts (rowid, title, tags, body)
		SELECT memory_id, full_text(title), full_text(tags), full_text(body)
		FROM memory_documents`); err != nil {
		return err
	}
	for _, option := range []struct {
		name  string
		value int
	}{{"hashsize", usualHash}, {"automerge", automerge}, {"crisismerge", crisismerge}} {
		if err := t.configureFullText(option.name, option.value); err != nil {
			return err
		}
	}
	return nil
}

// TidyUp does what prompts leave undone: it merges a bounded part of the full text and
// removes unused tokens.
func (t *Tx) TidyUp() error {
	if err := t.configureFullText("merge", mergePages); err != nil {
		return err
	}
	return t.removeUnusedTokens()
}

func (t *Tx) configureFullText(option string, value int) error {
	return t.exec("configure full text", `INSERT INTO memories_fts (memories_fts, rank) VALUES (?, ?)`, option, value)
}

// addFullText adds the text of a memory.
func (t *Tx) addFullText(id int64, m *memoryRows) error {
	return t.exec("write full text", `
		INSERT INTO memories_fts (rowid, title, tags, body)
		VALUES (?, ?, ?, ?)`, id, text.FullText(m.title), text.FullText(m.tags), text.FullText(m.body))
}

// removeFullText removes the text of a memory. FTS5 wants the values that were
// added.
func (t *Tx) removeFullText(old document) error {
	return t.exec("remove full text", `
		INSERT INTO memories_fts (memories_fts, rowid, title, tags, body)
		VALUES ('delete', ?, ?, ?, ?)`, old.MemoryID, text.FullText(old.Title), text.FullText(old.Tags), text.FullText(old.Body))
}
