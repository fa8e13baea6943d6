package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"memctl/text"

	"github.com/jackc/pgx/v5"
)

// The row of a repository says which version of the analyser made its terms. A hub of another version searches them as
// they are: only words that the two split in different ways are not found. A publication and Analyse make them again.

const (
	// batchBytes is how many bytes of memories are read at once. A batch ends with the memory after that.
	batchBytes = 4 << 20
	// mergePause is how often Analyse merges frequencies.
	mergePause = 10 * time.Second
)

// Unanalysed lists the repositories whose terms are those of another version of the analyser. It needs the owner of
// the tables.
func (s *Store) Unanalysed(ctx context.Context) (names []string, err error) {
	err = s.asOwner(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `SELECT array_agg(name ORDER BY name) FROM repositories WHERE analysed_by <> $1`,
			s.options.analyser.version).Scan(&names)
	})
	return names, err
}

// Analyse makes the terms of repositories again, each in a transaction: if it is interrupted, Unanalysed lists the
// rest. It needs the owner of the tables.
func (s *Store) Analyse(ctx context.Context, repositories []string) error {
	merged := time.Now()
	for _, name := range repositories {
		if err := s.again(ctx, name, func() error { return s.analyseRepository(ctx, name) }); err != nil {
			return fmt.Errorf("%s: %w", text.Printable(name), err)
		}
		if time.Since(merged) > mergePause {
			if err := s.MergeFrequencies(ctx); err != nil {
				return err
			}
			merged = time.Now()
		}
	}
	s.renewStatistics(ctx)
	return s.asOwner(ctx, func(tx pgx.Tx) error {
		if err := lockTerms(ctx, tx); err != nil {
			return err
		}
		var b pgx.Batch
		dropUnused(&b)
		return tx.SendBatch(ctx, &b).Close()
	})
}

// analyseRepository makes the terms of a repository again, if there is one. It returns errMoved if the repository
// changes meanwhile. As in a publication, what takes long comes before the transaction that writes. It holds the terms
// of all memories, as numbers, but the texts of one batch: one repository at a time.
func (s *Store) analyseRepository(ctx context.Context, name string) error {
	select {
	case s.analysing <- struct{}{}:
		defer func() { <-s.analysing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	c := changes{vocabulary: &vocabulary{analyser: s.options.analyser}}
	var repo int32
	var revision int64
	find := func(tx pgx.Tx, locking string) error {
		err := tx.QueryRow(ctx, `SELECT repo_id, revision FROM repositories WHERE name = $1 `+locking, name).
			Scan(&repo, &revision)
		if errors.Is(err, pgx.ErrNoRows) {
			repo, err = 0, nil
		}
		return err
	}
	for last := int64(0); ; last = c.put[len(c.put)-1].id {
		var batch []*version
		err := s.as(ctx, Principal{}, name, func(tx pgx.Tx) (err error) {
			if last == 0 {
				if err := find(tx, ""); err != nil {
					return err
				}
			}
			batch, err = readBatch(ctx, tx, repo, last)
			return err
		})
		if err != nil {
			return err
		}
		if len(batch) == 0 {
			break
		}
		c.put = append(c.put, batch...)
		if err := c.analyse(ctx); err != nil {
			return err
		}
		for _, v := range batch {
			v.document = nil
		}
	}
	words := c.words(c.used())
	if err := s.addTerms(ctx, Principal{}, name, words); err != nil {
		return err
	}
	return s.as(ctx, Principal{}, name, func(tx pgx.Tx) error {
		if err := shareTerms(ctx, tx); err != nil {
			return err
		}
		read := revision
		if err := find(tx, "FOR NO KEY UPDATE"); err != nil || repo == 0 {
			return err
		}
		if revision != read {
			return errMoved
		}
		ids, err := termIDs(ctx, tx, words)
		if err != nil {
			return err
		}
		var b pgx.Batch
		removeTerms(&b, repo)
		if err := tx.SendBatch(ctx, &b).Close(); err != nil {
			return err
		}
		for part := range slices.Chunk(c.put, writtenAtOnce) {
			if err := c.putPositions(ctx, tx, part); err != nil {
				return err
			}
		}
		return c.writeTerms(ctx, tx, repo, ids)
	})
}

// readBatch reads the next memories of a repository after one.
func readBatch(ctx context.Context, tx pgx.Tx, repo int32, last int64) ([]*version, error) {
	rows, _ := tx.Query(ctx, `
		SELECT memory_id, path, document
		FROM (
			SELECT memory_id, path, document,
				sum(octet_length(document)) OVER (ORDER BY memory_id) - octet_length(document) AS before
			FROM memories
			WHERE repo_id = $1
				AND memory_id > $2
		) m
		WHERE before < $3
		ORDER BY memory_id`, repo, last, batchBytes) // CollectRows returns its error
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (*version, error) {
		var v version
		err := row.Scan(&v.id, &v.path, &v.document)
		return &v, err
	})
}

// putPositions writes where the terms of memories stand.
func (v *vocabulary) putPositions(ctx context.Context, tx pgx.Tx, list []*version) error {
	ids, positions := make([]int64, len(list)), make([]string, len(list))
	for i, m := range list {
		ids[i], positions[i] = m.id, v.positions(m.analysis)
	}
	_, err := tx.Exec(ctx, `
		UPDATE memories m
		SET positions = w.positions::tsvector
		FROM unnest($1::bigint[], $2::text[]) w (memory_id, positions)
		WHERE m.memory_id = w.memory_id`, ids, positions)
	return err
}
