// Package retrieve reads the index. It ranks memories for a prompt, one SQL
// statement for each strategy, explains a ranking, finds memories by id, lists
// them, and renders the block that a prompt receives. It writes nothing.
package retrieve

import (
	"context"

	"memctl/db"
	"memctl/memdir"
)

// Source is an index that is up to date, and the root whose files it holds.
type Source struct {
	DB   *db.DB
	Root memdir.Root
}

// Values of Row.Type, Ref.Type, Event.Type, Timeline.Type and Detail.Type.
const (
	MemoryType      = "memory"
	ObservationType = "observation"
)

// query runs a statement and returns a value for each row: a struct, or the column if
// there is only one.
func query[T any](ctx context.Context, d *db.DB, statement string, args ...any) (rows []T, err error) {
	err = d.Select(ctx, &rows, statement, args...)
	return rows, err
}

// queryRow runs a statement that returns one row.
func queryRow[T any](ctx context.Context, d *db.DB, statement string, args ...any) (row T, err error) {
	rows, err := query[T](ctx, d, statement, args...)
	if err != nil || len(rows) == 0 {
		return row, err
	}
	return rows[0], nil
}
