package db

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Analyser splits memories and words into terms as the full text of an index has them.
// FTS5 itself does that, in an index in memory, so there is one stemmer.
type Analyser struct{ index *DB }

// Occurrence is a term in the full text of a memory.
type Occurrence struct {
	Memory int    `db:"doc"` // its place among those given, from 1
	Column string `db:"col"` // title, tags or body
	Offset int    `db:"offset"`
	Term   string `db:"term"`
}

// NewAnalyser returns an analyser. The caller closes it.
func NewAnalyser(ctx context.Context) (*Analyser, error) {
	d, err := CreateInMemory(ctx)
	if err != nil {
		return nil, err
	}
	// https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module
	_, err = d.sql.ExecContext(ctx, `
		CREATE VIRTUAL TABLE temp.occurrences USING fts5vocab(main, memories_fts, instance)`)
	if err != nil {
		d.Close()
		return nil, wrap("create an analyser", err)
	}
	return &Analyser{d}, nil
}

// Close closes the analyser.
func (a *Analyser) Close() error { return a.index.Close() }

// Memories returns the terms of memories, by memory, column and offset.
func (a *Analyser) Memories(ctx context.Context, memories []schemas.Memory) ([]Occurrence, error) {
	return a.occurrences(ctx, func(tx *Tx) {
		for i, m := range memories {
			m = limited(m)
			tags := strings.Join(text.Tags(m.Tags), ",")
			tx.exec("split a memory", `
				INSERT INTO memories_fts (rowid, title, tags, body)
				VALUES (?, full_text(?), full_text(?), full_text(?))`, i+1, m.Title, tags, bodyText(m))
		}
	})
}

// Words returns the terms of each word or phrase, as a query for it has them.
func (a *Analyser) Words(ctx context.Context, words []string) ([][]string, error) {
	found, err := a.occurrences(ctx, func(tx *Tx) {
		tx.exec("split words", `
			INSERT INTO memories_fts (rowid, title)
			SELECT key + 1, value
			FROM json_each(?)`, JSON(words))
	})
	terms := make([][]string, len(words))
	for _, o := range found {
		terms[o.Memory-1] = append(terms[o.Memory-1], o.Term)
	}
	return terms, err
}

// occurrences empties the full text, adds to it and reads it. It cannot be interrupted:
// an index in memory has no journal and cannot roll back.
func (a *Analyser) occurrences(ctx context.Context, add func(*Tx)) (found []Occurrence, err error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	err = a.index.Update(context.WithoutCancel(ctx), func(tx *Tx) error {
		tx.exec("empty the full text", `INSERT INTO memories_fts (memories_fts) VALUES ('delete-all')`)
		add(tx)
		return tx.Select(&found, `SELECT doc, col, "offset", term FROM temp.occurrences`)
	})
	// Here and not in SQLite, where it takes twice as long. The columns are title, tags and body, in this order.
	slices.SortFunc(found, func(a, b Occurrence) int {
		return cmp.Or(cmp.Compare(a.Memory, b.Memory), strings.Compare(b.Column, a.Column), cmp.Compare(a.Offset, b.Offset))
	})
	return found, err
}

// bodyText returns the part of a memory's content that the index takes.
func bodyText(m schemas.Memory) string { return text.Truncate(m.Text(), MaxBody) }
