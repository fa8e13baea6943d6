package retrieve

import (
	"context"
	"database/sql"
	"strings"

	"memctl/text"
)

// NamedBy returns the memories whose text or history names the memory of r by its id, by their paths. An id without a
// hyphen does not count, because it may be an ordinary word.
func (s Source) NamedBy(ctx context.Context, r Ref) (list []Relation, err error) {
	err = s.DB.Select(ctx, &list, `
		SELECT DISTINCT 'named_by' AS kind, o.id, o.category, '' AS shared, o.title
		FROM (
			SELECT memory_id
			FROM bodies
			WHERE memory_id IN (SELECT rowid FROM memories_fts WHERE memories_fts MATCH :phrase)
				AND instr(body, :id) > 0
			UNION ALL
			SELECT memory_id
			FROM changes
			WHERE instr(summary, :id) > 0
		) t
		CROSS JOIN memories o ON o.memory_id = t.memory_id
		WHERE t.memory_id <> :row AND instr(:id, '-') > 0
		ORDER BY o.path
		LIMIT :limit`, sql.Named("row", r.Row), sql.Named("id", r.ID), sql.Named("phrase", phraseOf(r.ID)),
		sql.Named("limit", maxRelations))
	return list, err
}

// phraseOf returns the phrase that a text matches if it names an id.
func phraseOf(id string) string { return `{body rest} : "` + strings.ReplaceAll(id, `"`, "") + `"` }

// idsIn matches what may be an id with a hyphen in a text.
var idsIn = text.Pattern(`[a-z0-9]+(?:-[a-z0-9]+)+`)

const (
	// maxTitleWords is how many words of a title are compared with other titles, and minTitleWord how many bytes they
	// have at least: shorter ones say little.
	maxTitleWords = 12
	minTitleWord  = 4
)

// AlikeInTitle returns active memories that have half of the longer words of a title in their own, two at least, the
// most alike first.
func (s Source) AlikeInTitle(ctx context.Context, r Ref, title string) (list []Relation, err error) {
	var terms, starts []string
	var args []any
	for _, word := range WordsOf(title) {
		if len(word) >= minTitleWord && len(args) < maxTitleWords {
			terms, args = append(terms, "(instr(lower(title), ?) > 0)"), append(args, word)
			starts = append(starts, `"`+word+`"*`)
		}
	}
	if len(args) < 2 {
		return nil, nil
	}
	least := max(2, (len(args)+1)/2)
	err = s.DB.Select(ctx, &list, `
		SELECT kind, id, category, shared, title
		FROM (
			SELECT 'similar_title' AS kind, id, category, '' AS shared, title, path, `+strings.Join(terms, " + ")+` AS n
			FROM memories
			WHERE record_status = 'active' AND memory_id <> ?
				AND memory_id IN (SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?)
		)
		WHERE n >= ?
		ORDER BY n DESC, path
		LIMIT ?`, append(args, r.Row, "title : ("+strings.Join(starts, " OR ")+")", least, maxRelations)...)
	return list, err
}
