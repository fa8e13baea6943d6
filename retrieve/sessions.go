package retrieve

import (
	"context"

	"memctl/db"
)

// Session is a session of which tools were observed.
type Session struct {
	ID       string `db:"session_id" json:"session_id"`
	First    string `db:"first" json:"first"` // RFC 3339, UTC
	Last     string `db:"last" json:"last"`
	Runs     int    `db:"runs" json:"runs"`
	Failures int    `db:"failures" json:"failures"`
}

// Sessions returns the sessions of which tools were observed, the last one first.
func Sessions(ctx context.Context, d *db.DB, limit int) ([]Session, error) {
	return query[Session](ctx, d, `
		SELECT
			session_id,
			min(timestamp) AS first,
			max(timestamp) AS last,
			count(*) AS runs,
			coalesce(sum(NOT success), 0) AS failures
		FROM observations
		GROUP BY session_id
		ORDER BY last DESC, session_id
		LIMIT ?`, limit)
}
