package retrieve

import (
	"database/sql"

	"memctl/schemas"
)

// Filter selects memories.
type Filter struct {
	Statuses   []schemas.Status   // empty: every status, also one that memctl does not know
	Categories []schemas.Category // empty: every category
	Tag        string             // "": any
	Limit      int                // how many at most
}

func (f Filter) onlyActive() bool { return len(f.Statuses) == 1 && f.Statuses[0] == schemas.Active }

// unfiltered reports whether f selects active memories of any category and tag.
func (f Filter) unfiltered() bool { return f.onlyActive() && len(f.Categories) == 0 && f.Tag == "" }

// args returns the parameters of SQL. No statuses, no categories and no tag are NULL.
func (f Filter) args() []any {
	var statuses, categories, tag any
	if len(f.Statuses) > 0 {
		statuses = jsonArg{f.Statuses}
	}
	if len(f.Categories) > 0 {
		categories = jsonArg{f.Categories}
	}
	if f.Tag != "" {
		tag = f.Tag
	}
	return []any{
		sql.Named("statuses", statuses),
		sql.Named("categories", categories),
		sql.Named("tag", tag),
		sql.Named("limit", f.Limit),
	}
}
