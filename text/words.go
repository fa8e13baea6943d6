package text

import (
	"embed"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The lists of words are files that people can edit, decoded at their first use. Each says
// what it holds.
//
//go:embed words/abbreviations.txt words/common.txt words/conditions.txt words/forbidding.txt
//go:embed words/function.txt words/ideographic.txt
//go:embed words/instruction.txt words/korean-beginnings.txt words/korean-syllables.txt words/loanwords.txt
//go:embed words/rules.txt words/stop.txt
var wordFiles embed.FS

func wordFile(name string) string {
	data, _ := wordFiles.ReadFile("words/" + name + ".txt")
	return string(data)
}

var (
	//go:embed words/languages.txt
	languagesFile string

	// The licences of languages.txt and ideographic.txt, for those who pass memctl on.

	//go:embed words/LICENSE-snowball
	SnowballLicence string
	//go:embed words/LICENSE-stopwords-iso
	StopwordsLicence string
)

var (
	stopWords        = wordSet("stop")
	functionWords    = wordSet("function")
	instructionWords = wordSet("instruction")
	commonWords      = wordSet("common")
	conditionWords   = wordSet("conditions")
	koreanBeginnings = wordSet("korean-beginnings")
	koreanSyllables  = wordSet("korean-syllables")
	ideographicWords = wordSet("ideographic")

	spelling  = wordMap("abbreviations") // from each form to the word that the index holds
	loanwords = wordMap("loanwords")     // from each loanword to its English
)

// DataLines yields the lines of a data file without those that are blank or begin with #.
func DataLines(file string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(file) {
			line = strings.TrimSpace(line)
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// wordSet makes a set of the words of a file at its first use.
func wordSet(name string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		file := wordFile(name)
		set := make(map[string]bool, len(file)/8)
		for line := range DataLines(file) {
			for word := range strings.FieldsSeq(line) {
				set[word] = true
			}
		}
		return set
	})
}

// wordMap maps the further words of each line of a file to the first, in which hyphens
// stand for spaces.
func wordMap(name string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		file := wordFile(name)
		words := make(map[string]string, len(file)/16)
		for line := range DataLines(file) {
			first, rest, _ := strings.Cut(line, " ")
			first = strings.ReplaceAll(first, "-", " ")
			for word := range strings.FieldsSeq(rest) {
				words[word] = first
			}
		}
		return words
	})
}

// spellOut returns the word or words that the index holds for a lower-case word:
// mostly the word itself.
func spellOut(word string) string {
	if full, ok := spelling()[word]; ok {
		return full
	}
	return word
}

// Words are the words of a text that say something. In a script without spaces they are
// pairs of characters.
func Words(s string) []string {
	terms := TermsOf(s)
	if words := slices.Concat(terms.Topics, terms.Common, terms.Plain); len(words) > 0 {
		return words
	}
	return terms.Pairs
}

// Singular returns the Words of a text, each once and without the s of a plural, sorted.
func Singular(s string) []string {
	words := Words(s)
	for i := range words {
		words[i] = strings.TrimSuffix(words[i], "s")
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// WordsAsWritten returns the runs of letters and digits of a text, in lower case and in their order.
func WordsAsWritten(s string) []string {
	return strings.FieldsFunc(Lower(norm.NFC.String(s)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// rules are the pieces of a sentence that lay down a rule.
var rules = sync.OnceValue(func() *pieces {
	rules := &pieces{byWord: map[string][]string{}}
	for piece := range DataLines(wordFile("rules")) {
		rules.add(piece, spaced(piece))
	}
	return rules
})

// spaced returns WordsAsWritten with a space around each.
func spaced(s string) string { return " " + strings.Join(WordsAsWritten(s), " ") + " " }

// LaysDownRule reports whether a sentence says what must, or must not, be done.
func LaysDownRule(sentence string) bool { return rules().in(spaced(sentence)) >= 0 }

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
