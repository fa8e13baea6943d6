package retrieve

import (
	"context"
	"strings"
)

// NamedBy returns the memories whose text or history names the memory of r by its id, by their paths. An id without a
// hyphen does not count, because it may be an ordinary word.
func (s Source) NamedBy(ctx context.Context, r Ref) (list []Relation, err error) {
	err = s.DB.Select(ctx, &list, `
		SELECT DISTINCT 'named_by' AS kind, o.id, o.category, '' AS shared, o.title
		FROM memories own
		CROSS JOIN (
			SELECT memory_id, body AS words FROM bodies
			UNION ALL
			SELECT memory_id, summary FROM changes
		) t ON instr(t.words, own.id) > 0 AND t.memory_id <> own.memory_id
		CROSS JOIN memories o ON o.memory_id = t.memory_id
		WHERE own.memory_id = ? AND instr(own.id, '-') > 0
		ORDER BY o.path
		LIMIT ?`, r.Row, maxRelations)
	return list, err
}

const (
	// maxTitleWords is how many words of a title are compared with other titles, and minTitleWord how many bytes they
	// have at least: shorter ones say little.
	maxTitleWords = 12
	minTitleWord  = 4
)

// AlikeInTitle returns active memories that have half of the longer words of a title in their own, two at least, the
// most alike first.
func (s Source) AlikeInTitle(ctx context.Context, r Ref, title string) (list []Relation, err error) {
	var terms []string
	var args []any
	for _, word := range WordsOf(title) {
		if len(word) >= minTitleWord && len(args) < maxTitleWords {
			terms, args = append(terms, "(instr(lower(title), ?) > 0)"), append(args, word)
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
		)
		WHERE n >= ?
		ORDER BY n DESC, path
		LIMIT ?`, append(args, r.Row, least, maxRelations)...)
	return list, err
}
