package retrieve

import (
	"context"
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

// near returns the nearest texts of a kind.
func (q Query) near(ctx context.Context, d *db.DB, kind string) ([]Neighbour, error) {
	if q.Meaning == nil {
		return nil, nil
	}
	return q.Meaning.Near(ctx, d, kind, "")
}

// reranks reports whether the user has a reranker.
func (q Query) reranks() bool { return q.Meaning != nil && q.Meaning.Reranks() }
