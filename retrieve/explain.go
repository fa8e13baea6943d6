package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"

	"memctl/db"
	"memctl/schemas"
)

//go:embed explain.sql
var explainSQL string

// Contribution is what one prompt token adds to one memory's score.
type Contribution struct {
	Path    string  `db:"path" json:"-"`
	Kind    string  `db:"kind" json:"kind"` // title, tag, prefix or description; topic, plain or pair
	Token   string  `db:"token" json:"token"`
	Matched string  `db:"matched" json:"matched"` // the title token, tag or description token met
	Points  float64 `db:"points" json:"points"`
}

// Explain returns, by path, what each prompt token adds to results of q.
func Explain(ctx context.Context, d *db.DB, q Query, results []Result) (map[string][]Contribution, error) {
	paths := make([]string, len(results))
	for i, r := range results {
		paths[i] = r.Path
	}
	list, err := json.Marshal(paths)
	if err != nil {
		return nil, err
	}
	rows, err := q.explain(ctx, d, string(list))
	byPath := map[string][]Contribution{}
	for _, row := range rows {
		byPath[row.Path] = append(byPath[row.Path], row)
	}
	return byPath, err
}

func (q Query) explain(ctx context.Context, d *db.DB, paths string) ([]Contribution, error) {
	if q.Strategy == schemas.Hybrid {
		return q.explainHybrid(ctx, d, paths)
	}
	args, err := q.args()
	if err != nil {
		return nil, err
	}
	var rows []Contribution
	err = d.Select(ctx, &rows, explainSQL, append(args, sql.Named("paths", paths))...)
	return rows, err
}
