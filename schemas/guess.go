package schemas

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"memctl/text"
)

//go:embed guess.txt
var guessFile string

// wording is a pattern of texts of a category.
type wording struct {
	category Category
	pattern  *regexp.Regexp
}

// wordings are read at their first use: every hook starts a process, and few save.
var wordings = sync.OnceValue(func() (list []wording) {
	for line := range text.DataLines(guessFile) {
		category, pattern, _ := strings.Cut(line, ": ")
		list = append(list, wording{Category(category), regexp.MustCompile("(?i)" + pattern)})
	}
	return list
})

// Guess returns the category of a text by its wording, false if that says nothing.
func Guess(phrase string) (Category, bool) {
	for _, w := range wordings() {
		if w.pattern.MatchString(phrase) {
			return w.category, true
		}
	}
	return "", false
}
