package schemas

import (
	"slices"
	"strings"

	"memctl/text"
)

// Repeats reports whether a memory says nothing that the other one does not say: no word of its title and
// its texts is left over, and the two titles have the same words in the same order. Words are
// compared as they are written, since a name, a number, a path or a "not" makes another fact.
func (m *Memory) Repeats(other *Memory) bool {
	there := map[string]bool{}
	for _, word := range statedWords(slices.Concat([]string{other.Title}, other.Tags, other.Prose())) {
		there[word] = true
	}
	for _, word := range statedWords(append([]string{m.Title}, m.Prose()...)) {
		if !there[word] {
			return false
		}
	}
	return slices.Equal(statedWords([]string{m.Title}), statedWords([]string{other.Title}))
}

// articles are words that never tell two facts apart.
var articles = []string{"a", "an", "the", "is", "are", "be", "we", "please"}

// statedWords returns the words of texts but for articles.
func statedWords(texts []string) []string {
	words := text.WordsAsWritten(strings.Join(texts, "\n"))
	return slices.DeleteFunc(words, func(word string) bool { return slices.Contains(articles, word) })
}
