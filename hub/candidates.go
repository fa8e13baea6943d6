package hub

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
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
	terms      []int32  // ids, ascending
	ends       []uint32 // where the postings of each term end
	postings   []uint32 // the place of the memory << weightedBits | its occurrences of the term, weighted
}

const (
	weightedBits = 10
	weightedMask = 1<<weightedBits - 1
)

// segments has those of all repositories that were asked for. They are a copy of tables: what is missing is read.
type segments struct {
	mu      sync.Mutex
	byID    map[int32]*segment
	reading map[int32]chan struct{} // closed when somebody has read it, or could not
}

func newSegments() *segments {
	return &segments{byID: map[int32]*segment{}, reading: map[int32]chan struct{}{}}
}

// of returns the segment of a repository at a revision, or a later one. Only one caller at a time reads it.
func (s *segments) of(
	ctx context.Context, repo int32, revision int64, read func() (*segment, error),
) (found *segment, err error) {
	for {
		s.mu.Lock()
		var busy chan struct{}
		found, busy = s.byID[repo], s.reading[repo]
		if found != nil && found.revision >= revision {
			s.mu.Unlock()
			return found, nil
		}
		if busy == nil {
			break
		}
		s.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	done := make(chan struct{})
	s.reading[repo] = done
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if err == nil {
			s.byID[repo] = found
		}
		delete(s.reading, repo)
		close(done)
	}()
	return read()
}

// keep forgets the repositories that are not in a list.
func (s *segments) keep(exist map[int32]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.byID, func(repo int32, _ *segment) bool { return !exist[repo] })
}

// KeepPostings reads the postings of repositories that no search has asked for yet, and forgets those of repositories
// that are gone. It is a regular job of the service. A search is right without it: it reads what it lacks.
func (s *Store) KeepPostings(ctx context.Context) error {
	type repository struct {
		ID       int32
		Name     string
		Revision int64
	}
	var list []repository
	if err := s.as(ctx, Principal{}, "", func(tx pgx.Tx) (err error) {
		list, err = collect[repository](ctx, tx, `SELECT repo_id, name, revision FROM all_repositories()`)
		return err
	}); err != nil {
		return err
	}
	exist := map[int32]bool{}
	for _, r := range list {
		exist[r.ID] = true
		if _, err := s.segments.of(ctx, r.ID, r.Revision, func() (g *segment, err error) {
			err = s.transaction(ctx, snapshot, func(tx pgx.Tx) (err error) {
				if _, err = tx.Exec(ctx, act, actArgs(Principal{}, r.Name, writeTimeout)...); err == nil {
					g, err = readSegment(ctx, tx.Conn(), r.ID, r.Revision)
				}
				return err
			})
			return g, err
		}); err != nil {
			return err
		}
	}
	s.segments.keep(exist)
	return nil
}

const repositoryPostings = `
	SELECT term_id, packed
	FROM postings
	WHERE repo_id = $1
	ORDER BY term_id`

// readSegment reads the postings of a repository in a transaction that sees one state of the database.
func readSegment(ctx context.Context, conn *pgx.Conn, repo int32, revision int64) (*segment, error) {
	g := &segment{revision: revision}
	rows, _ := conn.Query(ctx, `
		SELECT memory_id, category
		FROM memories
		WHERE repo_id = $1
			AND record_status = 'active'
		ORDER BY memory_id`, repo) // ForEachRow returns its error
	var id int32
	var category string
	if _, err := pgx.ForEachRow(rows, []any{&id, &category}, func() error {
		g.memories = append(g.memories, id)
		g.categories = append(g.categories, unique.Make(category))
		return nil
	}); err != nil {
		return nil, err
	}
	g.lengths = make([]uint16, len(g.memories))
	rows, _ = conn.Query(ctx, repositoryPostings, pgx.QueryExecModeDescribeExec, repo) // as binary numbers
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

// wanted is a term of a prompt.
type wanted struct {
	Term   int32
	Weight float64 // what a memory gets that has nothing but the term
}

var anyCategory = unique.Make("")

type candidate struct {
	memory int32
	points float32
}

// chooser finds the best memories of several segments.
type chooser struct {
	average  float64 // length of a memory
	terms    []wanted
	category unique.Handle[string] // that of "" for any
	most     int

	best   []candidate
	least  float32 // points that a memory must have more than
	points []float32
}

// add chooses from one more segment.
func (c *chooser) add(g *segment) {
	c.points = slices.Grow(c.points[:0], len(g.memories))[:len(g.memories)]
	clear(c.points)
	slope := float32(0.9 / c.average)
	for _, t := range c.terms {
		i, found := slices.BinarySearch(g.terms, t.Term)
		if !found {
			continue
		}
		start, weight := uint32(0), float32(t.Weight)
		if i > 0 {
			start = g.ends[i-1]
		}
		for _, p := range g.postings[start:g.ends[i]] {
			at, f := p>>weightedBits, float32(p&weightedMask)
			c.points[at] += weight * f / (f + 0.3 + slope*float32(g.lengths[at]))
		}
	}
	for at, points := range c.points {
		if points > c.least && (c.category == anyCategory || c.category == g.categories[at]) {
			c.best = append(c.best, candidate{g.memories[at], points})
			if len(c.best) >= 8*c.most {
				c.cut()
			}
		}
	}
}

// cut leaves the best.
func (c *chooser) cut() {
	slices.SortFunc(c.best, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(a.memory, b.memory))
	})
	if len(c.best) > c.most {
		c.best = c.best[:c.most]
		c.least = c.best[c.most-1].points
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
