package retrieve

import (
	"math"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

const (
	// strongest is what a prompt token counts where it is a word of the title and a
	// tag too: rank.sql knows nothing better.
	strongest = 5
	// inLine is what a prompt token counts in the one line of an observation: as much
	// as in a title.
	inLine = 2
)

// Relevance is between 0 and 1, in hundredths. Of title_tags it is the share of the
// best possible score for the prompt that a result has by its text: 1 means that
// every token matched in the strongest way. Of hybrid it is the score.
func (q Query) Relevance(r Result) float64 {
	if q.Strategy == schemas.Hybrid {
		return r.Shown()
	}
	return q.share(r.Text)
}

func (q Query) share(points int) float64 {
	words := len(q.words())
	if words == 0 {
		return 0
	}
	return math.Round(100*min(1, float64(points)/float64(strongest*words))) / 100
}

// words are what the prompt is searched for in observations.
func (q Query) words() []string {
	if q.Strategy == schemas.Hybrid {
		return text.Tokens(strings.Join(q.Terms.Topics, " "))
	}
	return q.Tokens
}
