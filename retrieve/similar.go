package retrieve

import (
	"context"
	"slices"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
)

// Twin is a memory that may say what another one says.
type Twin struct {
	ID    string `db:"id"`
	Path  string `db:"path"` // below the root
	Title string `db:"title"`
}

// Similar returns the active memory of a category that says what the title says: more
// than half of the title's words, in any form, are in the memory's title or among its
// tags. Of several it is the one with the most of them. It returns nil if there is none.
func Similar(ctx context.Context, d *db.DB, category schemas.Category, title string) (*Twin, error) {
	return first(Twins(ctx, d, category, title, 1))
}

// Twins returns the first memories of those from which Similar takes one.
func Twins(ctx context.Context, d *db.DB, category schemas.Category, title string, limit int) ([]Twin, error) {
	words := titleWords(title)
	match := make([]string, len(words))
	for i, word := range words {
		match[i] = "{title tags} : " + quote(word)
	}
	return query[Twin](ctx, d, `
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
func Titled(ctx context.Context, d *db.DB, title, path string) (*Twin, error) {
	return first(query[Twin](ctx, d, `
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
func first(found []Twin, err error) (*Twin, error) {
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}
