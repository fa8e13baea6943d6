package retrieve

import (
	"context"
	"database/sql"
	_ "embed"

	"memctl/db"
	"memctl/schemas"
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
	Kind    string  `db:"kind" json:"kind"` // title, tag, prefix or description; for hybrid topic, common, plain or pair
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
		statement, args = hybridExplainSQL, []any{sql.Named("terms", weighted(terms)), sql.Named("blank", db.BlankPages)}
	}
	rows, err := query[Contribution](ctx, d, statement, append(args, sql.Named("paths", jsonArg{paths}))...)
	byPath := map[string][]Contribution{}
	for _, row := range rows {
		byPath[row.Path] = append(byPath[row.Path], row)
	}
	return byPath, err
}
