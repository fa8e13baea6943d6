package retrieve

import (
	"database/sql"
	"time"

	"memctl/db"
	"memctl/schemas"
)

// Filter selects memories.
type Filter struct {
	Statuses   []schemas.Status   // empty: every status, also one that memctl does not know
	Categories []schemas.Category // empty: every category
	Tag        string             // "": any
	Since      time.Time          // zero: memories of any age, else those updated then or later
	Limit      int                // how many at most
}

func (f Filter) onlyActive() bool { return len(f.Statuses) == 1 && f.Statuses[0] == schemas.Active }

// unfiltered reports whether f selects active memories of any category, tag and age.
func (f Filter) unfiltered() bool {
	return f.onlyActive() && len(f.Categories) == 0 && f.Tag == "" && f.Since.IsZero()
}

// args returns the parameters of SQL. No statuses, categories, tag and age are NULL.
func (f Filter) args() []any {
	var statuses, categories, tag, since any
	if len(f.Statuses) > 0 {
		statuses = db.JSON(f.Statuses)
	}
	if len(f.Categories) > 0 {
		categories = db.JSON(f.Categories)
	}
	if f.Tag != "" {
		tag = f.Tag
	}
	if !f.Since.IsZero() {
		since = f.Since.Unix()
	}
	return []any{
		sql.Named("statuses", statuses),
		sql.Named("categories", categories),
		sql.Named("tag", tag),
		sql.Named("since", since),
		sql.Named("limit", f.Limit),
	}
}
