package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"math"

	"memctl/db"
	"memctl/schemas"
)

var (
	//go:embed best.sql
	bestSQL string
	//go:embed hybrid_best.sql
	hybridBestSQL string
)

const (
	// observedWord is the weight of a prompt word that an observation has. It is
	// below 1 because a memory that says as much is worth more than a tool run.
	observedWord = 0.4
	// everyMemory is more memories than a store has.
	everyMemory = math.MaxInt32
)

// bestScore returns the highest Text, or Strength, that any memory could have for
// the prompt of q; 0 if there is nothing to score.
func (s Source) bestScore(ctx context.Context, q Query) (float64, error) {
	statement, args := bestSQL, []any{sql.Named("prompt", jsonArg{q.Tokens})}
	if q.Strategy == schemas.Hybrid {
		statement, args = hybridBestSQL, q.bestTermsArgs()
	}
	return queryRow[float64](ctx, s.DB, statement, args...)
}

// bestTermsArgs returns the parameters of hybrid_best.sql. They hold the prompt
// without synonyms, because a memory need not have those too, and only the
// beginning of a long prompt, because no memory comes near all of it.
func (q Query) bestTermsArgs() []any {
	most := everyMemory
	if q.Floor > 0 {
		most = maxWeighed + 1 // searchTerms leaves these terms out
	}
	return []any{sql.Named("terms", weighted(q.Prompt)), sql.Named("most", most), sql.Named("blank", db.BlankPages)}
}

// relevance returns the share of the best score that a result has by its text, 0
// to 1 in hundredths. It is 1 where every word of the prompt matches as well as it
// can.
func (r Result) relevance(best float64) float64 {
	if best <= 0 {
		return 0
	}
	return hundredths(max(float64(r.Text), r.Strength) / best) // one of the two is 0
}

// observedRelevance is the relevance of an observation with that many words of q.
func (q Query) observedRelevance(words int) float64 {
	return hundredths(observedWord * float64(words) / float64(len(q.words())))
}

// hundredths rounds a share to two places, and to 1 at most.
func hundredths(share float64) float64 { return math.Round(100*min(1, share)) / 100 }
