package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"
	"unique"

	"github.com/jackc/pgx/v5"
)

// A hub is too large for PostgreSQL to weigh every memory that has a word of a prompt. The service holds the postings
// in its own memory and chooses the memories whose words are worth most; search.sql weighs those. It chooses from the
// repositories that row security shows in the transaction of the search, at the revisions that it shows. What it gives
// to search.sql are ids: what they stand for, row security shows or hides again.

// weighed is how many candidates search.sql weighs.
const weighed = 100

// A segment has the postings of the active memories of a repository at a revision.
type segment struct {
	revision   int64
	memories   []int32 // ids, ascending
	lengths    []uint16
	categories []unique.Handle[string]
	// What the order of equal memories depends on.
	confidences []float32
	updated     []int64
	terms       []int32  // ids, ascending
	ends        []uint32 // 0, and where the postings of each term end
	postings    []uint32 // the place of the memory << weightedBits | its occurrences of the term, weighted
}

const (
	weightedBits = 10
	weightedMask = 1<<weightedBits - 1
)

// segments has those of all repositories that were asked for. They are a copy of tables.
type segments struct {
	mu      sync.Mutex
	byID    map[int32]*segment
	reading map[int32]*reading
	turns   chan struct{} // of readers
}

// reading can be waited for.
type reading struct {
	done chan struct{} // closed when it has ended
	err  error         // then
}

// readers is how many repositories are read at once, each on a connection.
const readers = 2

func newSegments() *segments {
	return &segments{byID: map[int32]*segment{}, reading: map[int32]*reading{}, turns: make(chan struct{}, readers)}
}

// of returns the segment of a repository, nil if there is none.
func (s *segments) of(repo int32) *segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byID[repo]
}

// held returns what there is now.
func (s *segments) held() map[int32]*segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.byID)
}

// unreadError names repositories whose postings a search lacks.
type unreadError []int32

func (e unreadError) Error() string {
	return fmt.Sprintf("the postings of %d repositories are not read yet", len(e))
}

// readAgain has the postings of a repository read, unless that is going on. It goes on without who asked: a client
// that does not wait must not keep others from an answer.
func (s *Store) readAgain(repo int32) *reading {
	all := s.segments
	all.mu.Lock()
	defer all.mu.Unlock()
	if r := all.reading[repo]; r != nil {
		return r
	}
	r := &reading{done: make(chan struct{})}
	all.reading[repo] = r
	go func() {
		all.turns <- struct{}{}
		defer func() { <-all.turns }()
		g, err := s.readPostings(s.background, repo)
		all.mu.Lock()
		defer all.mu.Unlock()
		switch {
		case err == nil && g == nil:
			delete(all.byID, repo)
		case err == nil:
			all.byID[repo] = g
		}
		r.err = err
		delete(all.reading, repo)
		close(r.done)
	}()
	return r
}

// wait has repositories read, and waits for that until a time. It returns an error for one without postings.
func (s *Store) wait(ctx context.Context, repositories unreadError, until time.Time) error {
	ctx, stop := context.WithDeadline(ctx, until)
	defer stop()
	list := make([]*reading, len(repositories))
	for i, repo := range repositories {
		list[i] = s.readAgain(repo)
	}
	for i, r := range list {
		select {
		case <-r.done:
			if r.err != nil && s.segments.of(repositories[i]) == nil {
				return r.err
			}
		case <-ctx.Done():
			return nil // who asks looks what is there now
		}
	}
	return nil
}

// KeepPostings reads the postings of repositories that no search has asked for yet, and forgets those of repositories
// that are gone. It is a regular job of the service. A search is right without it: it waits for what it lacks.
func (s *Store) KeepPostings(ctx context.Context) error {
	all := s.segments
	before := all.held()
	type repository struct {
		ID       int32
		Revision int64
	}
	var list []repository
	if err := s.as(ctx, Principal{}, "", func(tx pgx.Tx) (err error) {
		list, err = collect[repository](ctx, tx, `SELECT repo_id, revision FROM all_repositories()`)
		return err
	}); err != nil {
		return err
	}
	exist := map[int32]bool{}
	var started []*reading
	for _, r := range list {
		exist[r.ID] = true
		// A later revision than the one listed is of a database that has been made again, unless it has just come.
		if g := all.of(r.ID); g == nil || g.revision < r.Revision || g.revision > r.Revision && g == before[r.ID] {
			started = append(started, s.readAgain(r.ID))
		}
	}
	all.mu.Lock()
	maps.DeleteFunc(all.byID, func(repo int32, g *segment) bool { return !exist[repo] && g == before[repo] })
	all.mu.Unlock()
	var errs []error
	for _, r := range started {
		select {
		case <-r.done:
			errs = append(errs, r.err)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.Join(errs...)
}

// readPostings reads the postings of a repository with the rights of its publishers. It returns nil if the repository
// is gone.
func (s *Store) readPostings(ctx context.Context, repo int32) (g *segment, err error) {
	err = s.transaction(ctx, snapshot, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, act, actArgs(Principal{}, "", writeTimeout)...); err != nil {
			return err
		}
		var name string
		var revision int64
		err := tx.QueryRow(ctx, `SELECT name, revision FROM all_repositories() WHERE repo_id = $1`, repo).
			Scan(&name, &revision)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			_, err = tx.Exec(ctx, `SELECT set_config('memctl.publishing', $1, true)`, name)
		}
		if err == nil {
			g, err = readSegment(ctx, tx, repo, revision)
		}
		return err
	})
	return g, err
}

const repositoryPostings = `
	SELECT term_id, packed
	FROM postings
	WHERE repo_id = $1
	ORDER BY term_id`

// readSegment reads the postings of a repository in a transaction that sees one state of the database.
func readSegment(ctx context.Context, tx pgx.Tx, repo int32, revision int64) (*segment, error) {
	g := &segment{revision: revision, ends: []uint32{0}}
	rows, _ := tx.Query(ctx, `
		SELECT memory_id, category, coalesce(confidence, 0), coalesce(updated_unix, 0)
		FROM memories
		WHERE repo_id = $1
			AND record_status = 'active'
		ORDER BY memory_id`, repo) // ForEachRow returns its error
	var id int32
	var category string
	var confidence float32
	var updated int64
	if _, err := pgx.ForEachRow(rows, []any{&id, &category, &confidence, &updated}, func() error {
		g.memories = append(g.memories, id)
		g.confidences, g.updated = append(g.confidences, confidence), append(g.updated, updated)
		g.categories = append(g.categories, unique.Make(category))
		return nil
	}); err != nil {
		return nil, err
	}
	g.lengths = make([]uint16, len(g.memories))
	rows, _ = tx.Query(ctx, repositoryPostings, pgx.QueryExecModeDescribeExec, repo) // as binary numbers
	var term int32
	var packed []int64
	_, err := pgx.ForEachRow(rows, []any{&term, &packed}, func() error {
		g.add(term, packed)
		return nil
	})
	g.terms, g.ends, g.postings = slices.Clip(g.terms), slices.Clip(g.ends), slices.Clip(g.postings)
	return g, err
}

func (g *segment) add(term int32, packed []int64) {
	at := 0
	before := len(g.postings)
	for _, element := range packed {
		place, active := slices.BinarySearch(g.memories[at:], int32(memoryOf(element)))
		at += place
		if !active {
			continue
		}
		g.lengths[at] = uint16(element >> 18 & maxLength)
		g.postings = append(g.postings, uint32(at)<<weightedBits|
			10*uint32(element>>13&maxTitle)+5*uint32(element>>8&maxTags)+2*uint32(element&maxBody))
	}
	if len(g.postings) > before {
		g.terms, g.ends = append(g.terms, term), append(g.ends, uint32(len(g.postings)))
	}
}

// of returns the postings of a term.
func (g *segment) of(term int32) []uint32 {
	i, found := slices.BinarySearch(g.terms, term)
	if !found {
		return nil
	}
	return g.postings[g.ends[i]:g.ends[i+1]]
}

// wanted is a term of a prompt.
type wanted struct {
	Term     int32
	Weight   float32  // the strength of a memory that has nothing but the term
	postings []uint32 // in the segment that is looked at
}

var anyCategory = unique.Make("")

type candidate struct {
	memory     int32
	strength   float32 // in hundredths, as search.sql rounds it
	confidence float32
	updated    int64
}

// chooser finds the best memories of several segments.
type chooser struct {
	average  float64               // length of a memory
	terms    []wanted              // the weightiest first
	category unique.Handle[string] // that of "" for any
	most     int

	best   []candidate
	least  float32   // strength of the last one, if there are enough
	points []float32 // of a segment; all 0 between two
	places []uint32  // of those that have points
}

// add chooses from one more segment.
func (c *chooser) add(g *segment) {
	c.points = slices.Grow(c.points[:0], len(g.memories))[:len(g.memories)]
	c.places = c.places[:0]
	slope := float32(0.9 / c.average)
	var left float32 // more than the terms that are left can add
	for i, t := range c.terms {
		if c.terms[i].postings = g.of(t.Term); c.terms[i].postings != nil {
			left += t.Weight
		}
	}
	for _, t := range c.terms {
		if t.postings == nil {
			continue
		}
		adds := func(p uint32) float32 {
			f := float32(p & weightedMask)
			return t.Weight * f / (f + 0.3 + slope*float32(g.lengths[p>>weightedBits]))
		}
		if 100*left >= c.least-1 {
			for _, p := range t.postings {
				at := p >> weightedBits
				if c.points[at] == 0 {
					c.places = append(c.places, at)
				}
				c.points[at] += adds(p)
			}
		} else { // only a memory that has points can still be one of the best
			c.places = slices.DeleteFunc(c.places, func(at uint32) bool {
				if 100*(c.points[at]+left) < c.least-1 {
					c.points[at] = 0
					return true
				}
				if i, _ := slices.BinarySearch(t.postings, at<<weightedBits); i < len(t.postings) &&
					t.postings[i]>>weightedBits == at {
					c.points[at] += adds(t.postings[i])
				}
				return false
			})
		}
		left -= t.Weight
	}
	for _, at := range c.places {
		strength := float32(math.Round(float64(c.points[at]) * 100))
		c.points[at] = 0
		if strength < c.least || c.category != anyCategory && c.category != g.categories[at] {
			continue
		}
		c.best = append(c.best, candidate{g.memories[at], strength, g.confidences[at], g.updated[at]})
		if len(c.best) >= 8*c.most {
			c.cut()
		}
	}
}

// cut leaves the best.
func (c *chooser) cut() {
	slices.SortFunc(c.best, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.strength, a.strength), cmp.Compare(b.confidence, a.confidence),
			cmp.Compare(b.updated, a.updated), cmp.Compare(a.memory, b.memory))
	})
	if len(c.best) > c.most {
		c.best = c.best[:c.most]
		c.least = c.best[c.most-1].strength
	}
}

// chosen returns the ids of the best memories.
func (c *chooser) chosen() []int64 {
	c.cut()
	ids := make([]int64, len(c.best))
	for i, b := range c.best {
		ids[i] = int64(b.memory)
	}
	return ids
}
