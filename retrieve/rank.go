package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"math"
	"strings"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
)

//go:embed rank.sql
var rankSQL string

const (
	// minPool is how many memories rank.sql looks up at least, the best by text.
	minPool = 120
	// wholePool looks up every memory that matches.
	wholePool = -1
)

// rank returns the memories of one index that match q, best first.
func rank(ctx context.Context, d *db.DB, q Query) ([]Result, error) {
	if q.Strategy == schemas.Hybrid {
		return q.rankMeant(ctx, d)
	}
	pool := max(minPool, 4*q.Limit)
	results, err := q.rankTitleTags(ctx, d, pool)
	if err != nil || q.settled(results, pool) {
		return results, err
	}
	return q.rankTitleTags(ctx, d, wholePool)
}

func (q Query) rankTitleTags(ctx context.Context, d *db.DB, pool int) ([]Result, error) {
	return db.Query[Result](ctx, d, rankSQL, append(q.titleTagsArgs(), sql.Named("pool", pool))...)
}

// settled reports whether every memory outside the pool ranks below the results.
// Recency and description add at most 3 points, without descriptions 1.
func (q Query) settled(results []Result, pool int) bool {
	if len(results) == 0 {
		return false // the filters may have removed the whole pool
	}
	bonus := 1
	if len(q.Described) > 0 {
		bonus = 3
	}
	last := results[len(results)-1]
	return last.Pooled < pool || len(results) == q.Limit && last.Score > last.PoolFloor+bonus
}

// titleTagsArgs returns the parameters that rank.sql and explain.sql share.
func (q Query) titleTagsArgs() []any {
	var recentAfter any // NULL: recency does not count
	if !q.Now.IsZero() {
		recentAfter = q.Now.AddDate(0, 0, -RecentDays).Unix()
	}
	return append(q.Filter.args(),
		sql.Named("prompt", db.JSON(q.Tokens)),
		sql.Named("described", db.JSON(q.Described)),
		sql.Named("recent_after", recentAfter),
		sql.Named("untitled", q.IgnoreTitle),
		sql.Named("place", q.place),
		sql.Named("here", q.here()),
	)
}

// placeIn returns where q is asked below the project of a root, with a slash at its end, nil if folders do not count.
func (q Query) placeIn(root files.Root) any {
	if q.Cwd == "" || root.Project == "" || root.Scope == files.UserScope {
		return nil
	}
	if part := root.Part(q.Cwd); part != "" {
		return part + "/"
	}
	return ""
}

// here is the place of a query for a prompt, to which memories of other folders are not given.
func (q Query) here() any {
	if !q.Current || q.Ungated {
		return nil
	}
	return q.place
}

//go:embed hybrid.sql
var hybridSQL string

// withoutHead returns a statement without the comment above it, which SQLite would read at each prompt.
func withoutHead(file string) string { return file[strings.Index(file, "\nWITH\n")+1:] }

const (
	// hybridPool is how many hits hybrid.sql adds up for each of its queries while a prompt
	// waits. One that matches more than that asks for no memory in particular.
	hybridPool = 200
	// maxTies is how many memories may be as good as the last one of an answer.
	maxTies = 20
)

// rankMeant ranks by words, and by meaning too if the user's model answers in time.
func (q Query) rankMeant(ctx context.Context, d *db.DB) ([]Result, error) {
	w, err := q.plan(ctx, d)
	if err != nil {
		return nil, err
	}
	near, err := q.near(ctx, d, db.MemoryVectors)
	if err != nil {
		return nil, err
	}
	return q.rankHybrid(ctx, d, w, near)
}

func (q Query) rankHybrid(ctx context.Context, d *db.DB, w searchPlan, near []Neighbour) ([]Result, error) {
	if len(w.words)+len(w.pairs)+len(w.near)+len(near) == 0 {
		return nil, nil
	}
	if len(near) > 0 {
		q.Limit = max(q.Limit, places)
	}
	queries := w.queries()
	pool, shortlist := hybridPool*len(queries), q.Limit+maxTies
	if q.unfiltered() {
		near = near[:min(len(near), shortlist)]
	}
	if shortlist += len(near); q.Chance == 0 || !q.unfiltered() || q.Limit > hybridPool {
		pool, shortlist = wholePool, wholePool // the filters come after them
	}
	neighbours := make([][3]any, len(near))
	for i, n := range near {
		neighbours[i] = [3]any{n.ID, n.Cosine, n.Nearness}
	}
	q.Limit += len(near)
	args := append(q.Filter.args(),
		sql.Named("queries", db.JSON(queries)),
		sql.Named("pages", w.pages),
		sql.Named("floor", q.floor(w)),
		sql.Named("gated", !q.Ungated),
		sql.Named("files", db.JSON(q.Files)),
		sql.Named("near", db.JSON(neighbours)),
		sql.Named("any_status", !q.onlyActive()),
		sql.Named("off", listed(q.Off)),
		sql.Named("place", q.place),
		sql.Named("here", q.here()),
		sql.Named("pool", pool),
		sql.Named("shortlist", shortlist),
	)
	return db.Query[Result](ctx, d, withoutHead(hybridSQL), args...)
}

//go:embed best.sql
var bestSQL string

// observedWord is the weight of a prompt word that an observation has. It is
// below 1 because a memory that says as much is worth more than a tool run.
const observedWord = 0.4

// bestScore returns the highest Text, or Strength, that any memory could have for
// the prompt of q; 0 if there is nothing to score.
func (s Sources) bestScore(ctx context.Context, q Query) (best float64, err error) {
	err = s.each(func(source Source) error {
		score, err := source.bestScore(ctx, q)
		best = max(best, score)
		return err
	})
	return best, err
}

func (s Source) bestScore(ctx context.Context, q Query) (float64, error) {
	if q.Strategy == schemas.Hybrid {
		return s.bestStrength(ctx, q)
	}
	points, err := db.Query[int](ctx, s.DB, bestSQL, sql.Named("prompt", db.JSON(q.Tokens)))
	sum := 0
	for _, n := range points {
		sum += n
	}
	return float64(sum), err
}

// bestStrength counts the prompt without synonyms, because a memory need not have those
// too, and only the beginning of a long prompt, because no memory comes near all of it.
func (s Source) bestStrength(ctx context.Context, q Query) (float64, error) {
	prompt := weighted(q.Prompt.Unpaired(), q.Prompt.Pairs)
	terms := make([]string, len(prompt))
	for i, t := range prompt {
		terms[i] = t.term
	}
	f, err := frequenciesOf(ctx, s.DB, terms, q.mostHaving())
	return f.best(prompt, q.mostHaving()), err
}

// relevance returns the share of the best score that a result has by its text, 0
// to 1 in hundredths. It is 1 where every word of the prompt matches as well as it
// can. Without a word of the prompt it is the nearness.
func (r Result) relevance(best float64) float64 {
	score := max(float64(r.Text), r.Strength) // one of the two is 0
	if best <= 0 || score == 0 {
		return hundredths(max(0, r.Nearness))
	}
	return hundredths(score / best)
}

// Relevances returns the relevance of each result of q, 0 to 1 in hundredths.
func (s Sources) Relevances(ctx context.Context, q Query, results []Result) ([]float64, error) {
	best, err := s.bestScore(ctx, q)
	relevances := make([]float64, len(results))
	for i, r := range results {
		relevances[i] = r.relevance(best)
	}
	return relevances, err
}

// observedRelevance is the relevance of an observation with that many words of q.
func (q Query) observedRelevance(words int) float64 {
	return hundredths(observedWord * float64(words) / float64(len(q.words())))
}

// hundredths rounds a share to two places, and to 1 at most.
func hundredths(share float64) float64 { return math.Round(100*min(1, share)) / 100 }
