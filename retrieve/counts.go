package retrieve

import (
	"context"

	"memctl/db"
	"memctl/schemas"
)

// Count is how many memories of a category have a status.
type Count struct {
	Category schemas.Category `db:"category"`
	Status   schemas.Status   `db:"record_status"`
	N        int              `db:"n"`
}

// Counts returns every combination that occurs.
func Counts(ctx context.Context, d *db.DB) ([]Count, error) {
	var rows []Count
	err := d.Select(ctx, &rows, `
			SELECT category, record_status, count(*) AS n
			FROM memories
			GROUP BY category, record_status
			ORDER BY category, record_status`)
	return rows, err
}
