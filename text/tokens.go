// Package text owns the pure string rules that the index, the ranking and the
// writer share: tokens, one-line sanitising, truncation. It knows no memories.
package text

import (
	"slices"
	"strings"
)

// minTokenLen is the shortest word that carries a topic (DESIGN §4).
const minTokenLen = 3

// isStopWord tells words that carry no topic (DESIGN §4). A switch costs nothing at
// start, where a map would have to be made.
func isStopWord(word string) bool {
	switch word {
	case "a", "an", "the", "is", "was", "are", "were", "be", "been", "being", "do", "does", "did", "have", "has", "had", "will", "would", "could", "can",
		"should", "may", "might", "shall", "must", "i", "you", "we", "they", "he", "she", "it", "me", "my", "your", "this", "that", "these", "those", "what", "which", "who",
		"whom", "how", "when", "where", "why", "if", "then", "else", "so", "and", "or", "but", "not", "no", "yes", "to", "of", "in", "on", "at", "for", "with", "from", "by", "about",
		"up", "out", "into", "just", "also", "very", "too", "let", "please", "help", "need", "want", "know", "think", "make", "like", "use", "get", "go", "see":
		return true
	}
	return false
}

// Tokens returns the distinct tokens of s in order of first appearance:
// lower-cased runs of a-z and 0-9 of at least three characters that are no stop
// words (DESIGN §4). Case is folded before splitting, so the Kelvin sign counts
// as a k.
func Tokens(s string) []string {
	var tokens []string
	seen := make(map[string]bool)
	for word := range strings.FieldsFuncSeq(Lower(s), isSeparator) {
		if len(word) < minTokenLen || isStopWord(word) || seen[word] {
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

// Lower is Unicode's full lower case. It differs from strings.ToLower in one
// letter: the dotted capital I becomes an i and a combining dot above, which
// then parts words as any other letter outside a-z does.
func Lower(s string) string {
	if strings.Contains(s, "İ") {
		s = strings.ReplaceAll(s, "İ", "i\u0307")
	}
	return strings.ToLower(s)
}

// Tags returns whole tags as the index keeps them: trimmed, lower-cased,
// distinct, in code point order. A comma parts two tags, for tags are shown with
// commas between them.
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
