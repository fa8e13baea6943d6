package exchange

import (
	"strings"

	"memctl/text"
)

var (
	inCode     = expression{source: "`([^`\n]+)`"}
	inBrackets = expression{source: `\s+\([^()]*\)`}
)

// plainWords returns a sentence without marks and brackets, and with "`x`" for code: what stands in them
// says nothing of its kind.
func plainWords(sentence string) string {
	sentence = inCode.re().ReplaceAllString(strings.ReplaceAll(text.Unmarked(sentence), "*", ""), "`x`")
	return strings.TrimLeft(inBrackets.re().ReplaceAllString(sentence, ""), "([→✅❌ ")
}

// isImperative reports whether a sentence begins with what to do, after a label or a condition.
func isImperative(sentence string) bool {
	sentence = plainWords(sentence)
	if words().Orders.MatchString(sentence) && !isNoun(sentence) {
		return true
	}
	plain := words().Named.ReplaceAllString(sentence, "")
	starts := []string{plain, words().Before.ReplaceAllString(plain, ""), words().Before.ReplaceAllString(sentence, ""),
		words().Before.ReplaceAllString(words().Condition.ReplaceAllString(plain, ""), ""),
		words().Listed.ReplaceAllString(plain, "")}
	if words().Condition.MatchString(plain) { // whose commas may part what it lists
		for rest, more := plain, true; more; {
			if _, rest, more = strings.Cut(rest, ", "); more {
				starts = append(starts, words().Before.ReplaceAllString(rest, ""))
			}
		}
	}
	for _, rest := range starts {
		if words().Verbs.MatchString(rest) && !isNoun(rest) {
			return true
		}
	}
	return false
}

// isNoun reports whether the word that a sentence begins with is no verb, though it could be one: in "Test
// files live here" another follows, in "Complete examples" nothing says what to do.
func isNoun(sentence string) bool {
	list := strings.Fields(sentence)
	switch {
	case words().Noun.MatchString(sentence), strings.HasSuffix(list[0], ","), strings.HasSuffix(list[0], ":"),
		strings.Contains(list[0], "-") && words().Verbs.FindString(list[0]) != list[0]:
		return true
	case words().Clausal.MatchString(list[0]), words().Orders.MatchString(sentence):
		return false
	case len(list) > 1 && (list[1] != "use" && words().Finite.MatchString(list[1]) ||
		strings.Trim(list[1], "-–—") == ""):
		return true
	case words().Adjective.MatchString(sentence):
		return !words().Function.MatchString(list[1]) && list[1][0] != '`' && !words().Moves.MatchString(sentence)
	}
	for i, word := range list[1:min(len(list), 10)] {
		switch bare := strings.Trim(word, ",;:"); {
		case i == 0 && (words().Function.MatchString(bare) || strings.HasPrefix(word, "`")),
			words().Clause.MatchString(bare),
			bare != word && i > 0:
			return false
		case i > 0 && words().Finite.MatchString(bare):
			return true
		}
	}
	return false
}

// sentencesOf returns the sentences of a text without blocks of code. A full stop within code or in an
// abbreviation ends none.
func sentencesOf(phrase string) []string {
	phrase, _, _ = strings.Cut(phrase, "```")
	hidden := inSentence.re().ReplaceAllStringFunc(phrase, func(match string) string {
		return hideStops.Replace(match)
	})
	list := text.Sentences(hidden)
	for i, s := range list {
		list[i] = showStops.Replace(listMark.re().ReplaceAllString(s, ""))
	}
	return list
}

var (
	inSentence = expression{source: "`[^`\n]+`|\\b(?:e\\.g|i\\.e|etc|vs|cf|incl|approx|resp)\\. " +
		"|\\.\\.\\.|(?m)^\\d+\\. |\\([^()\n]*\\)"}
	listMark  = expression{source: `^[-*+]\s+`}
	hideStops = strings.NewReplacer(".", "\uE000", "!", "\uE001", "?", "\uE002")
	showStops = strings.NewReplacer("\uE000", ".", "\uE001", "!", "\uE002", "?")
)

// plainSentence returns the first sentence of a text without marks, for a title.
func plainSentence(phrase string) string {
	if list := sentencesOf(text.Unmarked(flowing(phrase))); len(list) > 0 {
		return bare(list[0])
	}
	return ""
}

// bare returns a sentence without marks and what ends it.
func bare(sentence string) string {
	if open := strings.LastIndex(sentence, " ("); open > 0 && strings.Count(sentence, "(") > strings.Count(sentence,
		")") {
		sentence = sentence[:open] // more than a sentence stands in the brackets
	}
	return text.OneLine(unstopped(strings.NewReplacer("`", "", "**", "").Replace(sentence)), 4000)
}

// unstopped returns a sentence without what ends it. A full stop after a space is a folder.
func unstopped(sentence string) string {
	sentence = strings.TrimRight(sentence, " :。")
	if strings.HasSuffix(sentence, " .") || strings.HasSuffix(sentence, "..") {
		return sentence
	}
	return strings.TrimRight(sentence, " .:")
}
