package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
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

// List returns the memories of all sources that f selects, in an order of SortNames.
func (s Sources) List(ctx context.Context, f Filter, sort string) ([]Item, error) {
	var all []Item
	err := s.each(func(source Source) error {
		items, err := List(ctx, source.DB, f, sort)
		for i := range items {
			items[i].Root = source.Root
		}
		all = append(all, items...)
		return err
	})
	if len(s) > 1 {
		slices.SortStableFunc(all, func(a, b Item) int { return cmp.Or(compareItems(sort, a, b), cmp.Compare(a.Path, b.Path)) })
	}
	if f.Limit > 0 {
		all = all[:min(len(all), f.Limit)]
	}
	return all, err
}

// compareItems orders the items of several sources as orders does those of one.
func compareItems(sort string, a, b Item) int {
	switch sort {
	case "updated":
		return timeOf(b.UpdatedAt).Compare(timeOf(a.UpdatedAt))
	case "created":
		return timeOf(b.CreatedAt).Compare(timeOf(a.CreatedAt))
	case "title":
		return cmp.Compare(text.Lower(a.Title), text.Lower(b.Title))
	case "category":
		return cmp.Or(
			cmp.Compare(priority(a.Category), priority(b.Category)),
			cmp.Compare(a.Category, b.Category),
			cmp.Compare(text.Lower(a.Title), text.Lower(b.Title)),
		)
	}
	return 0
}

// timeOf returns the time of a stamp in seconds. What is no time comes before all others.
func timeOf(stamp string) time.Time {
	at, _ := schemas.ParseTime(stamp)
	return at.Truncate(time.Second)
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
