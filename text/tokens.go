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

// Tokens returns the distinct tokens of s in order of first appearance: lower-case
// runs of a-z and 0-9 of at least three characters that are no stop words. It folds
// case before it splits, so the Kelvin sign counts as a k.
func Tokens(s string) []string {
	var tokens []string
	seen := make(map[string]bool)
	for word := range strings.FieldsFuncSeq(Lower(s), isSeparator) {
		if len(word) < minTokenLen || stopWords()[word] || seen[word] {
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
