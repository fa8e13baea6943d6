package privacy

import (
	"slices"
	"strings"
)

// brokenTokens finds vendor tokens that a line break splits.
func brokenTokens(s string) []finding {
	v := joinLines(s)
	if v.text == s {
		return nil
	}
	found := v.inText(append(vendorTokens(v.text), jsonWebTokens(v.text)...))
	return slices.DeleteFunc(found, func(f finding) bool { return !strings.Contains(s[f.start:f.end], "\n") })
}

// joinLines returns a text without the line breaks, and the indentation after them, that
// may stand within a token.
func joinLines(s string) view {
	v := view{text: s, original: s}
	var b strings.Builder
	copied := 0
	for end := range occurrences(s, "\n") {
		start := skip(s, end+1, blankChars)
		for end > copied && isBlank(s[end-1]) {
			end--
		}
		if end <= copied || !breaksToken(s, end, start) {
			continue
		}
		b.WriteString(s[copied:end])
		copied = start
		v.noteShift(b.Len(), start)
	}
	b.WriteString(s[copied:])
	v.text = b.String()
	return v
}

// breaksToken reports whether a token may end at one index and go on at another: the
// characters on both sides are a token's, and those that follow look random and are not
// a separate token.
func breaksToken(s string, end, start int) bool {
	const shortest, enough = 4, 100
	before := s[max(0, end-shortest):end]
	if len(before) < shortest || !consistsOf(before, dotted) {
		return false
	}
	after := s[start:skipAtMost(s, start, enough, dotted)]
	return len(after) >= shortest && isMixed(after) && !isWordy(after) && !startsToken(s, start)
}

func startsToken(s string, at int) bool {
	for _, rule := range tokensByFirstByte()[s[at]] {
		if strings.HasPrefix(s[at:], rule.prefix) {
			return rule.tokenEnd(s, at) > 0
		}
	}
	return false
}
