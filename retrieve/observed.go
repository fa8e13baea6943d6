package retrieve

import (
	"context"

	"memctl/db"
)

// Observed says how much of what the tools did is kept.
type Observed struct {
	Runs     int    `db:"runs" json:"runs"`
	Sessions int    `db:"sessions" json:"sessions"`
	Bytes    int64  `db:"bytes" json:"size_bytes"` // on disk
	First    string `db:"first" json:"first"`
	Last     string `db:"last" json:"last"`
}

// HowMuchObserved counts it. A file that cannot be read has no size.
func HowMuchObserved(ctx context.Context, d *db.DB) (Observed, error) {
	var rows []Observed
	err := d.Select(ctx, &rows, `
		SELECT
			(SELECT count(*) FROM observations) AS runs,
			count(*) AS sessions,
			coalesce(sum(max(size_bytes, 0)), 0) AS bytes,
			coalesce((SELECT min(timestamp) FROM observations), '') AS first,
			coalesce((SELECT max(timestamp) FROM observations), '') AS last
		FROM observation_files`)
	return append(rows, Observed{})[0], err
}
