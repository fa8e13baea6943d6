package hub

import (
	"context"

	"memctl/remote"

	"github.com/jackc/pgx/v5"
)

// Repositories lists the repositories that the principal may see, by name.
func (s *Store) Repositories(ctx context.Context, by Principal) (remote.Repositories, error) {
	list := remote.Repositories{Repositories: []remote.Repository{}}
	err := s.as(ctx, by, "", func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT name, commit_sha, published_at, memories FROM repositories ORDER BY name`)
		if err == nil {
			list.Repositories, err = pgx.AppendRows(list.Repositories, rows, pgx.RowToStructByPos[remote.Repository])
		}
		return err
	})
	return list, err
}
