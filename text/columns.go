package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Columns cuts s to at most n columns of a terminal. The last one is an ellipsis if
// something was cut.
func Columns(s string, n int) string {
	cut, used := 0, 0 // what fits before an ellipsis; the columns of what was read
	for i, r := range s {
		if used < n {
			cut = i
		}
		if used += columnsOf(r); used > n {
			return strings.TrimRight(s[:cut], " ") + "…"
		}
	}
	return s
}

// columnsOf returns how many columns a character takes: two for those of East Asian
// scripts and emoji, none for marks on the character before.
func columnsOf(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) || Invisible(r) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
