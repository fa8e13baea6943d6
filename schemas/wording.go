package schemas

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"memctl/text"
)

var (
	//go:embed guess.txt
	guessFile string
	//go:embed wording.txt
	wordingFile string
)

// wording is a pattern of texts of a name: a category in guess.txt, or how much a text insists.
type wording struct {
	name    string
	pattern *regexp.Regexp
}

// Both lists are read at their first use: every hook starts a process, and few save.
var (
	guesses  = sync.OnceValue(func() []wording { return wordingsIn(guessFile) })
	wordings = sync.OnceValue(func() []wording { return wordingsIn(wordingFile) })
)

func wordingsIn(file string) (list []wording) {
	for line := range text.DataLines(file) {
		name, pattern, _ := strings.Cut(line, ": ")
		list = append(list, wording{name, regexp.MustCompile("(?i)" + pattern)})
	}
	return list
}

// Guess returns the category of a text by its wording, false if that says nothing.
func Guess(phrase string) (Category, bool) {
	for _, w := range guesses() {
		if w.pattern.MatchString(phrase) {
			return Category(w.name), true
		}
	}
	return "", false
}

// maxWorded is how many code points of a text are looked at for its wording.
const maxWorded = 4000

// has reports whether a text has the wording of a name.
func has(phrase, name string) bool {
	phrase = text.Truncate(phrase, maxWorded)
	for _, w := range wordings() {
		if w.name == name && w.pattern.MatchString(phrase) {
			return true
		}
	}
	return false
}

// clauseEnd ends what a text is about: its reason may tell of a failure too.
var clauseEnd = text.Pattern(`[.,;:–—。，；：]|\b(?:because|since|so|weil|porque|parce que)\b`)

// GuessSaved is Guess for a text that is saved by itself. Most of these are rules of the user, often in words that do
// not say so: a choice that insists is a rule, and so is a text without a wording. One that tells of a failure is a
// decision, of which a start gives the reasons too.
func GuessSaved(phrase string) Category {
	category, found := Guess(phrase)
	switch {
	case found && category == Decision && has(phrase, "strong"):
		return Constraint
	case found:
		return category
	case has(clauseEnd().Split(phrase, 2)[0], "finding"):
		return Decision
	}
	return Preference
}

// Strengths are those of a preference.
var Strengths = []string{"strong", "default", "soft"}

// KindOf returns the kind of a constraint by its wording.
func KindOf(phrase string) string {
	if has(phrase, "limit") {
		return "limitation"
	}
	return "policy"
}

// SeverityOf returns the severity of an imported constraint by its wording.
func SeverityOf(phrase string) string {
	if has(phrase, "severe") {
		return "high"
	}
	return "medium"
}

// StrengthOf returns the strength of an imported preference by its wording.
func StrengthOf(phrase string) string {
	switch {
	case has(phrase, "strong"):
		return "strong"
	case has(phrase, "soft"):
		return "soft"
	}
	return "default"
}

// IsTold reports whether a text says that it quotes the user.
func IsTold(phrase string) bool { return has(phrase, "told") }

// SavedForce returns the severity and the strength of a rule that somebody saves by itself. It stands unless its
// words are soft, or name a limit that something outside sets.
func SavedForce(phrase string) (severity, strength string) {
	switch {
	case has(phrase, "strong"), has(phrase, "severe"), has(phrase, "told"):
		return "high", "strong"
	case has(phrase, "soft"):
		return "low", "soft"
	case has(phrase, "outside"):
		return "medium", "default"
	}
	return "high", "strong"
}
