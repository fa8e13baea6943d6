package text

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxShown is how many code points of a title or description reach a prompt.
const MaxShown = 120

// MaxHookText is how long a hook's text for the agent may be, in UTF-16 code units. Of
// a longer one the client shows the beginning and the name of a file
// (docs/claude-code.md).
const MaxHookText = 10_000

// Line makes s safe for one line of a memory context. It removes invisible characters,
// breaks the two markers of the line format (" -> " and "#tags:"), escapes XML and cuts
// the result at MaxShown code points: after the escaping, so that the limit is that of
// what the model reads.
func Line(s string) string {
	s = Truncate(Printable(s), 20*MaxShown) // bounds the loops
	for strings.Contains(s, " -> ") {       // a pass over "-> ->" leaves one
		s = strings.ReplaceAll(s, " -> ", " - ")
	}
	for strings.Contains(s, "#tags:") { // a pass over "#ta#tags:gs:" makes one
		s = strings.ReplaceAll(s, "#tags:", "")
	}
	return Truncate(EscapeXML(strings.TrimSpace(s)), MaxShown)
}

// Units returns the length of s as Claude Code counts it: in UTF-16 code units.
func Units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// EscapeXML escapes the four characters that matter in text and in a
// double-quoted attribute.
func EscapeXML(s string) string { return strings.ReplaceAll(EscapeMarkup(s), `"`, "&quot;") }

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// EscapeMarkup escapes the three characters that matter in text.
func EscapeMarkup(s string) string {
	return markup.Replace(s)
}

// Truncate cuts s after n code points.
func Truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Ellipsis cuts s to at most n code points. The last one is an ellipsis if something
// was cut.
func Ellipsis(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return Truncate(s, n-1) + "…"
}
