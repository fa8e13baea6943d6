package hub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"time"

	"memctl/features/hub/remote"

	"github.com/jackc/pgx/v5"
)

// maxAttempts is how often a publication is tried while others of the same repository come
// first, or while PostgreSQL gives it up for another transaction.
const maxAttempts = 10

// errMoved means that the repository, or the terms, changed since they were read.
var errMoved = errors.New("the hub has changed meanwhile")

// Publish makes the memories of a repository those of a publication, in one transaction.
func (s *Store) Publish(ctx context.Context, by Principal, p remote.Publication) (remote.Published, error) {
	return s.publish(ctx, by, p, false)
}

// PublishPart adds memories to a repository before a publication that only names them, in one transaction. The
// repository is incomplete until then.
func (s *Store) PublishPart(ctx context.Context, by Principal, p remote.Publication) (remote.Published, error) {
	return s.publish(ctx, by, p, true)
}

// PublishTree publishes a commit whose memories the hub has, as its tree says. It reads none of them.
func (s *Store) PublishTree(ctx context.Context, by Principal, p remote.Publication) (done remote.Published,
	err error) {
	if err := checkPublication(&p); err != nil {
		return done, err
	}
	err = s.as(ctx, by, p.Repository, func(tx pgx.Tx) error {
		now, err := lastOf(ctx, tx, by, p, "FOR NO KEY UPDATE")
		if done = (remote.Published{Repository: p.Repository, Unchanged: now.memories}); err != nil {
			return err
		}
		tree := s.treeHash(p)
		if tree == nil || !bytes.Equal(tree, now.tree) || now.analysedBy != s.options.analyser.version {
			done = remote.Published{Unknown: true}
			return nil
		}
		now.commit, now.sequence = p.Commit, p.Sequence
		_, err = putRepository(ctx, tx, by, p.Repository, now)
		return err
	})
	return done, err
}

// treeHash is the hash of a publication's tree that the hub stores, nil for none.
func (s *Store) treeHash(p remote.Publication) []byte {
	if p.Tree == "" {
		return nil
	}
	return sentHash(s.options.Version, remote.File{Digest: p.Tree})
}

// publishing is a publication, or a part of one, that is being written.
type publishing struct {
	remote.Publication // without its memories
	vocabulary
	store    *Store
	by       Principal
	memories []*version
	part     bool
}

// publish writes a publication, or a part of one.
//
// What takes long comes before the transaction that writes: reading what changed, splitting it into terms, and adding
// new terms. If another publication of the repository comes in between, publish starts again.
func (s *Store) publish(ctx context.Context, by Principal, p remote.Publication, part bool) (remote.Published, error) {
	if err := checkPublication(&p); err != nil {
		return remote.Published{}, err
	}
	memories, err := readMemories(s.options.Version, p.Memories)
	if err != nil {
		return remote.Published{}, err
	}
	p.Memories = nil
	in := &publishing{p, vocabulary{analyser: s.options.analyser}, s, by, memories, part}
	var c changes
	removed := 0
	for more := true; more; more = c.more {
		if err := s.again(ctx, in.Repository, func() (err error) {
			c, err = in.try(ctx)
			return err
		}); err != nil {
			return remote.Published{}, err
		}
		removed += c.done.Removed
	}
	c.done.Repository, c.done.Removed = in.Repository, removed
	if c.end || len(c.done.Missing) == 0 && c.done.Added+c.done.Changed+c.done.Removed >= manyMemories {
		s.renewStatistics(ctx)
	}
	return c.done, nil
}

// again calls fn, which writes a repository, until other transactions are not in its way: PostgreSQL may give one up
// for another.
func (s *Store) again(ctx context.Context, repository string, fn func() error) error {
	for attempt := 1; ; attempt++ {
		err := fn()
		switch {
		case err == nil || !errors.Is(err, errMoved) && !slices.Contains([]string{"40001", "40P01"}, sqlState(err)):
			return err
		case attempt == maxAttempts:
			return busy(ctx, err)
		}
		s.options.Log.InfoContext(ctx, "a publication starts again", "repository", repository, "attempt", attempt,
			"error", err)
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
		s.options.Log.WarnContext(ctx, "the statistics of a large publication are left to autovacuum", "error", err)
	}
}

// mayPublish returns an error for a publication that is refused whatever its memories are.
func (s *Store) mayPublish(ctx context.Context, by Principal, p remote.Publication) error {
	return s.as(ctx, by, p.Repository, func(tx pgx.Tx) error {
		_, err := lastOf(ctx, tx, by, p, "")
		return err
	})
}

func (in *publishing) try(ctx context.Context) (c changes, err error) {
	s, by, p := in.store, in.by, in.Publication
	var before row
	err = s.as(ctx, by, p.Repository, func(tx pgx.Tx) (err error) {
		if before, err = lastOf(ctx, tx, by, p, ""); err != nil {
			return err
		}
		c, err = compare(ctx, tx, before.id, in.memories, in.part)
		return err
	})
	if err != nil || len(c.done.Missing) > 0 {
		return c, err
	}
	if before.id != 0 && before.analysedBy != s.options.analyser.version {
		if err := s.analyseRepository(ctx, p.Repository); err != nil {
			return c, err
		}
		return c, errMoved
	}
	c.vocabulary = &in.vocabulary
	if err := c.analyse(ctx); err != nil {
		return c, err
	}
	if len(in.terms) > s.options.mostWords {
		return c, errTooManyWords
	}
	words := c.words(c.used())
	if err := s.addTerms(ctx, by, p.Repository, words); err != nil {
		return c, err
	}
	err = s.as(ctx, by, p.Repository, func(tx pgx.Tx) error {
		if err := shareTerms(ctx, tx); err != nil {
			return err
		}
		now, err := lastOf(ctx, tx, by, p, "FOR NO KEY UPDATE")
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
		partly := in.part || c.more
		c.end = now.incomplete && !partly
		now.memories, now.incomplete, now.tree = c.count, partly, nil
		if !partly {
			now.commit, now.sequence, now.tree = p.Commit, p.Sequence, in.tree()
		} else if now.id == 0 {
			now.commit = p.Commit
		}
		now.analysedBy = s.options.analyser.version
		repo, err := putRepository(ctx, tx, by, p.Repository, now)
		if err != nil {
			return err
		}
		return c.write(ctx, tx, repo, ids)
	})
	return c, err
}

// tree returns the tree that the hub stores: none if a memory is to be sent each time.
func (in *publishing) tree() []byte {
	if slices.ContainsFunc(in.memories, func(v *version) bool { return v.sent == nil }) {
		return nil
	}
	return in.store.treeHash(in.Publication)
}

// row is the publication that a repository has, the zero row before the first.
type row struct {
	id         int32
	commit     string
	sequence   int64
	at         time.Time
	memories   int
	tree       []byte // of treeHash
	incomplete bool   // parts of the next publication came, and not its end
	analysedBy int    // the version of the analyser that made the terms
	revision   int64
}

func (r row) same(other row) bool {
	return r.id == other.id && r.commit == other.commit && r.sequence == other.sequence && r.at.Equal(other.at) &&
		r.revision == other.revision
}

// lastOf returns the publication that a repository has, or an error if this one may not follow it. locking is the
// clause of SELECT that locks the row.
func lastOf(ctx context.Context, tx pgx.Tx, by Principal, p remote.Publication, locking string) (r row, err error) {
	if by.PullRequest {
		return r, refusal(http.StatusForbidden, "forbidden", "the job of a pull request may not publish")
	}
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
		SELECT repo_id, commit_sha, sequence, published_at, memories, tree, incomplete, analysed_by, revision
		FROM repositories
		WHERE name = $1 `+locking, p.Repository).Scan(&r.id, &r.commit, &r.sequence, &r.at, &r.memories, &r.tree,
		&r.incomplete, &r.analysedBy, &r.revision)
	if errors.Is(err, pgx.ErrNoRows) {
		r, err = row{}, nil
	}
	if most := mostSequence(r.sequence, time.Now()); err == nil && p.Sequence > most {
		err = badRequest("sequence", "the hub has sequence %d and accepts at most %d next", r.sequence, most)
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

// putRepository writes the row of a repository, a new one without an id, and returns its id.
func putRepository(ctx context.Context, tx pgx.Tx, by Principal, name string, r row) (id int32, err error) {
	const columns = `commit_sha, sequence, published_at, published_by, memories, tree, incomplete, analysed_by`
	const values = `$2, $3, clock_timestamp(), $4, $5, $6, $7, $8`
	query := `
		INSERT INTO repositories (name, ` + columns + `)
		VALUES ($1, ` + values + `)
		ON CONFLICT (name) DO NOTHING
		RETURNING repo_id`
	if r.id != 0 {
		query = `UPDATE repositories SET (` + columns + `) = (` + values + `) WHERE name = $1 RETURNING repo_id`
	}
	err = tx.QueryRow(ctx, query, name, r.commit, r.sequence, by.Person, r.memories, r.tree, r.incomplete,
		r.analysedBy).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = errMoved
	}
	return id, err
}

// compare finds what has to change so that a repository has these memories, or has them beside its other ones.
func compare(ctx context.Context, tx pgx.Tx, repo int32, memories []*version, part bool) (c changes, err error) {
	type stored struct {
		Path string
		ID   int64
		Hash []byte
		Sent []byte
		Size int
	}
	list, err := collect[stored](ctx, tx, `
		SELECT path, memory_id, hash, sent, octet_length(document)
		FROM memories
		WHERE repo_id = $1`, repo)
	if err != nil {
		return c, err
	}
	had, size := make(map[string]stored, len(list)), 0
	for _, m := range list {
		had[m.Path] = m
		size += m.Size
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
			size += len(m.document)
		case !bytes.Equal(old.Hash, m.hash):
			c.done.Changed++
			c.put = append(c.put, m)
			c.old = append(c.old, &version{id: old.ID})
			size += len(m.document) - old.Size
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
	times := 2 // before the end of a publication, those are there that it removes
	if !part {
		times = 1
		for _, old := range had {
			c.removed = append(c.removed, old.ID)
			size -= old.Size
		}
	}
	if len(c.removed) > removedAtOnce {
		c = changes{removed: c.removed[:removedAtOnce], more: true}
	}
	for _, id := range c.removed {
		c.old = append(c.old, &version{id: id})
	}
	c.done.Removed = len(c.removed)
	c.count = len(list) + c.done.Added - c.done.Removed
	if !c.more && (c.count > times*remote.MaxMemories || size > times*remote.MaxPublication) {
		return c, errPublicationTooLarge
	}
	return c, c.readOld(ctx, tx)
}

// removedAtOnce is how many memories one transaction removes: their terms are made again, which takes memory.
const removedAtOnce = 5000
