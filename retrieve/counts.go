package retrieve

import (
	"context"

	"memctl/db"
	"memctl/schemas"
)

// maxTagCounts is how many tags Counts has, the most frequent ones.
const maxTagCounts = 40

// Counts says how many memories a filter selects.
type Counts struct {
	Total      int
	Categories map[schemas.Category]int
	Tags       []TagCount // the most frequent first
}

// TagCount is how many memories have a tag.
type TagCount struct {
	Tag   string `db:"tag"`
	Count int    `db:"count"`
}

// Count counts what f selects, whatever its limit.
func Count(ctx context.Context, d *db.DB, f Filter) (Counts, error) {
	c := Counts{Categories: map[schemas.Category]int{}}
	type row struct {
		Category schemas.Category `db:"category"`
		Count    int              `db:"count"`
	}
	rows, err := query[row](ctx, d, `
		SELECT category, count(*) AS count
		FROM memories m
		WHERE `+filtered+`
		GROUP BY category`, f.args()...)
	if err != nil {
		return c, err
	}
	for _, r := range rows {
		c.Categories[r.Category] = r.Count
		c.Total += r.Count
	}
	f.Limit = maxTagCounts
	c.Tags, err = query[TagCount](ctx, d, `
		SELECT t.tag, count(*) AS count
		FROM tags t
		CROSS JOIN memories m ON m.memory_id = t.memory_id
		WHERE `+filtered+`
		GROUP BY t.tag
		ORDER BY count DESC, t.tag
		LIMIT :limit`, f.args()...)
	return c, err
}

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
