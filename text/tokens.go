// Package text owns the string rules that other packages share: tokens and terms for
// search, slugs, sanitising, truncation, the limits of a hook's text. It knows nothing
// of memories.
package text

import (
	"slices"
	"strings"
)

// minTokenLen is the length of the shortest word that counts as a topic.
const minTokenLen = 3

// stopWords say nothing about a topic. "go" is not among them: Tokens drops it for its
// length, and TermsOf counts it as an instruction.
const stopWords = `
a an the is was are were be been being do does did have has had will would could can should may might shall must i
you we they he she it me my your this that these those what which who whom how when where why if then else so and or
but not no yes to of in on at for with from by about up out into just also very too let please help need want know
think make like use get see`

// Tokens returns the distinct tokens of s in order of first appearance: lower-case
// runs of a-z and 0-9 of at least three characters that are no stop words. It folds
// case before it splits, so the Kelvin sign counts as a k.
func Tokens(s string) []string {
	var tokens []string
	seen := make(map[string]bool)
	for word := range strings.FieldsFuncSeq(Lower(s), isSeparator) {
		if len(word) < minTokenLen || stopWordSet()[word] || seen[word] {
			continue
		}
		seen[word] = true
		tokens = append(tokens, word)
	}
	return tokens
}

func isSeparator(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9')
}

// Lower is Unicode's full lower case. It differs from strings.ToLower in one letter:
// the dotted capital I becomes an i and a combining dot above, which separates words
// like any other character outside a-z.
func Lower(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "İ", "i\u0307"))
}

// Tags returns whole tags as the index keeps them: trimmed, in lower case, distinct, in
// code point order. A comma separates two tags, since tags are shown with commas
// between them.
func Tags(raw []string) []string {
	var tags []string
	for _, list := range raw {
		for tag := range strings.SplitSeq(list, ",") {
			if tag = strings.TrimSpace(Lower(tag)); tag != "" {
				tags = append(tags, tag)
			}
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}
