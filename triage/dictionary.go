package triage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dictionary finds all words of all rules in one pass over a line.
type dictionary struct {
	phrases []phrase
	// shelves hold the numbers of the phrases: made anew at every start, they take
	// a fraction of a map's time.
	shelves [shelves][]uint16
}

// shelves is a power of two. What shares a shelf is told apart when it is compared.
const shelves = 256

// shelfOf tells by how a text starts where the phrases stand that it may start
// with: by a syllable or three letters.
func shelfOf(s string) int {
	hash, letters := uint32(0), 0
	for _, r := range s {
		hash = hash*31 + uint32(foldRune(r))
		if letters++; letters == 3 || isHangul(r) {
			break
		}
	}
	return int(hash % shelves)
}

// phrase is one entry of Words. Its number, its place in the list, starts at 1:
// 0 is none.
type phrase struct {
	text    string // as a person reads it
	pattern string // what must stand there
	korean  bool
	inside  bool // Korean: it need not begin a word
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
	d := &dictionary{phrases: make([]phrase, 1, 256)}
	for i, rule := range rules {
		for kind, words := range [kinds]Words{rule.Primary, rule.Boosters} {
			for _, text := range words.English {
				d.add(phrase{text: text, pattern: strings.ToLower(text), rule: i, kind: kind})
			}
			for _, text := range words.Korean {
				pattern, inside := strings.CutPrefix(text, "~")
				d.add(phrase{text: pattern, pattern: pattern, korean: true, inside: inside, rule: i, kind: kind})
			}
		}
	}
	return d
}

func (d *dictionary) add(p phrase) {
	shelf := &d.shelves[shelfOf(p.pattern)]
	*shelf = append(*shelf, uint16(len(d.phrases)))
	d.phrases = append(d.phrases, p)
}

// find calls found with the number of every phrase of the line, from left to
// right.
func (d *dictionary) find(line string, found func(uint16)) {
	inWord, inHangul := false, false
	for at, r := range line {
		word, hangul := isWord(r), isHangul(r)
		if hangul || word && !inWord {
			for _, number := range d.shelves[shelfOf(line[at:])] {
				if p := &d.phrases[number]; p.mayStart(hangul, inWord, inHangul) && p.starts(line[at:]) {
					found(number)
				}
			}
		}
		inWord, inHangul = word, hangul
	}
}

// mayStart tells whether the phrase may start with a letter, Hangul or not, that
// follows another one.
func (p *phrase) mayStart(hangul, inWord, inHangul bool) bool {
	if p.korean {
		return hangul && (p.inside || !inHangul)
	}
	return !hangul && !inWord
}

// starts tells whether line starts with the phrase.
func (p *phrase) starts(line string) bool {
	if p.korean {
		return hasPattern(line, p.pattern)
	}
	return hasWords(line, p.pattern)
}

// hasWords tells whether line starts with the words of the pattern, in any case
// and parted by any white space.
func hasWords(line, pattern string) bool {
	for word := range strings.SplitSeq(pattern, " ") {
		rest, ok := cutWord(strings.TrimLeftFunc(line, isSpace), word)
		if !ok {
			return false
		}
		line = rest
	}
	return true
}

// cutWord cuts off the word that line starts with, if it is that one.
func cutWord(line, word string) (rest string, ok bool) {
	length := 0
	for at, r := range line {
		if length == len(word) {
			return line[at:], !isWord(r)
		}
		if foldRune(r) != rune(word[length]) {
			return "", false
		}
		length++
	}
	return "", length == len(word)
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
