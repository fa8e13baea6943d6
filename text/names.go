package text

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/gosimple/unidecode"
	"golang.org/x/text/unicode/norm"
)

// IsDevice reports whether a file cannot have this name on Windows, whatever its
// extension, because a device has it. The name is in lower case.
func IsDevice(name string) bool {
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	port := strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")
	return port && len(name) == 4 && '0' <= name[3] && name[3] <= '9'
}

// MaxSlug is the longest slug, in bytes.
const MaxSlug = 80

// Slug turns a title into the stem of a file name. It decomposes letters (NFKD) and
// drops what is not ASCII, so "é" becomes e and "ß" nothing. Then it joins the runs of
// a-z and 0-9 with hyphens and cuts the result at MaxSlug. The slug is empty if no
// letter or digit is left, as for a Korean title. The name of a device of Windows gets a
// number: "con" becomes con-1.
func Slug(s string) string {
	ascii := strings.Map(func(r rune) rune {
		if r > 0x7f {
			return -1
		}
		return r
	}, norm.NFKD.String(s))
	slug := strings.Join(strings.FieldsFunc(strings.ToLower(ascii), isSeparator), "-")
	slug = strings.TrimRight(slug[:min(len(slug), MaxSlug)], "-")
	if IsDevice(slug) {
		slug += "-1"
	}
	return slug
}

// Name returns the slug for a new memory. Unlike Slug, it transliterates what is not
// ASCII, so that "데이터 설정" becomes deiteo-seoljeong. If nothing is left, as with an emoji,
// the name is the word and a short hash of the title, such as "decision-3f9a1c".
func Name(word, title string) string {
	ascii := title
	if strings.ContainsFunc(title, func(r rune) bool { return r >= utf8.RuneSelf }) {
		ascii = unidecode.Unidecode(norm.NFKC.String(title)) // which unpacks its tables: 5 ms
	}
	if slug := Slug(ascii); slug != "" {
		return slug
	}
	return Slug(word) + "-" + Hash(norm.NFC.String(title), 3)
}

// Hash is the beginning of the SHA-256 of some data, n of its 32 bytes, in hexadecimal digits.
func Hash[T string | []byte](data T, n int) string {
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:n])
}
