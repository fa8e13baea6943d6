package command

import (
	"fmt"
	"strings"

	"memctl/schemas"
)

// Suggestion is a word that may come next, and what it means.
type Suggestion struct{ Word, Meaning string }

// Suggestions are words that need no meaning.
func Suggestions(words []string) (list []Suggestion) {
	for _, word := range words {
		list = append(list, Suggestion{Word: word})
	}
	return list
}

func WordsOf(list []Suggestion) (words []string) {
	for _, s := range list {
		words = append(words, s.Word)
	}
	return words
}

func ListOfWords(width int, list []Suggestion) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "   %-*s %s\n", width, s.Word, s.Meaning)
	}
	return b.String()
}

// shortFlags are the flags that have another name than their field.
var shortFlags = map[string]string{"tags": "tag", "related_files": "related"}

// FlagOf returns the name of the flag for a field of a memory.
func FlagOf(f schemas.Field) string {
	if name := shortFlags[f.Name]; name != "" {
		return name
	}
	return strings.ReplaceAll(f.Name, "_", "-")
}
