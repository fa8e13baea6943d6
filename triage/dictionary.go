package triage

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"memctl/text"
)

// dictionary lists the phrases of words.txt by their first letter.
type dictionary map[rune][]*phrase

// phrase is a word or phrase of a rule.
type phrase struct {
	text   string   // as people write it
	words  []string // in lower case
	second rune     // of the first word, utf8.RuneError if that is a letter
	korean bool
	inside bool   // a phrase that need not begin a word: a Korean one, or one in Chinese characters or kana
	first  bool   // it counts at the beginning of a sentence only
	then   string // what follows somewhere in the sentence, "" for nothing
	rule   int    // index in Rules, or of a sign
	kind   int
}

// Kinds of phrases.
const (
	primary = iota
	booster
	kinds
)

var ruleDictionary = sync.OnceValue(func() dictionary {
	d := dictionary{}
	for line := range text.DataLines(wordsFile) {
		head, words, _ := strings.Cut(line, ": ")
		category, kindName, _ := strings.Cut(head, " ")
		rule := slices.IndexFunc(Rules[:], func(r Rule) bool { return string(r.Category) == category })
		kind := primary
		if kindName == "booster" {
			kind = booster
		}
		for word := range strings.SplitSeq(words, ", ") {
			d.add(word, rule, kind)
		}
	}
	return d
})

func (d dictionary) add(word string, rule, kind int) {
	word, inside := strings.CutPrefix(word, "~")
	word, atStart := strings.CutPrefix(word, "^")
	begin, then, _ := strings.Cut(word, " … ")
	p := &phrase{text: word, words: strings.Split(strings.ToLower(begin), " "), inside: inside, first: atStart,
		then: strings.ToLower(then), rule: rule, kind: kind}
	first, size := utf8.DecodeRuneInString(p.words[0])
	p.second, _ = utf8.DecodeRuneInString(p.words[0][size:])
	p.inside = p.inside || isIdeograph(first)
	p.korean = isHangul(first) || isIdeograph(first)
	d[first] = append(d[first], p)
}

// find yields every phrase of a line with its place, from left to right.
func (d dictionary) find(line string) iter.Seq2[int, *phrase] {
	return func(yield func(int, *phrase) bool) {
		afterWord, afterHangul := false, false
		for at, r := range line {
			word, hangul := isWord(r), isHangul(r) || isIdeograph(r)
			if hangul || word && !afterWord {
				second, _ := utf8.DecodeRuneInString(line[at+utf8.RuneLen(r):])
				second = foldRune(second)
				for _, p := range d[foldRune(r)] {
					if p.second != second && p.second != utf8.RuneError { // most phrases
						continue
					}
					mayStart := !p.korean && !afterWord || p.korean && (p.inside || !afterHangul)
					if mayStart && p.starts(line[at:]) && !yield(at, p) {
						return
					}
				}
			}
			afterWord, afterHangul = word, hangul
		}
	}
}

// starts reports whether a line starts with the phrase.
func (p *phrase) starts(line string) bool {
	_, found := p.cut(line)
	return found && (p.then == "" || strings.Contains(text.Lower(line), p.then))
}

// cut cuts the phrase off the start of a line.
func (p *phrase) cut(line string) (rest string, found bool) {
	for i, word := range p.words {
		if i > 0 {
			line = strings.TrimLeftFunc(line, isSpace)
		}
		var ok bool
		if p.korean { // a space stands for white space or none
			line, ok = strings.CutPrefix(line, word)
		} else {
			line, ok = cutWord(line, word)
		}
		if !ok {
			return "", false
		}
	}
	return line, true
}

// cutWord cuts a whole word off the start of a line, in any case.
func cutWord(line, word string) (rest string, ok bool) {
	for at, r := range line {
		if word == "" {
			return line[at:], !isWord(r)
		}
		want, size := utf8.DecodeRuneInString(word)
		if foldRune(r) != want {
			return "", false
		}
		word = word[size:]
	}
	return "", word == ""
}

// foldRune lower-cases a letter as regular expressions do that ignore case: a few
// letters outside ASCII fold to one inside.
func foldRune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r == '\u212A': // the Kelvin sign
		return 'k'
	case r == 'ſ':
		return 's'
	case r == 'ı', r == 'İ':
		return 'i'
	case r == '’':
		return '\''
	case r < utf8.RuneSelf:
		return r
	}
	return unicode.ToLower(r)
}

// isIdeograph reports whether a letter is Chinese or Japanese: there are no spaces between words.
func isIdeograph(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

func isHangul(r rune) bool { return '가' <= r && r <= '힣' }

// isWord and isSpace are \w and \s of a Unicode regular expression; those of package
// regexp know ASCII only.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// signsFile lists the words of the signs, by which a sentence is found to hold something durable.
//
//go:embed signs.txt
var signsFile string

// Side is who said a sentence.
type Side string

// The sides of a conversation.
const (
	Person Side = "user"
	Agent  Side = "agent"
)

// signs lists the signs of both sides, in the order of signs.txt.
var signs = [...]struct {
	side   Side
	name   string
	points float64 // of the turn
}{
	{Person, "standing", 1},
	{Person, "correction", .5},
	{Person, "choice", .5},
	{Person, "reason", .5},
	{Person, "deferral", .5},
	{Person, "accepted", .5},
	{Agent, "cause", .5},
	{Agent, "limit", .5},
	{Agent, "choice", .5},
}

var signDictionary = sync.OnceValue(func() dictionary {
	d := dictionary{}
	for line := range text.DataLines(signsFile) {
		head, words, _ := strings.Cut(line, ": ")
		for i, sign := range signs {
			if head == string(sign.side)+" "+sign.name {
				for word := range strings.SplitSeq(words, ", ") {
					d.add(word, i, primary)
				}
			}
		}
	}
	return d
})

// signsOf returns the signs of a sentence that one side said, as bits by their index.
func signsOf(side Side, sentence string) (bits uint16) {
	start := len(sentence) - len(strings.TrimLeftFunc(sentence, func(r rune) bool { return !isWord(r) }))
	for at, p := range signDictionary().find(sentence[start:]) {
		if signs[p.rule].side == side && (!p.first || at == 0) {
			bits |= 1 << p.rule
		}
	}
	return bits
}
