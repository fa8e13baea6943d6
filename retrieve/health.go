package retrieve

import (
	"context"
	"time"

	"memctl/db"
)

// HeavyUpdates is how many updates a memory takes before it is worth a look: what
// changes so often is several subjects in one, or none that is settled.
const HeavyUpdates = 5

// HeavilyUpdated returns the active memories with more than HeavyUpdates updates,
// the most updated first.
func HeavilyUpdated(ctx context.Context, d *db.DB) ([]Item, error) {
	var items []Item
	err := d.Select(ctx, &items, `
		SELECT `+itemColumns+`
		FROM memories
		WHERE record_status = 'active' AND times_updated > ?
		ORDER BY times_updated DESC, path`, HeavyUpdates)
	return items, err
}

// Retirement is a retired memory with when and why.
type Retirement struct {
	Item
	At     string `db:"retired_at"`
	Reason string `db:"retired_reason"`
}

// RetiredSince returns the memories retired at or after a time, the last one first.
func RetiredSince(ctx context.Context, d *db.DB, since time.Time) ([]Retirement, error) {
	var retired []Retirement
	err := d.Select(ctx, &retired, `
		SELECT `+itemColumns+`, retired_at, coalesce(retired_reason, '') AS retired_reason
		FROM memories
		WHERE record_status = 'retired' AND retired_unix >= ?
		ORDER BY retired_unix DESC, path`, since.Unix())
	return retired, err
}
