package privacy

import (
	"iter"
	"strings"
)

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
