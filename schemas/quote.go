package schemas

import (
	"encoding/json"
	"unicode/utf8"
)

// encodeText renders a string as encoding/json does without escaping HTML, in a
// process that has no time to set that up. A fuzz test holds the two equal.
func encodeText(s string) json.RawMessage { return appendText(make([]byte, 0, len(s)+2), s) }

func appendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	plain := 0 // where what is not yet written starts
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if escape := escapeOf(r, size); escape != "" {
			dst = append(append(dst, s[plain:i]...), escape...)
			plain = i + size
		}
		i += size
	}
	return append(append(dst, s[plain:]...), '"')
}

// escapeOf is what stands for a character in a string, "" for itself.
func escapeOf(r rune, size int) string {
	const hex = "0123456789abcdef"
	switch {
	case r == '"':
		return `\"`
	case r == '\\':
		return `\\`
	case r >= ' ' && r < utf8.RuneSelf:
		return ""
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r == '\b':
		return `\b`
	case r == '\f':
		return `\f`
	case r < ' ':
		return `\u00` + string([]byte{hex[r>>4], hex[r&15]})
	case r == utf8.RuneError && size == 1: // no UTF-8
		return `\ufffd`
	case r == '\u2028': // a line's end in JavaScript
		return `\u2028`
	case r == '\u2029':
		return `\u2029`
	}
	return ""
}
