package retrieve

import (
	"context"
	"database/sql"
	_ "embed"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
)

var (
	//go:embed explain.sql
	explainSQL string
	//go:embed hybrid_explain.sql
	hybridExplainSQL string
)

// Contribution is what one token or term of the prompt adds to one memory's score.
type Contribution struct {
	Path    string  `db:"path" json:"-"`
	Kind    string  `db:"kind" json:"kind"` // title, tag, prefix or description; for hybrid topic, plain, pair or ending
	Token   string  `db:"token" json:"token"`
	Matched string  `db:"matched" json:"matched"` // the title token, tag or description token it matched
	Points  float64 `db:"points" json:"points"`
}

// Explain returns, by path, what each token or term of the prompt adds to the
// results of q.
func Explain(ctx context.Context, d *db.DB, q Query, results []Result) (map[string][]Contribution, error) {
	paths := make([]string, len(results))
	for i, r := range results {
		paths[i] = r.Path
	}
	statement, args := explainSQL, q.titleTagsArgs()
	if q.Strategy == schemas.Hybrid {
		terms, err := q.searchTerms(ctx, d)
		if err != nil {
			return nil, err
		}
		statement, args = hybridExplainSQL, explainTermsArgs(terms)
	}
	var rows []Contribution
	err := d.Select(ctx, &rows, statement, append(args, sql.Named("paths", jsonArg{paths}))...)
	byPath := map[string][]Contribution{}
	for _, row := range rows {
		byPath[row.Path] = append(byPath[row.Path], row)
	}
	return byPath, err
}

// explainTermsArgs returns the parameters of hybrid_explain.sql, but for :paths.
func explainTermsArgs(terms text.Terms) []any {
	var list [][4]any
	for _, w := range weigh(terms) {
		for _, term := range w.terms {
			list = append(list, [4]any{w.kind, term, quote(term), w.weight})
		}
	}
	return []any{sql.Named("terms", jsonArg{list}), sql.Named("blank", db.BlankPages)}
}
