package hub

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// MergeFrequencies adds what publications counted to the frequencies of terms and to the
// size of the corpus. It is a job of the service. If another hub is at it, it does nothing.
func (s *Store) MergeFrequencies(ctx context.Context) error {
	return s.asService(ctx, Principal{}, "", writeTimeout, func(tx pgx.Tx) error {
		var first bool
		if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock($1)`, mergeLock).Scan(&first); err != nil ||
			!first {
			return err
		}
		return mergeFrequencies(ctx, tx)
	})
}

// mergeFrequencies folds the changes. The caller holds mergeLock.
func mergeFrequencies(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, `
		WITH changes AS (
			DELETE FROM term_changes RETURNING term_id, memories
		),
		sums AS (
			SELECT term_id, sum(memories) AS memories FROM changes GROUP BY term_id
		)
		UPDATE terms t
		SET memories = t.memories + s.memories
		FROM sums s
		WHERE t.term_id = s.term_id
			AND s.memories <> 0`); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `
		WITH changes AS (
			DELETE FROM corpus_changes RETURNING memories, terms
		)
		UPDATE corpus
		SET memories = corpus.memories + s.memories, terms = corpus.terms + s.terms
		FROM (SELECT sum(memories) AS memories, sum(terms) AS terms FROM changes) s
		WHERE s.memories IS NOT NULL`)
	return err
}
