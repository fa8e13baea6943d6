package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// humps takes an identifier apart: at underscores, before the capitals of
// camelCase, and where an acronym ends (HTTPServer: HTTP, Server). Digits stay
// with what they follow (S3Bucket: S3, Bucket), for "x509" and "k8s" are names.
func humps(word string) []string {
	var parts []string
	for piece := range strings.SplitSeq(word, "_") {
		for piece != "" {
			end := humpEnd(piece)
			parts = append(parts, piece[:end])
			piece = piece[end:]
		}
	}
	return parts
}

// humpEnd is where the first hump of piece ends.
func humpEnd(piece string) int {
	lower := false // a lower-case letter was seen
	for i, r := range piece {
		if unicode.IsUpper(r) && i > 0 {
			next, _ := utf8.DecodeRuneInString(piece[i+utf8.RuneLen(r):])
			if lower || unicode.IsLower(next) {
				return i
			}
		}
		lower = lower || unicode.IsLower(r)
	}
	return len(piece)
}
