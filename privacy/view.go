package privacy

import (
	"iter"
	"sort"
	"strings"
	"unicode/utf8"

	"memctl/text"
)

// view is a text as a person reads it. It has no invisible characters and no colours of
// a terminal, and plain characters for full-width ones.
type view struct {
	text     string
	original string
	shifts   []shift // in order
}

// shift says how many bytes more a place has in the original, from a place in the view
// on.
type shift struct{ from, by int }

func newView(s string) view {
	v := view{text: s, original: s}
	first := strings.IndexFunc(s, func(r rune) bool { return plain(r) != r })
	if first < 0 {
		return v
	}
	var b strings.Builder
	b.WriteString(s[:first])
	for i := first; i < len(s); {
		end := i + colourLength(s[i:])
		if end == i {
			r, size := utf8.DecodeRuneInString(s[i:])
			end += size
			if shown := plain(r); shown == r {
				b.WriteString(s[i:end])
			} else if shown >= 0 {
				b.WriteRune(shown)
			}
		}
		i = end
		v.noteShift(b.Len(), i)
	}
	v.text = b.String()
	return v
}

// noteShift says where a place in the view is in the original.
func (v *view) noteShift(at, original int) {
	by := 0
	if len(v.shifts) > 0 {
		by = v.shifts[len(v.shifts)-1].by
	}
	if original-at != by {
		v.shifts = append(v.shifts, shift{at, original - at})
	}
}

// plain returns the character that a person reads, -1 for none.
func plain(r rune) rune {
	const fullWidth = '！' - '!'
	switch {
	case r >= ' ' && r <= '~', r >= '\t' && r <= '\r': // ASCII, white space
		return r
	case r >= '！' && r <= '～':
		return r - fullWidth
	case text.Invisible(r):
		return -1
	}
	return r
}

// colourLength returns the length of a sequence that sets a colour, or clears the rest
// of a line as grep does after that; 0 for none.
func colourLength(s string) int {
	const begin = "\x1b["
	if !strings.HasPrefix(s, begin) {
		return 0
	}
	end := skip(s, len(begin), digitChars+";")
	if end == len(s) || s[end] != 'm' && s[end] != 'K' {
		return 0
	}
	return end + 1
}

// inText returns findings in the view as findings in the original.
func (v view) inText(findings []finding) []finding {
	for i, f := range findings {
		findings[i].start, findings[i].end = v.place(f.start, f.end)
	}
	return findings
}

// place returns where a stretch of the view is in the original. What is left out at its
// ends does not belong to it.
func (v view) place(start, end int) (int, int) {
	last := v.index(end - 1)
	size := 1
	if v.original[last] != v.text[end-1] {
		_, size = utf8.DecodeRuneInString(v.original[last:])
	}
	return v.index(start), last + size
}

// index returns where a character of the view is in the original.
func (v view) index(at int) int {
	i := sort.Search(len(v.shifts), func(i int) bool { return v.shifts[i].from > at })
	if i == 0 {
		return at
	}
	return at + v.shifts[i-1].by
}

// Sets of ASCII characters for skip and the functions of package strings.
const (
	digitChars  = "0123456789"
	lowerChars  = "abcdefghijklmnopqrstuvwxyz"
	letterChars = lowerChars + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	wordChars   = letterChars + digitChars + "_"
	blankChars  = " \t\r"
)

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) || c == '_' }
func isBlank(c byte) bool  { return c == ' ' || c == '\t' || c == '\r' }
func isQuote(c byte) bool  { return c == '"' || c == '\'' || c == '`' }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isBlankText reports whether a text is empty or white space.
func isBlankText(s string) bool { return strings.TrimSpace(s) == "" }

// consistsOf reports whether every character of s is one of chars.
func consistsOf(s, chars string) bool { return strings.TrimLeft(s, chars) == "" }

// skip returns the first index from at on whose character is not one of chars.
func skip(s string, at int, chars string) int {
	return len(s) - len(strings.TrimLeft(s[at:], chars))
}

// skipAtMost is skip for at most n bytes.
func skipAtMost(s string, at, n int, chars string) int {
	return skip(s[:min(len(s), at+n)], at, chars)
}

// indexFrom returns the index of the first sub from an index on, len(s) for none.
func indexFrom(s string, from int, sub string) int {
	if i := strings.Index(s[from:], sub); i >= 0 {
		return from + i
	}
	return len(s)
}

// occurrences yields the index of every sub in s, in order.
func occurrences(s, sub string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := indexFrom(s, 0, sub); at < len(s); at = indexFrom(s, at+len(sub), sub) {
			if !yield(at) {
				return
			}
		}
	}
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

func hasAnyPrefix(s string, prefixes []string) bool { return afterAny(s, 0, prefixes) > 0 }

// afterAny skips the first of some words that stands at an index; 0 if none does.
func afterAny(s string, at int, words []string) int {
	for _, word := range words {
		if strings.HasPrefix(s[at:], word) {
			return at + len(word)
		}
	}
	return 0
}

// groupBy lists rules by a byte of theirs, so that most of them need not be tried.
func groupBy[T any](rules []T, key func(T) byte) *[256][]T {
	var groups [256][]T
	for _, rule := range rules {
		groups[key(rule)] = append(groups[key(rule)], rule)
	}
	return &groups
}
