package db

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"sync"

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

// registerFullText makes text.FullText available in SQL as full_text, before the first connection.
var registerFullText = sync.OnceFunc(func() {
	fullText := func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		s, _ := args[0].(string)
		return text.FullText(s), nil
	}
	sqlite.MustRegisterDeterministicScalarFunction("full_text", 1, fullText)
})

// TidyUp does what prompts leave undone: it removes unused tokens and merges a bounded
// part of the full text. If rows were removed or replaced since the last TidyUp, it
// writes the full text again instead. Then no byte of the index or its log has the text
// of those rows any more.
func (d *DB) TidyUp(ctx context.Context) error {
	var removed removals
	err := d.Update(ctx, func(tx *Tx) error {
		removed, _ = tx.removedSince()
		tx.removeUnusedTokens()
		tx.RemoveUnusedVectors()
		return tx.tidyFullText(removed)
	})
	if err != nil || removed == (removals{}) {
		return err
	}
	if err := d.compact(ctx); err != nil {
		return err
	}
	return d.Update(ctx, func(tx *Tx) error {
		tx.removed = removals{-removed.Memories, -removed.Observations} // other processes may have added to it
		return nil
	})
}

// tidyFullText writes the full text again where rows were removed. FTS5 marks a removed
// row's words as deleted, and its "optimize" keeps the marked words of a small index.
func (t *Tx) tidyFullText(removed removals) error {
	if removed.Observations > 0 {
		t.exec("rebuild full text of observations",
			`INSERT INTO observations_fts (observations_fts) VALUES ('rebuild')`)
	}
	if removed.Memories == 0 {
		return t.exec("merge full text", `
			INSERT INTO memories_fts (memories_fts, rank)
			VALUES ('merge', ?)`, mergePages)
	}
	t.exec("remove full text", `INSERT INTO memories_fts (memories_fts) VALUES ('delete-all')`)
	t.addBlankPages()
	ids, _ := queryTx[int64](t, `SELECT memory_id FROM memories ORDER BY memory_id`)
	for part := range slices.Chunk(ids, addedAtOnce) {
		t.exec("write full text", `
			INSERT INTO memories_fts (rowid, title, tags, body, rest)
			SELECT memory_id, full_text(title), full_text(tags), full_text(body), full_text(rest)
			FROM memory_documents
			WHERE memory_id IN (SELECT value FROM json_each(?))
			ORDER BY memory_id`, JSON(part))
	}
	return t.err
}

// addedAtOnce bounds the text that FTS5 keeps in memory: it writes a segment at the end
// of each statement.
const addedAtOnce = 10_000

// addBlankPages adds the pages that the migration adds.
func (t *Tx) addBlankPages() error {
	return t.exec("write blank pages", `
		WITH RECURSIVE pages (page) AS (
			VALUES (-1)
			UNION ALL
			SELECT page - 1
			FROM pages
			WHERE page > -?
		)
		INSERT INTO memories_fts (rowid, title, tags, body, rest)
		SELECT page, '', '', replace(hex(zeroblob(40)), '0', 'blankpage '), ''
		FROM pages`, BlankPages)
}

// compact writes every page again and empties the write-ahead log. SQLite overwrites
// deleted rows (secure_delete), but not the copies that it leaves when it moves rows from
// one page to another.
func (d *DB) compact(ctx context.Context) error {
	conn, err := d.sql.Connx(ctx)
	if err != nil {
		return wrap("compact the index", err)
	}
	defer conn.Close()
	// The copy that VACUUM makes would be too large for a hook's memory.
	for _, statement := range []string{"PRAGMA temp_store = file", "VACUUM"} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return wrap("compact the index", err)
		}
	}
	var result struct{ Busy, Log, Checkpointed int }
	if err := conn.GetContext(ctx, &result, `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		return wrap("merge the write-ahead log", err)
	}
	if result.Busy != 0 {
		return fmt.Errorf("merge the write-ahead log: %w", ErrBusy)
	}
	return nil
}

// fullText is the row of a memory in the full text.
type fullText struct {
	memoryID                int64
	title, tags, body, rest string
}

// firstPage is how many code points of a body the view memory_documents has on its first page, up to the next space.
const firstPage = 480

// fullTextOf makes a memory's row of the view memory_documents, with which it must agree (migrations/00002_index.sql).
func fullTextOf(title, tags, body string) fullText {
	body, _, _ = strings.Cut(body, "\x00") // as SQLite's string functions do
	rest := body[len(text.Truncate(body, firstPage)):]
	_, rest, _ = strings.Cut(rest, " ")
	return fullText{
		title: searchable(title), tags: searchable(tags),
		body: text.FullText(strings.TrimSuffix(body, rest)), rest: text.FullText(rest),
	}
}

// searchable returns what the SQL function full_text returns of a text.
func searchable(s string) string {
	s, _, _ = strings.Cut(s, "\x00")
	return text.FullText(s)
}

// putFullText writes the queued full text. While the ids rise and no statement begins a savepoint, FTS5 collects it in
// memory up to its hashsize and writes few segments.
func (l *Loader) putFullText() error {
	slices.SortFunc(l.texts, func(a, b fullText) int { return cmp.Compare(a.memoryID, b.memoryID) })
	for _, r := range l.texts {
		l.tx.execShort("write full text", `
			INSERT INTO memories_fts (rowid, title, tags, body, rest)
			VALUES (?, ?, ?, ?, ?)`, r.memoryID, r.title, r.tags, r.body, r.rest)
	}
	l.texts = l.texts[:0]
	return l.tx.err
}

// The functions below build FTS5 queries. In double quotes a term is text,
// whatever characters it has (https://sqlite.org/fts5.html#fts5_strings).

// Quote finds a term.
func Quote(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }

// QuoteAll returns a query for each of the terms.
func QuoteAll(terms []string) []string {
	quoted := make([]string, len(terms))
	for i, term := range terms {
		quoted[i] = Quote(term)
	}
	return quoted
}

// MatchAny finds texts with one of the terms. Without terms it finds nothing.
func MatchAny(terms []string) string {
	if len(terms) == 0 {
		return `""`
	}
	return strings.Join(QuoteAll(terms), " OR ")
}

// MatchAll finds texts with every one of the terms. It is "" without terms.
func MatchAll(terms []string) string { return strings.Join(QuoteAll(terms), " ") }
