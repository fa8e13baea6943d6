package hub

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Keys of advisory locks.
const (
	// termsLock is shared by what adds terms or uses their ids. What removes terms holds it
	// alone.
	termsLock int64 = 0x6d656d63746c01
	// mergeLock is held by what folds the changes of frequencies, or removes terms.
	mergeLock int64 = 0x6d656d63746c02
)

// shareTerms keeps terms from being removed until the transaction ends.
func shareTerms(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock_shared($1)`, termsLock)
	return err
}

// lockTerms waits until no other transaction adds, uses or counts terms.
func lockTerms(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1), pg_advisory_xact_lock($2)`, termsLock, mergeLock)
	return err
}

// addTerms adds the words that are no terms yet. It commits them in short transactions, in
// sorted order: publications that add the same words wait for each other, but not long and
// never in a circle.
func (s *Store) addTerms(ctx context.Context, by Principal, repository string, words []string) error {
	for part := range slices.Chunk(words, rowsAtOnce) {
		if err := s.as(ctx, by, repository, func(tx pgx.Tx) error {
			if err := shareTerms(ctx, tx); err != nil {
				return err
			}
			// A conflict would use up an id, so words that are terms already are left out before.
			_, err := tx.Exec(ctx, `
				INSERT INTO terms (term)
				SELECT word
				FROM unnest($1::text[]) word
				WHERE NOT EXISTS (SELECT 1 FROM terms t WHERE t.term = word)
				ORDER BY word COLLATE "C"
				ON CONFLICT (term) DO NOTHING`, part)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// termIDs returns the ids of terms. The caller holds termsLock.
func termIDs(ctx context.Context, tx pgx.Tx, words []string) (map[string]int32, error) {
	ids := make(map[string]int32, len(words))
	for part := range slices.Chunk(words, rowsAtOnce) {
		// ForEachRow returns its error
		rows, _ := tx.Query(ctx, `SELECT term_id, term FROM terms WHERE term = ANY ($1)`, part)
		var id int32
		var term string
		if _, err := pgx.ForEachRow(rows, []any{&id, &term}, func() error {
			ids[term] = id
			return nil
		}); err != nil {
			return nil, err
		}
	}
	if len(ids) < len(words) {
		return nil, errMoved
	}
	return ids, nil
}

// removeTerms queues what takes a repository out of the postings and the frequencies.
func removeTerms(b *pgx.Batch, repo int32) {
	b.Queue(`
		INSERT INTO corpus_changes (memories, terms)
		SELECT -(SELECT count(*) FROM memories WHERE repo_id = $1), -coalesce(sum(length), 0)
		FROM (
			SELECT DISTINCT element >> 32 AS memory_id, (element >> 18) & $2 AS length
			FROM postings
			CROSS JOIN unnest(packed) element
			WHERE repo_id = $1
		) m`, repo, maxLength)
	b.Queue(`
		WITH gone AS (
			DELETE FROM postings WHERE repo_id = $1 RETURNING term_id, cardinality(packed) AS memories
		)
		INSERT INTO term_changes (term_id, memories)
		SELECT term_id, -memories
		FROM gone`, repo)
}

// dropUnused queues what removes the terms that no memory has any more: they may tell what was forgotten. The caller
// has lockTerms, and owns the tables.
func dropUnused(b *pgx.Batch) {
	mergeFrequencies(b)
	b.Queue(`DELETE FROM terms WHERE memories = 0`)
}

// MergeFrequencies adds what publications counted to the frequencies of terms and to the
// size of the corpus. It is a job of the service. If another hub is at it, it does nothing.
func (s *Store) MergeFrequencies(ctx context.Context) error {
	return s.asService(ctx, Principal{}, "", writeTimeout, func(tx pgx.Tx) error {
		var first bool
		if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock($1)`, mergeLock).Scan(&first); err != nil ||
			!first {
			return err
		}
		var b pgx.Batch
		mergeFrequencies(&b)
		return tx.SendBatch(ctx, &b).Close()
	})
}

// mergeFrequencies queues what folds the changes. The caller holds mergeLock.
func mergeFrequencies(b *pgx.Batch) {
	b.Queue(`
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
			AND s.memories <> 0`)
	b.Queue(`
		WITH changes AS (
			DELETE FROM corpus_changes RETURNING memories, terms
		)
		UPDATE corpus
		SET memories = corpus.memories + s.memories, terms = corpus.terms + s.terms
		FROM (SELECT sum(memories) AS memories, sum(terms) AS terms FROM changes) s
		WHERE s.memories IS NOT NULL`)
}
