package retrieve

import (
	"context"
	"fmt"
	"time"

	"memctl/db"
)

// itemColumns are the columns that Item is read from.
const itemColumns = `id, path, category, title, tags, record_status, created_at, updated_at, times_updated`

// filtered is the condition of a Filter.
const filtered = `
			(:statuses IS NULL OR record_status IN (SELECT value FROM json_each(:statuses)))
			AND (:categories IS NULL OR category IN (SELECT value FROM json_each(:categories)))
			AND (:tag IS NULL OR EXISTS (SELECT 1 FROM tags g WHERE g.memory_id = m.memory_id AND g.tag = :tag))
			AND (:since IS NULL OR updated_unix >= :since)`

// orders are the orders of a listing by name. The path breaks ties.
var orders = map[string]string{
	"updated":  "updated_unix DESC",
	"created":  "created_unix DESC",
	"title":    "title_key",
	"category": "coalesce((SELECT priority FROM categories k WHERE k.category = m.category), 10), category, title_key",
	"path":     "path",
}

// SortNames are the orders that List knows, the default first.
var SortNames = []string{"updated", "created", "title", "category", "path"}

// List returns the memories that f selects, in an order that is one of SortNames.
// Without a limit it returns all of them.
func List(ctx context.Context, d *db.DB, f Filter, sort string) ([]Item, error) {
	order, ok := orders[sort]
	if !ok {
		return nil, fmt.Errorf("unknown order %q", sort)
	}
	statement := `
		SELECT ` + itemColumns + `
		FROM memories m
		WHERE ` + filtered + `
		ORDER BY ` + order + `, path
		LIMIT CASE WHEN :limit > 0 THEN :limit ELSE -1 END`
	return query[Item](ctx, d, statement, f.args()...)
}

// HeavyUpdates is how many updates a memory takes before it is worth a look. One
// that changes so often holds several subjects, or one that is not settled.
const HeavyUpdates = 5

// HeavilyUpdated returns the active memories with more than HeavyUpdates updates,
// the most updated first.
func HeavilyUpdated(ctx context.Context, d *db.DB) ([]Item, error) {
	return query[Item](ctx, d, `
		SELECT `+itemColumns+`
		FROM memories
		WHERE record_status = 'active' AND times_updated > ?
		ORDER BY times_updated DESC, path`, HeavyUpdates)
}

// RetiredSince returns the memories retired at or after a time, the last one first.
func RetiredSince(ctx context.Context, d *db.DB, since time.Time) ([]Item, error) {
	return query[Item](ctx, d, `
		SELECT `+itemColumns+`, retired_at, coalesce(retired_reason, '') AS retired_reason
		FROM memories
		WHERE record_status = 'retired' AND retired_unix >= ?
		ORDER BY retired_unix DESC, path`, since.Unix())
}
