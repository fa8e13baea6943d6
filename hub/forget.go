package hub

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
)

// Forget removes a repository with its memories, their terms and the frequencies of those.
// Grants stay: they are patterns. It needs the owner of the tables.
func (s *Store) Forget(ctx context.Context, repository string) error {
	return s.asOwner(ctx, func(tx pgx.Tx) error {
		if err := lockTerms(ctx, tx); err != nil {
			return err
		}
		id, err := repositoryID(ctx, tx, repository)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `
			INSERT INTO corpus_changes (memories, terms)
			SELECT -(SELECT count(*) FROM memories WHERE repo_id = $1), -coalesce(sum(length), 0)
			FROM (
				SELECT DISTINCT element >> 32 AS memory_id, (element >> 18) & $2 AS length
				FROM postings
				CROSS JOIN unnest(packed) element
				WHERE repo_id = $1
			) m`, id, maxLength); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `
			WITH gone AS (
				DELETE FROM postings WHERE repo_id = $1 RETURNING term_id, cardinality(packed) AS memories
			)
			INSERT INTO term_changes (term_id, memories)
			SELECT term_id, -memories
			FROM gone`, id); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM repositories WHERE repo_id = $1`, id); err != nil {
			return err
		}
		if err := mergeFrequencies(ctx, tx); err != nil {
			return err
		}
		// What only this repository said must not be found among the terms.
		_, err = tx.Exec(ctx, `DELETE FROM terms WHERE memories = 0`)
		return err
	})
}

// repositoryID returns the id of a repository, for its owner.
func repositoryID(ctx context.Context, tx pgx.Tx, name string) (id int32, err error) {
	err = tx.QueryRow(ctx, `SELECT repo_id FROM repositories WHERE name = $1`, name).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = refusal(http.StatusNotFound, "not_found", "the hub has no repository %s", name)
	}
	return id, err
}
