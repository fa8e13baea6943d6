package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"time"

	"memctl/db"
	"memctl/schemas"
)

//go:embed surplus.sql
var surplusSQL string

// Limit is how many memories of a category may be active, and how old.
type Limit struct {
	Category schemas.Category
	Max      int       // 0: any number
	Since    time.Time // memories touched before are too old; zero: none are
	Keep     string    // path of a memory that stays, whatever the limits; "" for none
}

// Surplus is an active memory for which a limit leaves no room.
type Surplus struct {
	Path      string `db:"path"`
	Title     string `db:"title"`
	UpdatedAt string `db:"updated_at"`
	Aged      bool   `db:"aged"` // too old; else one too many
}

// Over lists the memories beyond a limit, the first to go first.
func Over(ctx context.Context, d *db.DB, l Limit) ([]Surplus, error) {
	var list []Surplus
	err := d.Select(ctx, &list, surplusSQL, l.args()...)
	return list, err
}

func (l Limit) args() []any {
	return []any{
		sql.Named("category", string(l.Category)),
		sql.Named("keep", l.Keep),
		sql.Named("cutoff", l.cutoff()),
		sql.Named("max", l.Max),
	}
}

func (l Limit) cutoff() int64 {
	if l.Since.IsZero() {
		return 0
	}
	return l.Since.Unix()
}

// AnyOver tells whether there may be memories beyond a limit. It costs the same
// in a store of any size.
func AnyOver(ctx context.Context, d *db.DB, l Limit) (bool, error) {
	var over []bool
	err := d.Select(ctx, &over, `
		SELECT
			EXISTS (
				SELECT 1
				FROM memories
				WHERE category = :category
					AND record_status = 'active'
					AND updated_unix < :cutoff
			)
			OR :max > 0 AND (
				SELECT count(*)
				FROM (
					SELECT 1
					FROM memories
					WHERE category = :category
						AND record_status = 'active'
					LIMIT 1 + :max
				)
			) > :max`, l.args()...)
	return len(over) > 0 && over[0], err
}
