package hub

import (
	"context"

	"memctl/text"

	"github.com/jackc/pgx/v5"
)

// maxDetail is how many characters of a query the audit keeps.
const maxDetail = 2000

// audit keeps who asked what, and with how many results.
func (s *Store) audit(ctx context.Context, by Principal, action string, results int, detail string) error {
	var kept *string
	if detail != "" {
		cut := text.Truncate(text.Printable(detail), maxDetail)
		kept = &cut
	}
	return s.as(ctx, by, "", func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `
			INSERT INTO audit (person, action, results, detail)
			VALUES ($1, $2, $3, $4)`, by.Person, action, results, kept)
		return err
	})
}
