package privacy

import (
	"encoding/base64"
	"strings"
)

const (
	// minEncoded is the shortest text in base64 that is decoded, in characters.
	minEncoded = 24
	// minDecoded is the shortest text that is looked at in what was decoded.
	minDecoded = 16
	// minWrapped is how long the lines of a text in base64 are, except for the last.
	minWrapped = 60
)

// encodedSecrets finds texts in base64 that hold a secret. It does not decode twice.
func (f *Filter) encodedSecrets(s string) []finding {
	var findings []finding
	for i := 0; i < len(s); {
		end := base64End(s, i)
		if end-i < minEncoded {
			i = end + 1
			continue
		}
		if f.late() {
			break
		}
		end = wrappedEnd(s, i, end)
		if kind := f.encodedKind(s[i:end]); kind != "" {
			findings = append(findings, finding{i, end, kind})
		}
		i = end
	}
	return findings
}

// base64End returns the end of the characters of base64 from an index on. They may be
// those of the URL-safe form.
func base64End(s string, at int) int {
	for at < len(s) && (isWord(s[at]) || s[at] == '+' || s[at] == '/' || s[at] == '-') {
		at++
	}
	return at
}

// wrappedEnd returns the end of a text in base64 whose first line ends at an index: of
// its padding, or of the last of the lines that hold nothing else.
func wrappedEnd(s string, start, end int) int {
	for line := start; ; {
		end = skipAtMost(s, end, 2, "=")
		next := skip(s, end, "\r")
		if end-line < minWrapped || s[end-1] == '=' || next == len(s) || s[next] != '\n' {
			return end
		}
		line = skip(s, next+1, blankChars)
		lineEnd := base64End(s, line)
		rest := skip(s, skipAtMost(s, lineEnd, 2, "="), "\r")
		if lineEnd == line || rest < len(s) && s[rest] != '\n' {
			return end
		}
		end = lineEnd
	}
}

// encodedKind returns the kind of the first secret in a text in base64, "" for none. The
// text may begin with up to three characters too many.
func (f *Filter) encodedKind(s string) string {
	code := strings.Map(func(r rune) rune {
		switch r {
		case '-':
			return '+'
		case '_':
			return '/'
		case '=', '\n', '\r', '\t', ' ':
			return -1
		}
		return r
	}, s)
	for skipped := range 4 {
		part := code[skipped:]
		if len(part)%4 == 1 {
			part = part[:len(part)-1]
		}
		decoded, _ := base64.RawStdEncoding.DecodeString(part) // of its characters only: cannot fail
		for text := range strings.FieldsFuncSeq(string(decoded), isNoText) {
			if len(text) < minDecoded {
				continue
			}
			if findings := f.detect(text); len(findings) > 0 {
				return findings[0].kind
			}
		}
	}
	return ""
}

func isNoText(r rune) bool { return r >= 0x7F || r < ' ' && r != '\n' && r != '\t' && r != '\r' }
