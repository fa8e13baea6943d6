package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"time"

	"memctl/db"
	"memctl/schemas"
)

//go:embed over_limit.sql
var overLimitSQL string

// Limit is how many memories of a category may be active, and how old.
type Limit struct {
	Category schemas.Category
	Max      int       // 0: any number
	Since    time.Time // memories last updated before are too old; zero: none are
	Keep     string    // path of a memory that stays whatever the limits; "" for none
}

// OverLimit is an active memory for which a limit leaves no room.
type OverLimit struct {
	Path   string `db:"path"`
	Title  string `db:"title"`
	TooOld bool   `db:"too_old"` // else there are too many
}

// Over returns the active memories beyond a limit, the first to go first.
func Over(ctx context.Context, d *db.DB, l Limit) ([]OverLimit, error) {
	var cutoff any // NULL: none is too old
	if !l.Since.IsZero() {
		cutoff = l.Since.Unix()
	}
	return query[OverLimit](ctx, d, overLimitSQL,
		sql.Named("category", string(l.Category)),
		sql.Named("keep", l.Keep),
		sql.Named("cutoff", cutoff),
		sql.Named("max", l.Max),
	)
}
