package hub

import (
	"context"
	"fmt"

	"memctl/text"

	"github.com/jackc/pgx/v5"
)

// MergeFrequencies adds what publications counted to the frequencies of terms and to the
// size of the corpus. It is a job of the service. If another hub is at it, it does nothing.
func (s *Store) MergeFrequencies(ctx context.Context) error {
	return s.asService(ctx, Principal{}, "", writeTimeout, func(tx pgx.Tx) error {
		var first bool
		if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock($1)`, mergeLock).Scan(&first); err != nil || !first {
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

// CheckFrequencies counts all postings and returns a line for each number that is wrong.
func (s *Store) CheckFrequencies(ctx context.Context) (wrong []string, err error) {
	err = s.inspect(ctx, func(tx pgx.Tx) error {
		if wrong, err = wrongTerms(ctx, tx); err != nil {
			return err
		}
		return checkCorpus(ctx, tx, &wrong)
	})
	return wrong, err
}

func wrongTerms(ctx context.Context, tx pgx.Tx) (wrong []string, err error) {
	rows, err := tx.Query(ctx, `
		WITH counted AS (
			SELECT term_id, sum(memories) AS memories
			FROM (
				SELECT term_id, memories FROM terms
				UNION ALL
				SELECT term_id, memories FROM term_changes
			) c
			GROUP BY term_id
		),
		found AS (
			SELECT term_id, sum(cardinality(packed)) AS memories
			FROM postings
			GROUP BY term_id
		)
		SELECT coalesce(t.term, 'number ' || term_id), coalesce(c.memories, 0), coalesce(f.memories, 0)
		FROM counted c
		FULL JOIN found f USING (term_id)
		LEFT JOIN terms t USING (term_id)
		WHERE coalesce(c.memories, 0) <> coalesce(f.memories, 0)
			OR t.term IS NULL
		ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	var term string
	var counted, found int64
	_, err = pgx.ForEachRow(rows, []any{&term, &counted, &found}, func() error {
		wrong = append(wrong, fmt.Sprintf("term %s: %d memories counted, %d in postings", text.Printable(term), counted, found))
		return nil
	})
	return wrong, err
}

func checkCorpus(ctx context.Context, tx pgx.Tx, wrong *[]string) error {
	var counted, found struct{ memories, terms int64 }
	err := tx.QueryRow(ctx, `
		SELECT sum(memories), sum(terms)
		FROM (
			SELECT memories, terms FROM corpus
			UNION ALL
			SELECT memories, terms FROM corpus_changes
		) c`).Scan(&counted.memories, &counted.terms)
	if err != nil {
		return err
	}
	err = tx.QueryRow(ctx, `
		SELECT (SELECT count(*) FROM memories), coalesce(sum(length), 0)
		FROM (
			SELECT DISTINCT element >> 32 AS memory_id, (element >> 18) & $1 AS length
			FROM postings
			CROSS JOIN unnest(packed) element
		) m`, maxLength).Scan(&found.memories, &found.terms)
	if err != nil {
		return err
	}
	if counted.memories != found.memories {
		*wrong = append(*wrong, fmt.Sprintf("corpus: %d memories counted, %d found", counted.memories, found.memories))
	}
	if counted.terms != found.terms {
		*wrong = append(*wrong, fmt.Sprintf("corpus: %d terms counted, %d in postings", counted.terms, found.terms))
	}
	return nil
}
