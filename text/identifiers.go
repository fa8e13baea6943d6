package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// identifierParts splits an identifier at underscores, before the capitals of
// camelCase, and where an acronym ends (HTTPServer: HTTP, Server). Digits stay with
// what they follow (S3Bucket: S3, Bucket), for "x509" and "k8s" are names.
func identifierParts(word string) []string {
	var parts []string
	for piece := range strings.SplitSeq(word, "_") {
		for piece != "" {
			end := partEnd(piece)
			parts = append(parts, piece[:end])
			piece = piece[end:]
		}
	}
	return parts
}

// partEnd returns where the first part of a piece without underscores ends.
func partEnd(piece string) int {
	lower := false // seen a lower-case letter
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
