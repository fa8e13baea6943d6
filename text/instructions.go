package text

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// particles of one syllable are attached to Korean nouns.
const particles = "은는이가을를에의로와과도만요야나지"

// isFunctionWord expects a word in lower case.
func isFunctionWord(word string) bool { return stopWords()[word] || functionWords()[word] }

// leastPhrase is how many function words in a row may name something: "already in use".
const leastPhrase = 3

// FunctionPhrases returns the runs of function words of a text: those of three or more, and a text of nothing else.
func FunctionPhrases(s string) (phrases []string) {
	words := WordsAsWritten(s)
	for all := len(words); len(words) > 0; {
		n := slices.IndexFunc(words, func(word string) bool { return !isFunctionWord(word) })
		if n < 0 {
			n = len(words)
		}
		if n >= leastPhrase || n == all {
			phrases = append(phrases, strings.Join(words[:n], " "))
		}
		words = words[min(n+1, len(words)):]
	}
	return phrases
}

// isInstruction expects a word in lower case.
func isInstruction(word string) bool {
	return hasForm(instructionWords(), word) || hasForm(stopWords(), word)
}

// isCommon expects a word in lower case. Small numbers are common too.
func isCommon(word string) bool { return isSmallNumber(word) || hasForm(commonWords(), word) }

func isSmallNumber(word string) bool { return len(word) < 3 && strings.Trim(word, "0123456789") == "" }

// hasForm reports whether a word is an inflected form of one of the words.
func hasForm(words map[string]bool, word string) bool {
	if words[word] {
		return true
	}
	for _, ending := range [...]struct{ text, replacement string }{
		{"s", ""}, {"es", ""}, {"ies", "y"}, {"ed", ""}, {"ed", "e"}, {"ied", "y"},
		{"ing", ""}, {"ing", "e"}, {"ly", ""},
	} {
		stem, ok := strings.CutSuffix(word, ending.text)
		if ok && len(stem) > 2 && (words[stem+ending.replacement] || words[withoutDoubling(stem)]) {
			return true
		}
	}
	return false
}

// withoutDoubling makes "stop" of the "stopp" of "stopped".
func withoutDoubling(stem string) string {
	if n := len(stem); stem[n-1] == stem[n-2] {
		return stem[:n-1]
	}
	return stem
}

// isKoreanInstruction expects a Korean word without its loanwords.
func isKoreanInstruction(word string) bool {
	_, first := utf8.DecodeRuneInString(word)
	if rest := word[first:]; (rest == "" || isParticle(rest)) && koreanSyllables()[word[:first]] {
		return true
	}
	beginnings := koreanBeginnings()
	for i := range word {
		if i > first && beginnings[word[:i]] {
			return true
		}
	}
	return beginnings[word]
}

func isParticle(s string) bool {
	return utf8.RuneCountInString(s) == 1 && strings.Contains(particles, s)
}

// root returns what an English word has in common with its plural and its other forms, as
// far as its endings tell: shipment and shipments, cache and caching, render and renderer.
// It is no word, and says only that two words are the same to the index.
func root(word string) string {
	if len(word) < 4 || word[len(word)-1] >= utf8.RuneSelf {
		return word
	}
	switch {
	case strings.HasSuffix(word, "ies"):
		word = word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"):
		word = word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		word = word[:len(word)-1]
	}
	for _, ending := range [...]string{"ing", "ed"} {
		if stem, found := strings.CutSuffix(word, ending); found && len(stem) > 2 &&
			strings.ContainsAny(stem, "aeiouy") {
			word = withoutDoubling(stem)
			break
		}
	}
	for _, ending := range [...]string{"ation", "ate", "er", "ment"} {
		if stem, found := strings.CutSuffix(word, ending); found && syllables(stem) > 1 {
			word = stem
			break
		}
	}
	return strings.TrimSuffix(word, "e")
}

// syllables counts how often a vowel is followed by a consonant, as Porter's stemmer does.
func syllables(word string) (n int) {
	vowel := false
	for _, r := range word {
		before := vowel
		vowel = strings.ContainsRune("aeiouy", r)
		if before && !vowel {
			n++
		}
	}
	return n
}

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
