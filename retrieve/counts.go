package retrieve

import (
	"cmp"
	"context"
	"slices"

	"memctl/db"
	"memctl/schemas"
)

// Count returns how many memories f selects in each category, whatever its limit.
func (s Sources) Count(ctx context.Context, f Filter) (map[schemas.Category]int, error) {
	type row struct {
		Category schemas.Category `db:"category"`
		Count    int              `db:"count"`
	}
	counts := map[schemas.Category]int{}
	err := s.each(func(source Source) error {
		rows, err := query[row](ctx, source.DB, `
			SELECT category, count(*) AS count
			FROM memories m
			WHERE `+filtered+`
			GROUP BY category`, f.args()...)
		for _, r := range rows {
			counts[r.Category] += r.Count
		}
		return err
	})
	return counts, err
}

// TagCount is how many memories have a tag.
type TagCount struct {
	Tag   string `db:"tag"`
	Count int    `db:"count"`
}

// CountTags returns how many of the memories that f selects have each tag, the most
// frequent first. Its limit is that of the tags.
func (s Sources) CountTags(ctx context.Context, f Filter) ([]TagCount, error) {
	limit := f.Limit
	if len(s) > 1 {
		f.Limit = 0 // a tag that is rare in one root may be frequent in another
	}
	counts := map[string]int{}
	err := s.each(func(source Source) error {
		tags, err := query[TagCount](ctx, source.DB, countTagsSQL, f.args()...)
		for _, t := range tags {
			counts[t.Tag] += t.Count
		}
		return err
	})
	tags := make([]TagCount, 0, len(counts))
	for tag, n := range counts {
		tags = append(tags, TagCount{tag, n})
	}
	slices.SortFunc(tags, func(a, b TagCount) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Tag, b.Tag)) })
	if limit > 0 {
		tags = tags[:min(len(tags), limit)]
	}
	return tags, err
}

// countTagsSQL counts by the token, in the order in which postings are stored, and looks
// up only the tokens that it returns.
const countTagsSQL = `
	SELECT t.token AS tag, c.count
	FROM (
		SELECT p.token_id, count(*) AS count
		FROM postings p
		CROSS JOIN memories m ON m.memory_id = p.memory_id
		WHERE p.in_tags
			AND ` + filtered + `
		GROUP BY p.token_id
	) c
	CROSS JOIN tokens t ON t.token_id = c.token_id
	ORDER BY c.count DESC, t.token
	LIMIT CASE WHEN :limit > 0 THEN :limit ELSE -1 END`

// DayCount is how many memories of a category were created on a day.
type DayCount struct {
	Day      string           `db:"day"` // 2006-01-02, UTC
	Category schemas.Category `db:"category"`
	Count    int              `db:"count"`
}

// CreatedByDay counts the memories of every status by the day of their creation, oldest
// first.
func CreatedByDay(ctx context.Context, d *db.DB) ([]DayCount, error) {
	return query[DayCount](ctx, d, `
		SELECT date(created_unix, 'unixepoch') AS day, category, count(*) AS count
		FROM memories
		WHERE created_unix IS NOT NULL
		GROUP BY day, category
		ORDER BY day, category`)
}
