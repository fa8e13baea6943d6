package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Invisible reports whether a character shows nothing by itself: a control character, a
// line separator, or one with the property Default_Ignorable_Code_Point, among them the
// bidirectional controls, tags, variation selectors, fillers and the soft hyphen.
//
// Unicode derives that property (DerivedCoreProperties.txt) from the tables used here.
// It leaves out the marks of interlinear annotation; they show nothing either.
func Invisible(r rune) bool {
	switch {
	case unicode.IsControl(r):
		return true
	case r <= unicode.MaxLatin1:
		return r == softHyphen
	case r >= 0x13430 && r <= 0x1343F: // Egyptian format controls, which arrange signs
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r) // Arabic number signs
}

const (
	softHyphen      = '\u00AD'
	nonJoiner       = '\u200C'
	joiner          = '\u200D'
	keycap          = '\u20E3'
	textVariation   = '\uFE0E'
	symbolVariation = '\uFE0F'
)

// Printable removes the invisible characters of s. They could control a terminal, reorder
// a line or hide words that only an agent reads. A line break or a tab becomes a space, so
// that the words around it stay apart. A joiner stays in the scripts that need it and
// between emoji, and the selector of a symbol's variant stays after the symbol.
func Printable(s string) string {
	if isPlain(s, "") {
		return s
	}
	return Visible(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) && Invisible(r) {
			return ' '
		}
		return r
	}, s))
}

// Visible is Printable that puts nothing in place of line breaks and tabs, as earlier versions did.
func Visible(s string) string {
	return replaceHidden(s, "", func(*strings.Builder, rune) {})
}

// Paragraph is Printable that keeps line breaks and tabs.
func Paragraph(s string) string {
	return replaceHidden(s, "\n\t", func(*strings.Builder, rune) {})
}

// EscapeJSON escapes what Printable would remove from the strings of encoded JSON, such
// as C1 and bidirectional controls, and the beginning of a command in the log of a workflow. The JSON means the same.
func EscapeJSON(data []byte) []byte {
	data = bytes.ReplaceAll(data, []byte("##["), []byte(`##\u005b`))
	return []byte(replaceHidden(string(data), "\n\t\r", func(b *strings.Builder, r rune) {
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
		} else {
			fmt.Fprintf(b, `\u%04x`, r)
		}
	}))
}

// PrintableJSON is Paragraph for the keys and strings of encoded JSON, for an agent that
// reads them decoded.
func PrintableJSON(data []byte) []byte {
	return stringLiteral().ReplaceAllFunc(data, func(literal []byte) []byte {
		var s string
		if json.Unmarshal(literal, &s) != nil {
			return literal
		}
		printable := Paragraph(s)
		if printable == s {
			return literal
		}
		encoded, _ := json.Marshal(printable) // a string: cannot fail
		return encoded
	})
}

var stringLiteral = Pattern(`"(?:[^"\\]|\\.)*"`)

// JSONWriter returns a writer that passes JSON on with EscapeJSON. Each Write takes
// whole values, as those of json.Encoder are.
func JSONWriter(out io.Writer) io.Writer { return jsonWriter{out} }

type jsonWriter struct{ out io.Writer }

func (w jsonWriter) Write(data []byte) (int, error) {
	if _, err := w.out.Write(EscapeJSON(data)); err != nil {
		return 0, err
	}
	return len(data), nil
}

// replaceHidden calls replace in place of each hidden character that is not one of
// kept. It replaces invalid bytes by U+FFFD.
func replaceHidden(s, allowed string, replace func(*strings.Builder, rune)) string {
	if isPlain(s, allowed) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	var p passage
	for i, r := range s {
		if strings.ContainsRune(allowed, r) || p.shows(r, s[i:]) {
			p.add(r)
			b.WriteRune(r)
		} else {
			replace(&b, r)
		}
	}
	return b.String()
}

// isPlain reports whether s is ASCII without control characters but for those kept.
func isPlain(s, allowed string) bool {
	for i := range len(s) {
		if s[i] >= 0x7F || s[i] < ' ' && strings.IndexByte(allowed, s[i]) < 0 {
			return false
		}
	}
	return true
}

// passage is the part of a text that was read.
type passage struct {
	last rune // the last character
	base rune // the last one that is no mark or joiner
}

func (p *passage) add(r rune) {
	p.last = r
	if !unicode.IsMark(r) && !isJoiner(r) {
		p.base = r
	}
}

// shows reports whether the first character of the rest is visible, or changes how its
// neighbours look.
func (p *passage) shows(r rune, rest string) bool {
	if !Invisible(r) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(rest[utf8.RuneLen(r):])
	switch r {
	case textVariation, symbolVariation:
		return isSymbol(p.last) || next == keycap && strings.ContainsRune("0123456789#*", p.last)
	case nonJoiner, joiner:
		if isJoiner(p.last) {
			return false
		}
		return usesJoiners(p.base) && (usesJoiners(next) || isVirama(p.last)) ||
			r == joiner && isSymbol(p.base) && isSymbol(next)
	}
	return false
}

func isJoiner(r rune) bool { return r == nonJoiner || r == joiner }

// isSymbol accepts emoji and what may become one by a variation selector: ♂, ↔, ©.
func isSymbol(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return false
	case r >= 0x1F000 && r <= 0x1FAFF: // emoji, those of later versions of Unicode too
		return true
	case r == '‼', r == '⁉', r == 'ℹ', r == '〰':
		return true
	}
	return unicode.In(r, unicode.So, unicode.Sm)
}

// isVirama reports whether a mark takes the vowel from a letter. A joiner after it
// decides how the letter looks, at the end of a word too.
func isVirama(r rune) bool {
	const virama = 9 // canonical combining class
	return norm.NFC.PropertiesString(string(r)).CCC() == virama
}

// usesJoiners reports whether a character belongs to a script that is cursive or joins
// consonants, where joiners change the form of letters.
func usesJoiners(r rune) bool {
	return unicode.In(r,
		unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Adlam,
		unicode.Hanifi_Rohingya, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
		unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Myanmar,
		unicode.Khmer, unicode.Balinese, unicode.Javanese, unicode.Sundanese, unicode.Meetei_Mayek,
		unicode.Chakma, unicode.Newa, unicode.Tirhuta, unicode.Grantha)
}
