package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"math"

	"memctl/db"
	"memctl/memdir"
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

// Result is one ranked memory.
type Result struct {
	Entry

	// The points of title_tags. Score is the sum of the other three, a small
	// integer. Compare it only between results of one prompt.
	Text   int `db:"text"`
	Desc   int `db:"description"`
	Recent int `db:"recent"`
	Score  int `db:"score"`

	// The points of hybrid. A word that only this memory has is worth 1. Evidence
	// is the part of Strength that comes from the prompt's topics.
	Strength float64 `db:"strength"`
	Evidence float64 `db:"evidence"`

	// What orders equal results of several sources.
	Rounded     float64 `db:"rounded"` // Strength
	Confidence  float64 `db:"confidence"`
	UpdatedUnix int64   `db:"updated_unix"`

	// The file as it was indexed.
	Size    int64 `db:"size_bytes"`
	MtimeNS int64 `db:"mtime_ns"`
	ReadNS  int64 `db:"read_ns"`

	// Pooled is how many memories rank.sql looked up, PoolFloor the lowest text
	// score among them. No memory outside the pool has a higher one.
	Pooled    int `db:"pooled"`
	PoolFloor int `db:"pool_floor"`

	// Root is where Sources found the memory.
	Root memdir.Root `db:"-"`
	// Overridden is the path of a memory of a root before that stands in place of this
	// one, "" if there is none. Sources.Fresh returns no such result.
	Overridden string `db:"-"`
}

// Shown returns the score that people see: Score for title_tags, and for hybrid
// Strength mapped to 0..1 in hundredths. There 0.5 is one word of the prompt that
// only this memory has, 0.75 three such words.
func (r Result) Shown() float64 {
	if r.Strength > 0 {
		return math.Round(100*r.Strength/(1+r.Strength)) / 100
	}
	return float64(r.Score)
}

// Stamp returns what the index knows of the result's file.
func (r Result) Stamp() db.Stamp {
	return db.Stamp{Path: r.Path, Size: r.Size, MtimeNS: r.MtimeNS, ReadNS: r.ReadNS}
}

// Rank returns the memories of an index that match q, best first.
func Rank(ctx context.Context, d *db.DB, q Query) ([]Result, error) {
	return Sources{{DB: d}}.rank(ctx, q)
}

// rank returns the memories of one index. For hybrid, w says how it weighs them.
func rank(ctx context.Context, d *db.DB, q Query, w weighing) ([]Result, error) {
	if q.Strategy == schemas.Hybrid {
		return q.rankHybrid(ctx, d, w)
	}
	pool := max(minPool, 4*q.Limit)
	results, err := q.rankTitleTags(ctx, d, pool)
	if err != nil || q.settled(results, pool) {
		return results, err
	}
	return q.rankTitleTags(ctx, d, wholePool)
}

func (q Query) rankTitleTags(ctx context.Context, d *db.DB, pool int) ([]Result, error) {
	return query[Result](ctx, d, rankSQL, append(q.titleTagsArgs(), sql.Named("pool", pool))...)
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
	)
}

//go:embed hybrid.sql
var hybridSQL string

const (
	// hybridPool is how many memories each query of hybrid.sql hands on. A prompt that
	// matches more than that asks for none of them in particular.
	hybridPool = 200
	// maxTies is how many memories may be as good as the last one of an answer.
	maxTies = 20
	// pairWeight is the weight of pairs in hybrid.sql.
	pairWeight = 0.4
	// preferredWeight is the weight of plain words in the evidence for a preference.
	preferredWeight = 0.85
)

func (q Query) rankHybrid(ctx context.Context, d *db.DB, w weighing) ([]Result, error) {
	if w.terms.Empty() {
		return nil, nil
	}
	pool, shortlist := hybridPool*w.longestPart(), q.Limit+maxTies
	if !q.unfiltered() || q.Limit > hybridPool {
		pool, shortlist = wholePool, wholePool // the filters come after them
	}
	preferred := preferredWeight
	if w.lone {
		preferred *= 2
	}
	args := append(q.Filter.args(),
		sql.Named("queries", w.queries()),
		sql.Named("pages", w.pages),
		sql.Named("preferred", preferred),
		sql.Named("floor", q.Floor),
		sql.Named("any_status", !q.onlyActive()),
		sql.Named("pool", pool),
		sql.Named("shortlist", shortlist),
	)
	return query[Result](ctx, d, hybridSQL, args...)
}
