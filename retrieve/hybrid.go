package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
)

var (
	//go:embed hybrid.sql
	hybridSQL string
	//go:embed hybrid_explain.sql
	hybridExplainSQL string
)

const (
	// hybridPool is how many memories each part of hybrid.sql hands on. Among more
	// than that no prompt is asking for one in particular.
	hybridPool = 200
	// ties is how many memories may be as good as the last one of an answer.
	ties = 20
	// pairWeight is what hybrid.sql multiplies the pairs by.
	pairWeight = 0.4
	// nothing is an FTS5 query that matches nothing.
	nothing = `""`
)

// NewHybridQuery asks for active memories by the strategy "hybrid".
func NewHybridQuery(prompt string, synonyms text.Synonyms, limit int) Query {
	said := text.TermsOf(prompt)
	return Query{
		Strategy: schemas.Hybrid,
		Terms:    said.AddSynonyms(prompt, synonyms),
		Said:     said,
		Statuses: []schemas.Status{schemas.Active},
		Limit:    limit,
	}
}

// rankHybrid is Rank by hybrid.sql.
func (q Query) rankHybrid(ctx context.Context, d *db.DB) ([]Result, error) {
	terms, err := informative(ctx, d, q.Terms, q.Floor > 0)
	if err != nil || terms.Empty() || q.Floor > 0 && len(terms.Topics)+len(terms.Pairs) == 0 {
		return nil, err
	}
	args, err := q.filters()
	if err != nil {
		return nil, err
	}
	activeOnly := slices.Equal(q.Statuses, []schemas.Status{schemas.Active})
	pool, shortlist := hybridPool, q.Limit+ties
	if !activeOnly || len(q.Categories) > 0 || q.Tag != "" || q.Limit > hybridPool {
		pool, shortlist = wholePool, wholePool // the filters come after them
	}
	args = append(args,
		sql.Named("topics", anyOf(terms.Topics)),
		sql.Named("plain", anyOf(terms.Plain)),
		sql.Named("pairs", anyOf(terms.Pairs)),
		sql.Named("endings", anyOf(terms.Endings)),
		sql.Named("blank", db.BlankPages),
		sql.Named("floor", q.Floor),
		sql.Named("any_status", !activeOnly),
		sql.Named("pool", pool),
		sql.Named("shortlist", shortlist),
	)
	var results []Result
	err = d.Select(ctx, &results, hybridSQL, args...)
	return results, err
}

// anyOf is the FTS5 query for memories with any of the terms. In quotes a term is
// text, whatever it says.
func anyOf(terms []string) string {
	if len(terms) == 0 {
		return nothing
	}
	quoted := make([]string, len(terms))
	for i, term := range terms {
		quoted[i] = quote(term)
	}
	return strings.Join(quoted, " OR ")
}

func quote(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }

// explainHybrid is Explain by hybrid_explain.sql. Kinds are topic, plain and pair.
func (q Query) explainHybrid(ctx context.Context, d *db.DB, paths string) ([]Contribution, error) {
	terms, err := informative(ctx, d, q.Terms, q.Floor > 0)
	if err != nil {
		return nil, err
	}
	var list [][4]any
	for _, part := range []struct {
		kind   string
		terms  []string
		weight float64
	}{{"topic", terms.Topics, 1}, {"plain", terms.Plain, 1}, {"pair", terms.Pairs, pairWeight}, {"ending", terms.Endings, pairWeight}} {
		for _, term := range part.terms {
			list = append(list, [4]any{part.kind, term, quote(term), part.weight})
		}
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	var rows []Contribution
	err = d.Select(ctx, &rows, hybridExplainSQL, sql.Named("terms", string(encoded)), sql.Named("paths", paths), sql.Named("blank", db.BlankPages))
	return rows, err
}
