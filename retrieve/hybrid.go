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
	// hybridPool is how many memories each part of hybrid.sql hands on. A prompt
	// that matches more than that asks for none of them in particular.
	hybridPool = 200
	// maxTies is how many memories may be as good as the last one of an answer.
	maxTies = 20
	// pairWeight is the weight of pairs in hybrid.sql.
	pairWeight = 0.4
	// preferredWeight is the weight of plain words in the evidence for a preference.
	preferredWeight = 0.85
)

func (q Query) rankHybrid(ctx context.Context, d *db.DB) ([]Result, error) {
	terms, err := q.searchTerms(ctx, d)
	if err != nil || terms.Empty() {
		return nil, err
	}
	pool, shortlist := hybridPool, q.Limit+maxTies
	if !q.unfiltered() || q.Limit > hybridPool {
		pool, shortlist = wholePool, wholePool // the filters come after them
	}
	preferred := preferredWeight
	if terms.Lone() {
		preferred *= 2
	}
	args := append(q.Filter.args(),
		sql.Named("topics", matchAny(terms.Topics)),
		sql.Named("common", matchAny(terms.Common)),
		sql.Named("plain", matchAny(terms.Plain)),
		sql.Named("pairs", matchAny(terms.Pairs)),
		sql.Named("preferred", preferred),
		sql.Named("blank", db.BlankPages),
		sql.Named("floor", q.Floor),
		sql.Named("any_status", !q.onlyActive()),
		sql.Named("pool", pool),
		sql.Named("shortlist", shortlist),
	)
	return query[Result](ctx, d, hybridSQL, args...)
}
