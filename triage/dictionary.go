package triage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dictionary finds all words of all rules in one pass over a line.
type dictionary struct {
	phrases []phrase
	latin   map[string][]uint16 // by the first word
	hangul  map[rune][]uint16   // by the first syllable
}

// phrase is one entry of Words. Its number, its place in the list, starts at 1:
// 0 is none.
type phrase struct {
	text    string   // as a person reads it
	rest    []string // Latin: the words after the first
	pattern string   // Hangul: what must stand there
	inside  bool     // Hangul: it need not begin a word
	rule    int
	kind    int
}

// The two kinds of words.
const (
	primary = iota
	booster
	kinds
)

func newDictionary(rules []Rule) *dictionary {
	d := &dictionary{phrases: make([]phrase, 1), latin: map[string][]uint16{}, hangul: map[rune][]uint16{}}
	for i, rule := range rules {
		for kind, words := range [kinds]Words{rule.Primary, rule.Boosters} {
			for _, text := range words.English {
				d.addEnglish(phrase{text: text, rule: i, kind: kind})
			}
			for _, text := range words.Korean {
				d.addKorean(phrase{text: text, rule: i, kind: kind})
			}
		}
	}
	return d
}

func (d *dictionary) addEnglish(p phrase) {
	words := strings.Fields(strings.ToLower(p.text))
	p.rest = words[1:]
	d.latin[words[0]] = append(d.latin[words[0]], d.add(p))
}

func (d *dictionary) addKorean(p phrase) {
	p.pattern, p.inside = strings.CutPrefix(p.text, "~")
	p.text = p.pattern
	first, _ := utf8.DecodeRuneInString(p.pattern)
	d.hangul[first] = append(d.hangul[first], d.add(p))
}

func (d *dictionary) add(p phrase) uint16 {
	d.phrases = append(d.phrases, p)
	return uint16(len(d.phrases) - 1)
}

// find calls found with the number of every phrase of the line, from left to
// right.
func (d *dictionary) find(line string, found func(uint16)) {
	inWord := false
	previous := rune(0)
	for at, r := range line {
		if isHangul(r) {
			d.findHangul(line[at:], r, isHangul(previous), found)
		}
		if word := isWord(r); !word {
			inWord = false
		} else if !inWord {
			inWord = true
			d.findLatin(line[at:], found)
		}
		previous = r
	}
}

// findLatin looks at the word that line starts with.
func (d *dictionary) findLatin(line string, found func(uint16)) {
	var buf [32]byte
	word, length := fold(buf[:0], line)
	for _, number := range d.latin[string(word)] {
		if follows(line[length:], d.phrases[number].rest) {
			found(number)
		}
	}
}

// follows tells whether the words come next, each after white space.
func follows(line string, words []string) bool {
	var buf [32]byte
	for _, want := range words {
		next := strings.TrimLeftFunc(line, isSpace)
		word, length := fold(buf[:0], next)
		if len(next) == len(line) || string(word) != want {
			return false
		}
		line = next[length:]
	}
	return true
}

// fold puts the word that s starts with into buf, in lower case, and returns its
// length in s; an empty word where it holds letters that no phrase has.
func fold(buf []byte, s string) (word []byte, length int) {
	for at, r := range s {
		if !isWord(r) {
			return buf, at
		}
		r = foldRune(r)
		if r >= utf8.RuneSelf || len(buf) == cap(buf) {
			return nil, at
		}
		buf = append(buf, byte(r))
	}
	return buf, len(s)
}

// foldRune lower-cases a letter as regular expressions do that ignore case: a
// few letters outside ASCII fold to one inside.
func foldRune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return r
	case r == '\u212A': // the Kelvin sign
		return 'k'
	case r == 'ſ':
		return 's'
	case r == 'ı', r == 'İ':
		return 'i'
	}
	return r
}

// findHangul looks at what line starts with: the syllable first.
func (d *dictionary) findHangul(line string, first rune, inside bool, found func(uint16)) {
	for _, number := range d.hangul[first] {
		p := &d.phrases[number]
		if (p.inside || !inside) && hasPattern(line, p.pattern) {
			found(number)
		}
	}
}

// hasPattern tells whether line starts with the pattern, in which a space stands
// for white space or none.
func hasPattern(line, pattern string) bool {
	for part := range strings.SplitSeq(pattern, " ") {
		line = strings.TrimLeftFunc(line, isSpace)
		rest, ok := strings.CutPrefix(line, part)
		if !ok {
			return false
		}
		line = rest
	}
	return true
}

func isHangul(r rune) bool { return '가' <= r && r <= '힣' }

// isWord and isSpace are \w and \s of a Unicode regular expression: Go's own
// know ASCII only.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }
