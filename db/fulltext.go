package db

import (
	"database/sql/driver"

	"memctl/text"

	"modernc.org/sqlite"
)

// The full text of a memory is text.FullText of its title, tags and body. The
// table's content is the view memory_documents, which has these texts as they
// are: so whoever asks for a column or a snippet sees what was written, and the
// terms that FullText adds are kept in FTS5's index alone. FTS5's own "rebuild"
// would lose them and must not be used.

// How FTS5 is set up (https://sqlite.org/fts5.html#configuration_options). Merging
// segments may rewrite the whole full text: a prompt must never pay for that, so
// nothing is merged by itself until there are very many segments, and commands
// that have time merge a little (TidyUp).
const (
	bulkHash    = 24 << 20 // bytes gathered before a segment is written, while everything is indexed
	usualHash   = 1 << 20  // FTS5's default
	automerge   = 0        // never
	crisismerge = 500      // segments
	mergePages  = 64       // written by one TidyUp
)

// BlankPages is how many rows of the full text are no memories: the migration
// enters pages of a usual length, without a word that anybody looks for, at ids
// below zero. bm25 measures how rare a word is among the rows; in a store of one
// memory every word is in all of them, and none would be worth anything.
const BlankPages = 16

// full_text is text.FullText for the statement that enters everything.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("full_text", 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		s, _ := args[0].(string)
		return text.FullText(s), nil
	})
}

// fillFullText enters the text of all memories. It is one statement, for FTS5
// writes a segment at the end of each.
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

// TidyUp does what prompts leave undone: a bounded part of the merging that is due,
// and the removal of tokens that nobody has any more.
func (t *Tx) TidyUp() error {
	if err := t.configureFullText("merge", mergePages); err != nil {
		return err
	}
	return t.removeUnusedTokens()
}

func (t *Tx) configureFullText(option string, value int) error {
	return t.exec("configure full text", `INSERT INTO memories_fts (memories_fts, rank) VALUES (?, ?)`, option, value)
}

// documentText is the full text of a memory.
type documentText struct{ title, tags, body string }

func (o *document) fullText() documentText {
	return documentText{text.FullText(o.Title), text.FullText(o.Tags), text.FullText(o.Body)}
}

// fullText is that of a memory whose former one is known: most edits leave a part
// as it was.
func (m *memoryRows) fullText(old *document, was documentText) documentText {
	now := was
	if m.title != old.Title {
		now.title = text.FullText(m.title)
	}
	if m.joined != old.Tags {
		now.tags = text.FullText(m.joined)
	}
	if m.body != old.Body {
		now.body = text.FullText(m.body)
	}
	return now
}

// putFullText enters the text of a memory in place of what it had, if it is not a
// fresh one.
func (t *Tx) putFullText(id int64, fresh bool, old *document, m *memoryRows) error {
	was := old.fullText()
	if !fresh {
		if err := t.removeFullText(id, was); err != nil {
			return err
		}
	}
	now := m.fullText(old, was)
	return t.execPrepared("write full text", `
		INSERT INTO memories_fts (rowid, title, tags, body)
		VALUES (?, ?, ?, ?)`, id, now.title, now.tags, now.body)
}

// removeFullText takes a memory out of the full text; FTS5 wants the values that
// were entered.
func (t *Tx) removeFullText(id int64, was documentText) error {
	return t.execPrepared("remove full text", `
		INSERT INTO memories_fts (memories_fts, rowid, title, tags, body)
		VALUES ('delete', ?, ?, ?, ?)`, id, was.title, was.tags, was.body)
}
