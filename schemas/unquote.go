package schemas

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// stringOf returns the text of a JSON string, "" for another value. Invalid UTF-8
// stays; a lone surrogate becomes U+FFFD.
func stringOf(raw json.RawMessage) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	raw = raw[1 : len(raw)-1]
	at := bytes.IndexByte(raw, '\\')
	if at < 0 {
		return string(raw)
	}
	var text strings.Builder
	text.Grow(len(raw))
	for ; at >= 0; at = bytes.IndexByte(raw, '\\') {
		text.Write(raw[:at])
		r, length := unescape(raw[at:])
		text.WriteRune(r)
		raw = raw[at+length:]
	}
	text.Write(raw)
	return text.String()
}

// unescape reads the escape that raw starts with.
func unescape(raw []byte) (r rune, length int) {
	if len(raw) < 2 {
		return utf8.RuneError, len(raw)
	}
	switch c := raw[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return unescapeHex(raw)
	default: // itself
		return rune(c), 2
	}
}

// unescapeHex reads \uXXXX, or two that make one character.
func unescapeHex(raw []byte) (r rune, length int) {
	const size = len(`\uXXXX`)
	r = hexRune(raw)
	if !utf16.IsSurrogate(r) {
		return r, min(size, len(raw))
	}
	if pair := utf16.DecodeRune(r, hexRune(raw[size:])); pair != utf8.RuneError {
		return pair, 2 * size
	}
	return utf8.RuneError, size
}

// hexRune returns the number in \uXXXX, U+FFFD where there is none.
func hexRune(raw []byte) (r rune) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return utf8.RuneError
	}
	for _, c := range raw[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		default:
			c = c&^0x20 - 'A' + 10
		}
		r = r<<4 | rune(c&0xf)
	}
	return r
}
