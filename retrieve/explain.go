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

// Explain returns, by the shown path, what each token or term of the prompt adds to the
// results of q. For several sources and hybrid it returns how common the terms are too.
func (s Sources) Explain(ctx context.Context, q Query, results []Result) (map[string][]Contribution, *Frequencies, error) {
	weighings, frequencies, err := s.weigh(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	byPath := map[string][]Contribution{}
	err = s.each(func(source Source) error {
		paths := []string{}
		for _, r := range results {
			if r.Root.Is(source.Root) {
				paths = append(paths, r.Path)
			}
		}
		statement, args := explainSQL, q.titleTagsArgs()
		if q.Strategy == schemas.Hybrid {
			w := weighings[source.Root.Path]
			statement, args = hybridExplainSQL, []any{sql.Named("terms", w.explained()), sql.Named("pages", w.pages)}
		}
		rows, err := query[Contribution](ctx, source.DB, statement, append(args, sql.Named("paths", db.JSON(paths)))...)
		for _, row := range rows {
			path := source.Root.Shown + "/" + row.Path
			byPath[path] = append(byPath[path], row)
		}
		return err
	})
	if len(s) == 1 || q.Strategy != schemas.Hybrid {
		return byPath, nil, err
	}
	return byPath, &frequencies, err
}
