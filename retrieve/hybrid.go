package retrieve

import (
	"context"
	"database/sql"
	_ "embed"

	"memctl/db"
)

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
