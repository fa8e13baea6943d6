package text

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// MaxSlug is the longest slug, in bytes.
const MaxSlug = 80

// Slug turns a title into the stem of a file name: letters are taken apart
// (NFKD) and what is not ASCII is dropped, so "é" is an e and "ß" is nothing;
// then runs of a-z and 0-9 are joined by hyphens and cut at MaxSlug. It is
// empty where no letter or digit is left, as for a Korean title.
func Slug(s string) string {
	ascii := strings.Map(func(r rune) rune {
		if r > 0x7f {
			return -1
		}
		return r
	}, norm.NFKD.String(s))
	slug := strings.Join(strings.FieldsFunc(strings.ToLower(ascii), isSeparator), "-")
	return strings.TrimRight(slug[:min(len(slug), MaxSlug)], "-")
}

// SlugOr is Slug, or a readable stem that depends on nothing but the title:
// the given word and a short hash, such as "decision-3f9a1c".
func SlugOr(word, title string) string {
	if slug := Slug(title); slug != "" {
		return slug
	}
	sum := sha256.Sum256([]byte(norm.NFC.String(title)))
	return Slug(word) + "-" + hex.EncodeToString(sum[:3])
}
