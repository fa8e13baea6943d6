package schemas

import (
	"slices"
	"strings"

	"memctl/text"

	"golang.org/x/text/unicode/norm"
)

// Repeats reports whether a memory says nothing that the other one does not say: the two have the same title, and
// each other sentence of the memory is one of the other's. What is for one folder repeats nothing that is
// for another.
func (m *Memory) Repeats(other *Memory) bool {
	there := map[string]bool{"": true, stated(other.Title): true}
	for _, sentence := range text.Sentences(strings.Join(other.Prose(), "\n")) {
		there[stated(sentence)] = true
	}
	for _, sentence := range text.Sentences(strings.Join(m.Prose(), "\n")) {
		if !there[stated(sentence)] {
			return false
		}
	}
	return stated(m.Title) == stated(other.Title) && (other.Folder == "" || other.Folder == m.Folder)
}

// articles are words that never tell two facts apart.
var articles = []string{"a", "an", "the"}

// stated returns a sentence in the form in which two that say the same are equal. A sign, the order of the words and
// the capitals of a name count, since they make another fact. Articles, capitals at the beginning of a word,
// the marks of code, and stops and commas do not.
func stated(sentence string) string {
	var words []string
	for _, word := range strings.Fields(norm.NFC.String(sentence)) {
		word = strings.Trim(strings.TrimRight(word, ".,;:!?。！？"), "`\"'“”’")
		if lower := text.Lower(word); len(word) > 0 && strings.EqualFold(word[:1], lower[:1]) && word[1:] == lower[1:] {
			word = lower
		}
		if word != "" && !slices.Contains(articles, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
