package retrieve

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
)

// Similar returns the active memory of a category that says what the title says: more
// than half of the title's words, in any form, are in the memory's title or among its
// tags. Of several it is the one with the most of them. It returns nil if there is none.
func Similar(ctx context.Context, d *db.DB, category schemas.Category, title string) (*Entry, error) {
	return first(Alike(ctx, d, category, title, 1))
}

// Alike returns the first memories of those from which Similar takes one: their ids, paths
// and titles.
func Alike(ctx context.Context, d *db.DB, category schemas.Category, title string, limit int) ([]Entry, error) {
	words := titleWords(title)
	match := make([]string, len(words))
	for i, word := range words {
		match[i] = "{title tags} : " + quote(word)
	}
	return query[Entry](ctx, d, `
		SELECT
			m.id,
			m.path,
			m.title
		FROM json_each(?1) word
		CROSS JOIN memories_fts f ON f.memories_fts MATCH word.value
		JOIN memories m ON m.memory_id = f.rowid
		WHERE m.category = ?2
			AND m.record_status = 'active'
		GROUP BY m.memory_id
		HAVING 2 * count(*) > json_array_length(?1)
		ORDER BY count(*) DESC, m.path
		LIMIT ?3`, db.JSON(match), category, limit)
}

// titleWords are the words of a title that say something. In a script without spaces
// they are pairs of characters.
func titleWords(title string) []string {
	terms := text.TermsOf(title)
	if words := slices.Concat(terms.Topics, terms.Common, terms.Plain); len(words) > 0 {
		return words
	}
	return terms.Pairs
}

// Titled returns the active memory with a title, in any case, other than the one at
// path. It returns nil if there is none.
func Titled(ctx context.Context, d *db.DB, title, path string) (*Entry, error) {
	return first(query[Entry](ctx, d, `
		SELECT
			id,
			path,
			title
		FROM memories
		WHERE title_key = ?
			AND record_status = 'active'
			AND path <> ?
		ORDER BY path
		LIMIT 1`, text.Lower(title), path))
}

// first returns the first of a list, nil if that is empty.
func first(found []Entry, err error) (*Entry, error) {
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// maxWords is how many words of a sentence OnlyIn looks for.
const maxWords = 40

// OnlyIn returns those of the sentences whose words no active memory has together,
// other than the one at path. No prompt would find them if that memory went.
func OnlyIn(ctx context.Context, d *db.DB, path string, sentences []string) ([]string, error) {
	var only []string
	for _, sentence := range sentences {
		words := strings.FieldsFunc(sentence, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r)
		})
		if len(words) == 0 {
			continue
		}
		elsewhere, err := query[int](ctx, d, `
			SELECT 1
			FROM memories_fts f
			JOIN memories m ON m.memory_id = f.rowid
			WHERE memories_fts MATCH ?
				AND m.path <> ?
				AND m.record_status = 'active'
			LIMIT 1`, matchAll(words[:min(len(words), maxWords)]), path)
		if err != nil {
			return nil, err
		}
		if len(elsewhere) == 0 {
			only = append(only, sentence)
		}
	}
	return only, nil
}

// The functions below build FTS5 queries. In double quotes a term is text,
// whatever characters it has (https://sqlite.org/fts5.html#fts5_strings).

func quote(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }

func quoteAll(terms []string) []string {
	quoted := make([]string, len(terms))
	for i, term := range terms {
		quoted[i] = quote(term)
	}
	return quoted
}

// matchAny finds what has one of the terms. Without terms it finds nothing.
func matchAny(terms []string) string {
	if len(terms) == 0 {
		return `""`
	}
	return strings.Join(quoteAll(terms), " OR ")
}

// matchAll finds what has every one of the terms. It is "" without terms.
func matchAll(terms []string) string { return strings.Join(quoteAll(terms), " ") }
