package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"math"
	"strings"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
)

var (
	//go:embed best.sql
	bestSQL string
	//go:embed hybrid_best.sql
	hybridBestSQL string
)

const (
	// observedWord is what a word of the prompt counts in the one line of an
	// observation: what tools did never goes before a memory that says as much.
	observedWord = 0.4
	// everywhere is more memories than there are.
	everywhere = math.MaxInt32
)

// scale is what the relevance of a query's results is measured by: the best score
// that any memory could have for the prompt. It costs another look into the index,
// so only what is shown is measured.
type scale float64

func (s Source) scale(ctx context.Context, q Query) (scale, error) {
	statement, args, err := q.best()
	if err != nil {
		return 0, err
	}
	var best []scale
	if err := s.DB.Select(ctx, &best, statement, args...); err != nil || len(best) == 0 {
		return 0, err
	}
	return best[0], nil
}

func (q Query) best() (statement string, args []any, err error) {
	if q.Strategy == schemas.Hybrid {
		args, err = q.bestTerms()
		return hybridBestSQL, args, err
	}
	prompt, err := json.Marshal(q.Tokens)
	return bestSQL, []any{sql.Named("prompt", string(prompt))}, err
}

// bestTerms are the parameters of hybrid_best.sql: what the prompt says itself, for
// a memory need not say its synonyms too. Of a long prompt the beginning will do:
// nothing comes near all of it.
func (q Query) bestTerms() ([]any, error) {
	list := [][3]any{}
	for _, part := range []struct {
		terms    []string
		weight   float64
		required bool
	}{{q.Said.Topics, 1, true}, {q.Said.Plain, 1, true}, {q.Said.Pairs, pairWeight, false}, {q.Said.Endings, pairWeight, true}} {
		for _, term := range part.terms[:min(len(part.terms), maxSearched)] {
			list = append(list, [3]any{quote(term), part.weight, part.required})
		}
	}
	terms, err := json.Marshal(list)
	most := everywhere
	if q.Floor > 0 {
		most = readable + 1 // as informative has it
	}
	return []any{sql.Named("terms", string(terms)), sql.Named("most", most), sql.Named("blank", db.BlankPages)}, err
}

// relevance of a result is the share of the best that it has by its text: between 0
// and 1, in hundredths, and 1 where every word of the prompt is met as well as it
// can be.
func (best scale) relevance(r Result) float64 {
	if best <= 0 {
		return 0
	}
	return rounded(max(float64(r.Text), r.Strength) / float64(best)) // each strategy has one of them
}

func rounded(share float64) float64 { return math.Round(100*min(1, share)) / 100 }

// observed is the relevance of an observation that says some of the query's words.
func (q Query) observed(matched int) float64 {
	return rounded(observedWord * float64(matched) / float64(len(q.words())))
}

// words are what the prompt is searched for in observations.
func (q Query) words() []string {
	if q.Strategy == schemas.Hybrid {
		return text.Tokens(strings.Join(q.Terms.Topics, " "))
	}
	return q.Tokens
}
