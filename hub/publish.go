package hub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"memctl/features/hub/remote"
	"memctl/schemas"

	"github.com/jackc/pgx/v5"
)

// maxAttempts is how often a publication is tried while others of the same repository come
// first, or while PostgreSQL gives it up for another transaction.
const maxAttempts = 10

// errMoved means that the repository, or the terms, changed since they were read.
var errMoved = errors.New("the hub has changed meanwhile")

// Publish makes the memories of a repository those of a publication, in one transaction.
func (s *Store) Publish(ctx context.Context, by Principal, p remote.Publication) (remote.Published, error) {
	in, err := s.receive(ctx, by, p)
	if err != nil {
		return remote.Published{}, err
	}
	defer in.close()
	for _, file := range p.Memories {
		if err := in.add(ctx, file); err != nil {
			return remote.Published{}, err
		}
	}
	return in.publish(ctx)
}

// incoming is a publication whose memories come one after the other: all of them as they are sent are never held.
type incoming struct {
	remote.Publication // without its memories
	memoryReader
	vocabulary
	store *Store
	by    Principal

	progress func(part, all int) // of what is written; nil if nobody asks

	// What was read and is not split into terms yet, and its size in bytes.
	read     []*version
	readAs   []schemas.Memory
	readSize int
}

// receive checks all of a publication but its memories, which are only read of those who may publish them.
func (s *Store) receive(ctx context.Context, by Principal, p remote.Publication) (*incoming, error) {
	if err := checkPublication(p); err != nil {
		return nil, err
	}
	p.Repository = strings.ToLower(p.Repository)
	p.Memories = nil
	in := &incoming{Publication: p, memoryReader: memoryReader{hubVersion: s.options.Version},
		vocabulary: vocabulary{analyser: s.options.analyser}, store: s, by: by}
	return in, s.as(ctx, by, p.Repository, func(tx pgx.Tx) error {
		_, err := s.before(ctx, tx, by, p, "")
		return err
	})
}

// add reads the next memory. Its terms are made while it is decoded, though the hub may have it: a client that knows
// sends the digest.
func (in *incoming) add(ctx context.Context, file remote.File) error {
	v, m, err := in.memoryReader.add(file)
	if err != nil || v == nil {
		return err
	}
	in.read, in.readAs, in.readSize = append(in.read, v), append(in.readAs, m), in.readSize+len(v.document)
	if len(in.read) < analysedAtOnce && in.readSize < analysedBytes {
		return nil
	}
	return in.split(ctx)
}

// split makes the terms of what was read.
func (in *incoming) split(ctx context.Context) error {
	err := in.analyse(ctx, in.read, in.readAs)
	in.read, in.readAs, in.readSize = nil, nil, 0
	if err == nil && len(in.terms) > in.store.options.mostWords {
		err = errTooManyWords
	}
	return err
}

// publish ends a publication once its memories have been added.
//
// What takes long comes before the transaction that writes: reading what changed, splitting it into terms, and adding
// new terms. If another publication of the repository comes in between, publish starts again.
func (in *incoming) publish(ctx context.Context) (remote.Published, error) {
	s := in.store
	if err := in.split(ctx); err != nil {
		return remote.Published{}, err
	}
	in.close()
	var done remote.Published
	err := s.again(ctx, in.Repository, func() (err error) {
		done, err = in.try(ctx)
		return err
	})
	if err != nil {
		return remote.Published{}, err
	}
	done.Repository = in.Repository
	if len(done.Missing) == 0 && done.Added+done.Changed+done.Removed >= manyMemories {
		s.renewStatistics(ctx)
	}
	return done, nil
}

// again calls fn, which writes a repository, until other transactions are not in its way.
func (s *Store) again(ctx context.Context, repository string, fn func() error) error {
	for attempt := 1; ; attempt++ {
		err := fn()
		switch {
		case err == nil || !errors.Is(err, errMoved) && !isConflict(err):
			return err
		case attempt == maxAttempts:
			return busy(ctx, err)
		}
		s.log.InfoContext(ctx, "a publication starts again", "repository", repository, "attempt", attempt, "error", err)
	}
}

// manyMemories is how many memories a publication changes after which plans may be wrong.
const manyMemories = 1000

// renewStatistics has connections plan their searches again. The publication stands without it.
func (s *Store) renewStatistics(ctx context.Context) {
	err := s.asService(ctx, Principal{}, "", writeTimeout, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `SELECT renew_statistics()`)
		return err
	})
	if err != nil {
		s.log.WarnContext(ctx, "the statistics of a large publication are left to autovacuum", "error", err)
	}
}

// mayPublish returns an error for someone who may publish no repository at all.
func (s *Store) mayPublish(ctx context.Context, by Principal) error {
	return s.as(ctx, by, "", func(tx pgx.Tx) error {
		var allowed bool
		err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM grants WHERE principal = ANY ($1) AND publish)`,
			by.names()).Scan(&allowed)
		if err == nil && !allowed {
			err = refusal(http.StatusForbidden, "forbidden", "no grant allows you to publish")
		}
		return err
	})
}

// isConflict reports whether PostgreSQL gave up a transaction for another one.
func isConflict(err error) bool {
	code := sqlState(err)
	return code == "40001" || code == "40P01"
}

func (in *incoming) try(ctx context.Context) (remote.Published, error) {
	s, by, p := in.store, in.by, in.Publication
	var before row
	var c changes
	err := s.as(ctx, by, p.Repository, func(tx pgx.Tx) (err error) {
		if before, err = s.before(ctx, tx, by, p, ""); err != nil {
			return err
		}
		c, err = compare(ctx, tx, before.id, in.memories)
		return err
	})
	if err != nil || len(c.done.Missing) > 0 {
		return c.done, err
	}
	if before.id != 0 && before.analysedBy != s.options.analyser.version {
		if err := s.analyseRepository(ctx, p.Repository); err != nil {
			return remote.Published{}, err
		}
		return remote.Published{}, errMoved
	}
	c.vocabulary, c.progress = &in.vocabulary, in.progress
	if err := c.analyse(ctx); err != nil {
		return remote.Published{}, err
	}
	words := c.words(c.used())
	if err := s.addTerms(ctx, by, p.Repository, words); err != nil {
		return remote.Published{}, err
	}
	err = s.as(ctx, by, p.Repository, func(tx pgx.Tx) error {
		if err := shareTerms(ctx, tx); err != nil {
			return err
		}
		now, err := s.before(ctx, tx, by, p, "FOR NO KEY UPDATE")
		if err != nil {
			return err
		}
		if !now.same(before) {
			return errMoved
		}
		ids, err := termIDs(ctx, tx, words)
		if err != nil {
			return err
		}
		repo, err := putRepository(ctx, tx, by, p, now, len(in.memories), s.options.analyser.version)
		if err != nil {
			return err
		}
		return c.write(ctx, tx, repo, ids)
	})
	return c.done, err
}

// row is the publication that a repository has, the zero row before the first.
type row struct {
	id       int32
	commit   string
	sequence int64
	at       time.Time

	analysedBy int
	revision   int64
}

func (r row) same(other row) bool {
	return r.id == other.id && r.commit == other.commit && r.sequence == other.sequence && r.at.Equal(other.at) &&
		r.revision == other.revision
}

// before returns the publication that a repository has, or an error if this one may not
// follow it. locking is the clause of SELECT that locks the row.
func (s *Store) before(
	ctx context.Context, tx pgx.Tx, by Principal, p remote.Publication, locking string,
) (r row, err error) {
	var allowed bool
	// By the grants themselves, because a new repository is in no row of access.
	err = tx.QueryRow(ctx, `
		SELECT coalesce(bool_or(publish), false)
		FROM grants
		WHERE principal = ANY ($1)
			AND $2 LIKE matches
			AND (principal <> '`+ownRepository+`' OR $2 = $3)`, by.names(), p.Repository, by.Repository).Scan(&allowed)
	if err != nil {
		return r, err
	}
	if !allowed {
		return r, refusal(http.StatusForbidden, "forbidden", "no grant allows you to publish %s", p.Repository)
	}
	err = tx.QueryRow(ctx, `
		SELECT repo_id, commit_sha, sequence, published_at, analysed_by, revision
		FROM repositories
		WHERE name = $1 `+locking, p.Repository).Scan(&r.id, &r.commit, &r.sequence, &r.at, &r.analysedBy, &r.revision)
	if errors.Is(err, pgx.ErrNoRows) {
		r, err = row{}, nil
	}
	if most := mostSequence(r.sequence, time.Now()); err == nil && p.Sequence > most {
		err = badRequest("sequence", fmt.Sprintf("the hub has sequence %d and accepts at most %d next", r.sequence,
			most))
	}
	if err == nil && r.id != 0 && (p.Sequence < r.sequence || p.Sequence == r.sequence && p.Commit != r.commit) {
		err = &remote.Error{Status: http.StatusConflict, Code: "stale_sequence", Field: "sequence",
			Message: fmt.Sprintf("the hub has sequence %d already, of commit %s", r.sequence, r.commit)}
	}
	return r, err
}

// Bounds of a sequence.
const (
	maxSkip      = 10_000      // runs that may come between two publications of a repository
	maxRunNumber = 100_000_000 // greater sequences are times, or numbers that many projects share
)

// mostSequence returns the greatest sequence that may follow another one, 0 for the first. A sender chooses it: after
// the greatest number no run could publish any more. Numbers of runs grow slowly; times are bounded by the clock, in
// ms.
func mostSequence(before int64, now time.Time) int64 {
	if 0 < before && before < maxRunNumber {
		return before + maxSkip
	}
	return max(now.AddDate(0, 0, 1).UnixMilli(), min(before, math.MaxInt64-maxSkip)+maxSkip)
}

// putRepository writes the row of a repository that had the given one, and returns its id.
func putRepository(
	ctx context.Context, tx pgx.Tx, by Principal, p remote.Publication, before row, memories, analysedBy int,
) (id int32, err error) {
	if before.id != 0 {
		_, err = tx.Exec(ctx, `
			UPDATE repositories
			SET commit_sha = $2, sequence = $3, published_at = clock_timestamp(), published_by = $4, memories = $5
			WHERE repo_id = $1`, before.id, p.Commit, p.Sequence, by.Person, memories)
		return before.id, err
	}
	err = tx.QueryRow(ctx, `
		INSERT INTO repositories (name, commit_sha, sequence, published_at, published_by, memories, analysed_by)
		VALUES ($1, $2, $3, clock_timestamp(), $4, $5, $6)
		ON CONFLICT (name) DO NOTHING
		RETURNING repo_id`, p.Repository, p.Commit, p.Sequence, by.Person, memories, analysedBy).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = errMoved
	}
	return id, err
}

// compare finds what has to change so that a repository has these memories.
func compare(ctx context.Context, tx pgx.Tx, repo int32, memories []*version) (c changes, err error) {
	type stored struct {
		Path string
		ID   int64
		Hash []byte
		Sent []byte
	}
	list, err := collect[stored](ctx, tx, `SELECT path, memory_id, hash, sent FROM memories WHERE repo_id = $1`, repo)
	if err != nil {
		return c, err
	}
	had := make(map[string]stored, len(list))
	for _, m := range list {
		had[m.Path] = m
	}
	for _, m := range memories {
		old, found := had[m.path]
		delete(had, m.path)
		m.id = old.ID // an attempt before this one may have given it another
		switch {
		case m.document == nil && (!found || !bytes.Equal(old.Sent, m.sent)):
			c.done.Missing = append(c.done.Missing, m.path)
		case m.document == nil:
			c.done.Unchanged++
		case !found:
			c.done.Added++
			c.put = append(c.put, m)
		case !bytes.Equal(old.Hash, m.hash):
			c.done.Changed++
			c.put = append(c.put, m)
			c.old = append(c.old, &version{id: old.ID})
		default:
			c.done.Unchanged++
			if !bytes.Equal(old.Sent, m.sent) {
				c.resent = append(c.resent, m)
			}
		}
	}
	if len(c.done.Missing) > 0 {
		return changes{done: remote.Published{Missing: c.done.Missing}}, nil
	}
	for _, old := range had {
		c.done.Removed++
		c.removed = append(c.removed, old.ID)
		c.old = append(c.old, &version{id: old.ID})
	}
	return c, c.readOld(ctx, tx)
}
