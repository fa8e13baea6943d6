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

// The terms of a new version of the analyser are made beside the old ones. Hubs of the old version go on with theirs,
// those of the new one answer once theirs are complete. Each version finds by the rows of positions which memories
// it has to split: those of all repositories at first, and then what hubs of the other version publish.

// batchBytes is how many bytes of memories one transaction splits. It starts with the next memory after that.
const batchBytes = 8 << 20

// Analyse makes the terms that this program's analyser lacks, some memories in a transaction: what was made stays if
// it is interrupted. Publications of a repository wait while its memories are split.
func (s *Store) Analyse(ctx context.Context) error {
	merged := time.Now()
	var last []string
	for {
		repositories, err := s.callForTerms(ctx, `SELECT unanalysed($1::integer)`)
		if err != nil {
			return err
		}
		if len(repositories) == 0 {
			break
		}
		found := false
		for _, name := range repositories {
			some, err := s.analyseRepository(ctx, name)
			if err != nil {
				return err
			}
			found = found || some
			if time.Since(merged) > mergePause {
				if err := s.tend(ctx); err != nil {
					return err
				}
				merged = time.Now()
			}
		}
		if !found && slices.Equal(repositories, last) { // nor did another hub split them
			return fmt.Errorf("the memories of %s cannot be split into terms: row security hides them",
				text.Printable(repositories[0]))
		}
		last = repositories
	}
	if err := s.tend(ctx); err != nil {
		return err
	}
	_, err := s.callForTerms(ctx, `SELECT complete_analyser($1::integer)::text`)
	return err
}

// mergePause is how often Analyse merges frequencies and says that it runs.
const mergePause = 10 * time.Second

// KeepTerms is a regular job of the service: it merges frequencies and, beside hubs of other versions, splits what
// those published and removes the terms that none uses any more.
func (s *Store) KeepTerms(ctx context.Context) error {
	if err := s.tend(ctx); err != nil {
		return err
	}
	alone, err := s.callForTerms(ctx, `SELECT 'alone' FROM analysers HAVING bool_and(complete AND version = $1)`)
	if err != nil || len(alone) > 0 {
		return err
	}
	if err := s.Analyse(ctx); err != nil {
		return err
	}
	gone, err := s.callForTerms(ctx, `SELECT drop_unused_analysers($1::integer)::text`)
	if len(gone) > 0 {
		s.log.InfoContext(ctx, "the terms of other versions are removed", "versions", gone)
	}
	return err
}

// tend merges frequencies, and says that a hub of this version runs.
func (s *Store) tend(ctx context.Context) error {
	if err := s.MergeFrequencies(ctx); err != nil {
		return err
	}
	_, err := s.callForTerms(ctx, `
		UPDATE analysers
		SET used_at = now()
		WHERE version = $1
			AND used_at < now() - interval '1 minute'
		RETURNING ''`)
	return err
}

// callForTerms returns the rows of a query about the version of this program's analyser.
func (s *Store) callForTerms(ctx context.Context, query string) (rows []string, err error) {
	err = s.asService(ctx, Principal{}, "", writeTimeout, func(tx pgx.Tx) error {
		rows, err = column[string](ctx, tx, query, s.options.analyser.version)
		return err
	})
	return rows, err
}

// analyseRepository makes the terms that a repository lacks, and reports whether it lacked some.
func (s *Store) analyseRepository(ctx context.Context, name string) (found bool, err error) {
	for more := true; more; found = found || more {
		err := s.as(ctx, Principal{}, name, func(tx pgx.Tx) (err error) {
			if err := s.useTerms(ctx, tx); err != nil && err != errIncomplete {
				return err
			}
			if err := shareTerms(ctx, tx); err != nil {
				return err
			}
			var repo int32
			err = tx.QueryRow(ctx, `SELECT repo_id FROM repositories WHERE name = $1 FOR NO KEY UPDATE`,
				name).Scan(&repo)
			if errors.Is(err, pgx.ErrNoRows) {
				more = false
				return nil
			}
			if err == nil {
				more, err = s.analyseSome(ctx, tx, repo)
			}
			return err
		})
		if err != nil {
			return found, err
		}
	}
	return found, nil
}

// analyseSome takes what is gone or has changed out of a repository's terms, and makes those of the next memories
// that have none. It reports whether there were any.
func (s *Store) analyseSome(ctx context.Context, tx pgx.Tx, repo int32) (found bool, err error) {
	c := changes{vocabulary: &vocabulary{analyser: s.options.analyser}}
	old, err := takeOut(ctx, tx, repo)
	if err != nil {
		return false, err
	}
	c.put, err = readVersions(ctx, tx, `
		SELECT memory_id, path, hash, document
		FROM (
			SELECT memory_id, path, hash, document,
				sum(octet_length(document)) OVER (ORDER BY memory_id) - octet_length(document) AS before
			FROM memories m
			WHERE repo_id = $1
				AND NOT EXISTS (SELECT 1 FROM positions p WHERE p.memory_id = m.memory_id)
		) m
		WHERE before < $2
		ORDER BY memory_id`, repo, batchBytes)
	if err != nil || len(c.put)+len(old) == 0 {
		return false, err
	}
	if err := c.analyse(ctx); err != nil {
		return false, err
	}
	c.old = old
	words := c.words(c.used())
	for part := range slices.Chunk(words, rowsAtOnce) {
		if err := insertTerms(ctx, tx, part); err != nil {
			return false, err
		}
	}
	ids, err := termIDs(ctx, tx, words)
	if err != nil {
		return false, err
	}
	for part := range slices.Chunk(c.put, writtenAtOnce) {
		if err := c.putPositions(ctx, tx, repo, part); err != nil {
			return false, err
		}
	}
	if err := c.writePostings(ctx, tx, repo, ids); err != nil {
		return false, err
	}
	return true, c.countChanges(ctx, tx)
}

// takeOut removes from the terms of a repository the memories that are gone or have changed since they were split.
// Their texts are gone: the postings say which terms they had.
func takeOut(ctx context.Context, tx pgx.Tx, repo int32) (old []*version, err error) {
	ids, err := column[int64](ctx, tx, `
		DELETE FROM positions p
		WHERE repo_id = $1
			AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.memory_id = p.memory_id AND m.hash = p.hash)
		RETURNING memory_id`, repo)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	type element struct {
		Term   int32
		Packed int64
	}
	elements, err := collect[element](ctx, tx, `
		SELECT term_id, element
		FROM postings
		CROSS JOIN unnest(packed) element
		WHERE repo_id = $1
			AND element >> 32 = ANY ($2)`, repo, ids)
	if err != nil {
		return nil, err
	}
	gone, lengths, terms := map[int64]bool{}, map[int64]int{}, map[int32][]int64{}
	for _, e := range elements {
		terms[e.Term] = nil
		lengths[memoryOf(e.Packed)] = int(e.Packed >> 18 & maxLength)
	}
	for _, id := range ids {
		gone[id] = true
		old = append(old, &version{id: id, analysis: analysis{length: lengths[id]}})
	}
	return old, mergePostings(ctx, tx, repo, terms, gone)
}

// putPositions writes where the terms of memories stand.
func (v *vocabulary) putPositions(ctx context.Context, tx pgx.Tx, repo int32, list []*version) error {
	ids, positions := v.positionsByID(list)
	hashes := make([][]byte, len(list))
	for i, m := range list {
		hashes[i] = m.hash
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO positions (memory_id, repo_id, hash, positions)
		SELECT memory_id, $1, hash, positions::tsvector
		FROM unnest($2::bigint[], $3::bytea[], $4::text[]) w (memory_id, hash, positions)
		ON CONFLICT (memory_id) DO UPDATE SET hash = excluded.hash, positions = excluded.positions`,
		repo, ids, hashes, positions)
	return err
}
