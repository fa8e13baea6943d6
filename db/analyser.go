package db

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"memctl/schemas"
	"memctl/text"
)

// Analyser splits memories and words into terms as the full text of an index has them.
// FTS5 itself does that, in an index in memory, so there is one stemmer.
type Analyser struct {
	index  *DB
	mu     sync.Mutex
	places map[string]int // places in terms of words of memories, about maxKnown at most
	terms  [][]string
}

// maxKnown bounds the words whose terms an Analyser remembers.
const maxKnown = 1 << 18

// MemoryTerms are the terms of the title, the tags and the body of a memory, in the order of the text.
type MemoryTerms [3][]string

// occurrence is a term of a word.
type occurrence struct {
	Word   int    `db:"doc"` // its place among those given, from 1
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
	return &Analyser{index: d}, nil
}

// Close closes the analyser.
func (a *Analyser) Close() error { return a.index.Close() }

// Memories returns the terms of memories. FTS5 sees each different word once: a word is what stands between two
// ASCII characters that are neither letters nor digits, which end a term whatever stands around them.
func (a *Analyser) Memories(ctx context.Context, memories []schemas.Memory) ([]MemoryTerms, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.places) > maxKnown || a.places == nil {
		a.places, a.terms = map[string]int{}, nil
	}
	texts := make([][len(MemoryTerms{})][]int, len(memories)) // words, by their places in a.terms
	var unknown []string
	for i, m := range memories {
		m = Limited(m)
		for column, s := range []string{m.Title, strings.Join(text.Tags(m.Tags), ","), bodyText(m)} {
			for word := range strings.FieldsFuncSeq(text.FullText(s), endsTerm) {
				place, found := a.places[word]
				if !found {
					word = strings.Clone(word) // the text may go
					place = len(a.places)
					a.places[word] = place
					unknown = append(unknown, word)
				}
				texts[i][column] = append(texts[i][column], place)
			}
		}
	}
	added, err := a.Words(ctx, unknown)
	if err != nil {
		a.places = nil
		return nil, err
	}
	a.terms = append(a.terms, added...)
	terms := make([]MemoryTerms, len(memories))
	for i := range texts {
		for column, words := range texts[i] {
			for _, place := range words {
				terms[i][column] = append(terms[i][column], a.terms[place]...)
			}
		}
	}
	return terms, nil
}

// endsTerm reports whether a character is in no term, whatever stands around it.
func endsTerm(r rune) bool {
	return r < utf8.RuneSelf && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// Words returns the terms of each word or phrase, as a query for it has them. It cannot be interrupted: an index in
// memory has no journal and cannot roll back.
func (a *Analyser) Words(ctx context.Context, words []string) ([][]string, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var list []occurrence
	err := a.index.Update(context.WithoutCancel(ctx), func(tx *Tx) error {
		tx.exec("empty the full text", `INSERT INTO memories_fts (memories_fts) VALUES ('delete-all')`)
		tx.exec("split words", `
			INSERT INTO memories_fts (rowid, title)
			SELECT key + 1, value
			FROM json_each(?)`, JSON(words))
		return tx.Select(&list, `SELECT doc, "offset", term FROM temp.occurrences`)
	})
	// Here and not in SQLite, where it takes twice as long.
	slices.SortFunc(list, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.Word, b.Word), cmp.Compare(a.Offset, b.Offset))
	})
	terms := make([][]string, len(words))
	for _, o := range list {
		terms[o.Word-1] = append(terms[o.Word-1], o.Term)
	}
	return terms, err
}

// bodyText returns the part of a memory's content that the index takes.
func bodyText(m schemas.Memory) string {
	return strings.Clone(text.Truncate(m.Text(), MaxBody)) // the whole text may be ten times as long
}
