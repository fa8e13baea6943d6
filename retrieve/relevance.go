package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"math"

	"memctl/db"
	"memctl/schemas"
)

//go:embed best.sql
var bestSQL string

// observedWord is the weight of a prompt word that an observation has. It is
// below 1 because a memory that says as much is worth more than a tool run.
const observedWord = 0.4

// bestScore returns the highest Text, or Strength, that any memory could have for
// the prompt of q; 0 if there is nothing to score.
func (s Sources) bestScore(ctx context.Context, q Query) (float64, error) {
	if q.Strategy == schemas.Hybrid {
		return s.bestStrength(ctx, q)
	}
	best := make([]int, len(q.Tokens))
	err := s.each(func(source Source) error {
		points, err := query[int](ctx, source.DB, bestSQL, sql.Named("prompt", db.JSON(q.Tokens)))
		for i, n := range points {
			best[i] = max(best[i], n)
		}
		return err
	})
	sum := 0
	for _, n := range best {
		sum += n
	}
	return float64(sum), err
}

// bestStrength counts the prompt without synonyms, because a memory need not have those
// too, and only the beginning of a long prompt, because no memory comes near all of it.
func (s Sources) bestStrength(ctx context.Context, q Query) (float64, error) {
	prompt := weighted(q.Prompt)
	terms := make([]string, len(prompt))
	for i, t := range prompt {
		terms[i] = t.term
	}
	all := Frequencies{Terms: map[string]int{}}
	err := s.each(func(source Source) error {
		f, err := frequenciesOf(ctx, source.DB, terms, q.mostHaving())
		all.add(f)
		return err
	})
	return all.best(prompt, q.mostHaving()), err
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

// Relevances returns the relevance of each result of q, 0 to 1 in hundredths.
func (s Sources) Relevances(ctx context.Context, q Query, results []Result) ([]float64, error) {
	best, err := s.bestScore(ctx, q)
	relevances := make([]float64, len(results))
	for i, r := range results {
		relevances[i] = r.relevance(best)
	}
	return relevances, err
}

// observedRelevance is the relevance of an observation with that many words of q.
func (q Query) observedRelevance(words int) float64 {
	return hundredths(observedWord * float64(words) / float64(len(q.words())))
}

// hundredths rounds a share to two places, and to 1 at most.
func hundredths(share float64) float64 { return math.Round(100*min(1, share)) / 100 }
