package text

import "slices"

// Words are the words of a text that say something. In a script without spaces they are
// pairs of characters.
func Words(s string) []string {
	terms := TermsOf(s)
	if words := slices.Concat(terms.Topics, terms.Common, terms.Plain); len(words) > 0 {
		return words
	}
	return terms.Pairs
}

// Weights are the weights of words. A rare word weighs more.
type Weights map[string]float64

// Sum is the weight of words.
func (w Weights) Sum(words []string) (total float64) {
	for _, word := range words {
		total += w[word]
	}
	return total
}

// Rarest returns the first of words, ordered by weight, without one of which a text cannot
// share a part of their weight.
func (w Weights) Rarest(words []string, part float64) []string {
	total := w.Sum(words)
	rest := total
	for i, word := range words {
		if rest < part*total {
			return words[:i]
		}
		rest -= w[word]
	}
	return words
}
