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

// Every is for Over to return all memories.
const Every = everyMemory

// OverLimit is an active memory for which a limit leaves no room.
type OverLimit struct {
	Path   string `db:"path"`
	Title  string `db:"title"`
	TooOld bool   `db:"too_old"` // else there are too many
}

// Over returns the active memories beyond a limit, the first to go first: at most most of
// them, and how many there are. Imported ones do not count to the number: their source
// decides how many there are.
func Over(ctx context.Context, d *db.DB, l Limit, most int) (over []OverLimit, total int, err error) {
	var cutoff any // NULL: none is too old
	if !l.Since.IsZero() {
		cutoff = l.Since.Unix()
	}
	args := []any{sql.Named("category", string(l.Category)), sql.Named("keep", l.Keep), sql.Named("cutoff", cutoff)}
	active, err := db.QueryRow[int](ctx, d, `
		SELECT count(*)
		FROM memories
		WHERE category = ?
			AND record_status = 'active'
			AND ',' || tags || ',' NOT LIKE '%,imported,%'`, l.Category)
	if err != nil {
		return nil, 0, err
	}
	tooMany := 0
	if l.Max > 0 {
		tooMany = max(0, active-l.Max)
	}
	fetched := min(tooMany, most)
	if cutoff != nil { // those that are too old follow those that have no age, and precede or follow the others
		fetched = Every
	}
	listed, err := db.Query[OverLimit](ctx, d, overLimitSQL, append(args, sql.Named("limit", fetched))...)
	for i, m := range listed {
		if i < tooMany || m.TooOld {
			over = append(over, m)
		}
	}
	return over[:min(len(over), most)], max(tooMany, len(over)), err
}
