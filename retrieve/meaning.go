package retrieve

import (
	"cmp"
	"context"
	"slices"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/privacy"
	"memctl/schemas"
)

// Model makes vectors of texts, by which texts that are near in meaning are found. It is the user's own, and most
// users have none. A feature implements it.
type Model interface {
	// Ask prepares a question. Budget is how long it may take, 0 for the time of the user's settings.
	Ask(question string, filter privacy.Options, budget time.Duration) Question
	// MakeVectors makes the vectors of texts that have none, in batches, until nothing is left or ctx ends. Each batch
	// is in the database once it is done.
	MakeVectors(ctx context.Context, work VectorWork) (done int, err error)
	// Recover forgets failures, after which the model would be left alone for a while.
	Recover()
}

// Question is a text whose vector is compared with those of databases.
type Question interface {
	// Start asks the model, without waiting for the answer.
	Start()
	// Err says why the question has no answer, nil if it has one.
	Err() error
	// Near returns what is nearest to the question among the texts of a kind, or of those that a condition on their
	// ids selects unless it is "". Nothing is near where the model does not answer in time. An error is the database's.
	Near(ctx context.Context, d *db.DB, kind, condition string, args ...any) ([]Neighbour, error)
	// Reranks reports whether the user has a reranker.
	Reranks() bool
	// Rerank returns how relevant texts are to the question, nil if there is no answer in time.
	Rerank(ctx context.Context, texts []string) []float64
}

// Neighbour is a text of a database.
type Neighbour struct {
	ID     int64
	Cosine float64
	// Nearness is the cosine less that of the average text of the set, in units of what two
	// sentences that say the same are nearer than two that have nothing in common.
	Nearness float64
}

// VectorWork is a database whose texts may need vectors.
type VectorWork struct {
	Root     files.Root // the folder of the database
	DB       *db.DB
	Privacy  func(path string) privacy.Options // for a memory at a path, or "" for another text
	Progress func(done, total int)             // may be nil; it is called after each batch
}

const (
	// SearchTime is how long a search, for which someone waits, waits for the model at most.
	SearchTime = 2 * time.Second
	// VectorTime is how long a save, or a search of all projects or of past sessions, makes missing vectors.
	VectorTime = time.Second
)

// UserModel returns the user's model, nil for none. Cfg is the user's configuration if it has been read. The error
// says what is wrong with the settings. A nil UserModel belongs to a program without the feature.
type UserModel func(cfg *schemas.Config) (Model, error)

// Find calls m, unless it is nil.
func (m UserModel) Find(cfg *schemas.Config) (Model, error) {
	if m == nil {
		return nil, nil
	}
	return m(cfg)
}

// start asks the user's model, if there is one.
func (q Query) start() {
	if q.Meaning != nil {
		q.Meaning.Start()
	}
}

// near returns the nearest texts of a kind, nearest first.
func (q Query) near(ctx context.Context, d *db.DB, kind string) ([]Neighbour, error) {
	if q.Meaning == nil {
		return nil, nil
	}
	near, err := q.Meaning.Near(ctx, d, kind, "")
	slices.SortFunc(near, func(a, b Neighbour) int { return cmp.Compare(b.Cosine, a.Cosine) })
	return near, err
}

const (
	// places is how many of the best by words, and of the nearest, have a rank.
	places = 8
	// nearShare is what a rank by nearness counts, of one by words.
	nearShare = 0.25
)

// fuse orders results, which come in the order of words, by 1 / rank by words + nearShare / rank by nearness, of the
// first places of each: sums would grow with the store, because the nearest of many are nearer. The nearest need less
// of the floor by the same share. A memory without a word of the question is found by its place; where there is a
// floor, only the nearest, if it is as near as two sentences that say the same.
func (q Query) fuse(results []Result) []Result {
	var near []*Result
	rank, n, last := 0, 0, -1.0
	for i := range results {
		r := &results[i]
		if r.Status != schemas.Active { // Explain lists others too, which must not change the order
			continue
		}
		if n++; r.Rounded != last {
			rank, last = n, r.Rounded
		}
		if rank <= places && r.Rounded > 0 {
			r.Order = 1 / float64(rank)
		}
		if r.Cosine != nil && r.Nearness > 0 {
			near = append(near, r)
		}
	}
	slices.SortStableFunc(near, func(a, b *Result) int { return cmp.Compare(*b.Cosine, *a.Cosine) })
	near = near[:min(len(near), places)]
	for i, r := range near {
		r.NearRank = i + 1
		share := nearShare / float64(r.NearRank)
		r.Order += share
		r.Needed /= 1 + share
	}
	if len(near) > 0 && near[0].Nearness >= 1 {
		near[0].Needed = 0
	}
	slices.SortStableFunc(results, stronger)
	return slices.DeleteFunc(results, func(r Result) bool {
		return !q.Ungated && !r.Passed() || r.Strength == 0 && r.Cosine != nil && r.NearRank == 0
	})
}

// reranks reports whether the user has a reranker.
func (q Query) reranks() bool { return q.Meaning != nil && q.Meaning.Reranks() }
