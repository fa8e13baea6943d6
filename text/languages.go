package text

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// languageOf returns the language other than English that a prompt has the most function
// words of, as languages.txt names it. It returns "" for fewer than two, and for no more
// than the prompt has of English.
func languageOf(prompt string) string {
	const few = 2
	english := 0
	counts := map[string]int{}
	seen := map[string]bool{}
	for r := range runs(prompt) {
		word := strings.ToLower(r.text)
		if r.script != alphabetic || seen[word] || len(seen) == maxTerms {
			continue
		}
		seen[word] = true
		if isFunctionWord(word) {
			english++
			continue
		}
		if isInstruction(word) || isCommon(word) {
			continue
		}
		for language := range strings.FieldsSeq(languagesWith(word)) {
			counts[language]++
		}
	}
	best := ""
	for language, n := range counts {
		if n >= max(few, english+1, counts[best]) && (n > counts[best] || language < best) {
			best = language
		}
	}
	return best
}

// isFunctionWordOf reports whether a language other than English has a function word.
func isFunctionWordOf(language, word string) bool {
	return language != "" && slices.Contains(strings.Fields(languagesWith(word)), language)
}

// languagesWith returns the languages that have a function word, from the line of
// languages.txt that begins with it. Its lines are sorted, so that a prompt need not
// decode ten thousand of them.
func languagesWith(word string) string {
	file := languagesFile
	after := sort.Search(len(file), func(i int) bool {
		line := file[strings.LastIndexByte(file[:i], '\n')+1:]
		line, _, _ = strings.Cut(line, "\n")
		first, _, _ := strings.Cut(line, " ")
		return first >= word
	})
	line, _, _ := strings.Cut(file[after:], "\n")
	first, languages, _ := strings.Cut(line, " ")
	if first != word {
		return ""
	}
	return languages
}

// isIdeographicFunction reports whether a pair of characters, or a single one, says
// nothing: a function word of Chinese or one of its characters, or an ending of Japanese,
// which is written in Hiragana.
func isIdeographicFunction(pair string) bool {
	words := ideographicWords()
	if words[pair] {
		return true
	}
	first, size := utf8.DecodeRuneInString(pair)
	second, _ := utf8.DecodeLastRuneInString(pair)
	return words[pair[:size]] || words[pair[size:]] ||
		unicode.Is(unicode.Hiragana, first) && unicode.Is(unicode.Hiragana, second)
}
