package db

import (
	"context"
	"fmt"
	"strings"
)

// QuickCheck reads every page of the index and queries the full-text table. It returns
// ErrDamaged if either finds a fault. Its time grows with the index
// (https://sqlite.org/pragma.html#pragma_quick_check).
func (d *DB) QuickCheck(ctx context.Context) error {
	var found []string
	if err := d.Select(ctx, &found, `PRAGMA quick_check(3)`); err != nil {
		return err
	}
	if answer := strings.Join(found, "; "); answer != "ok" {
		return fmt.Errorf("check the index: %w: %s", ErrDamaged, answer)
	}
	var matches []int
	return d.Select(ctx, &matches, `SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'a OR b'`)
}
