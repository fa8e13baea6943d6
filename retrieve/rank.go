package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
)

//go:embed rank.sql
var rankSQL string

const (
	// RecentDays is the age in days below which a memory gets its recency point.
	RecentDays = 31
	// maxTokens bounds a prompt: one that says more says nothing in particular.
	maxTokens = 2000
	// minPool is how many of the best by text are looked up at first.
	minPool = 120
	// wholePool looks up all that match.
	wholePool = -1
	// maxDescription is how many code points of a description take part in ranking.
	maxDescription = 500
)

// Query is a prompt and what the answer is limited to.
type Query struct {
	Strategy string
	// Tokens and Described are for title_tags; Terms, Said and Floor for hybrid.
	Tokens     []string // distinct
	Described  map[string][]string
	Terms      text.Terms
	Said       text.Terms         // Terms without synonyms
	Floor      float64            // the least evidence
	Statuses   []schemas.Status   // at least one
	Categories []schemas.Category // empty: every category
	Tag        string             // "": any
	Limit      int                // at least 1
	Now        time.Time          // zero: recency does not count
	Untitled   bool               // the title has no part in the order
}

// Empty tells whether the prompt has nothing to search for.
func (q Query) Empty() bool { return len(q.Tokens) == 0 && q.Terms.Empty() }

// NewQuery asks for active memories by the strategy "title_tags".
func NewQuery(prompt string, descriptions []schemas.Description, limit int, now time.Time) Query {
	q := Query{
		Strategy:  schemas.TitleTags,
		Tokens:    text.Tokens(prompt),
		Described: map[string][]string{},
		Statuses:  []schemas.Status{schemas.Active},
		Limit:     limit,
		Now:       now,
	}
	q.Tokens = q.Tokens[:min(len(q.Tokens), maxTokens)]
	for _, d := range descriptions {
		if tokens := q.begun(text.Tokens(text.Truncate(d.Text, maxDescription))); len(tokens) > 0 {
			q.Described[d.Category] = tokens
		}
	}
	return q
}

// begun keeps the tokens that a prompt token begins: the others cannot count, and
// most prompts have nothing to do with any description.
func (q Query) begun(tokens []string) []string {
	return slices.DeleteFunc(tokens, func(token string) bool {
		return !slices.ContainsFunc(q.Tokens, func(word string) bool { return strings.HasPrefix(token, word) })
	})
}

// Result is one ranked memory.
type Result struct {
	ID        string           `db:"id"`
	Path      string           `db:"path"` // relative to the root
	Category  schemas.Category `db:"category"`
	Title     string           `db:"title"`
	Tags      string           `db:"tags"` // joined with commas
	Status    schemas.Status   `db:"record_status"`
	UpdatedAt string           `db:"updated_at"`
	Text      int              `db:"text"`
	Desc      int              `db:"description"`
	Recent    int              `db:"recent"`
	// Score is text + description + recency points (DESIGN §4): a small integer,
	// comparable only between results of one prompt.
	Score int `db:"score"`
	// Strength and Evidence are hybrid's: in units of what one word is worth that
	// no other memory has. Evidence counts only what the prompt is about.
	Strength float64 `db:"strength"`
	Evidence float64 `db:"evidence"`
	Size     int64   `db:"size_bytes"`
	MtimeNS  int64   `db:"mtime_ns"`
	ReadNS   int64   `db:"read_ns"`
	// Pooled is how many memories were looked up, PoolFloor the lowest text score
	// among them: what was not looked up has no higher one.
	Pooled    int `db:"pooled"`
	PoolFloor int `db:"pool_floor"`
}

// Shown is the score as it is shown: that of title_tags, or hybrid's strength
// brought between 0 and 1, to two places. 0.5 is one word of the prompt that only
// this memory has, 0.75 three such words.
func (r Result) Shown() float64 {
	if r.Strength > 0 {
		return math.Round(100*r.Strength/(1+r.Strength)) / 100
	}
	return float64(r.Score)
}

// Stamp is what the index knows of the result's file.
func (r Result) Stamp() db.Stamp {
	return db.Stamp{Path: r.Path, Size: r.Size, MtimeNS: r.MtimeNS, ReadNS: r.ReadNS}
}

// Rank returns the best memories, best first. It looks up a pool of the best by
// text alone, and all that match where others could still come before the last
// one found.
func Rank(ctx context.Context, d *db.DB, q Query) ([]Result, error) {
	switch {
	case q.Empty() || q.Limit < 1:
		return nil, nil
	case q.Strategy == schemas.Hybrid:
		return q.rankHybrid(ctx, d)
	}
	pool := max(minPool, 4*q.Limit)
	results, err := q.rank(ctx, d, pool)
	if err != nil || q.settled(results, pool) {
		return results, err
	}
	return q.rank(ctx, d, wholePool)
}

func (q Query) rank(ctx context.Context, d *db.DB, pool int) ([]Result, error) {
	args, err := q.args()
	if err != nil {
		return nil, err
	}
	var results []Result
	err = d.Select(ctx, &results, rankSQL, append(args, sql.Named("pool", pool))...)
	return results, err
}

// settled tells whether no memory outside the pool can be among the results:
// recency and description add 3 points at most, without descriptions 1.
func (q Query) settled(results []Result, pool int) bool {
	if len(results) == 0 {
		return false // the whole pool may have been filtered out
	}
	bonus := 1
	if len(q.Described) > 0 {
		bonus = 3
	}
	last := results[len(results)-1]
	return last.Pooled < pool || len(results) == q.Limit && last.Score > last.PoolFloor+bonus
}

// args are the parameters that rank.sql and explain.sql share.
func (q Query) args() ([]any, error) {
	named, err := q.filters()
	if err != nil {
		return nil, err
	}
	prompt, err := json.Marshal(q.Tokens)
	if err != nil {
		return nil, err
	}
	described, err := json.Marshal(q.Described)
	if err != nil {
		return nil, err
	}
	recentAfter := sql.Named("recent_after", nil)
	if !q.Now.IsZero() {
		recentAfter.Value = q.Now.AddDate(0, 0, -RecentDays).Unix()
	}
	return append(named, sql.Named("prompt", string(prompt)), sql.Named("described", string(described)), recentAfter, sql.Named("untitled", q.Untitled)), nil
}

// filters are the parameters that every strategy takes.
func (q Query) filters() ([]any, error) {
	statuses, err := json.Marshal(q.Statuses)
	if err != nil {
		return nil, err
	}
	categories, tag := sql.Named("categories", nil), sql.Named("tag", nil)
	if len(q.Categories) > 0 {
		list, err := json.Marshal(q.Categories)
		if err != nil {
			return nil, err
		}
		categories.Value = string(list)
	}
	if q.Tag != "" {
		tag.Value = q.Tag
	}
	return []any{sql.Named("statuses", string(statuses)), categories, tag, sql.Named("limit", q.Limit)}, nil
}
