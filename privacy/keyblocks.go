package privacy

import (
	"strings"
)

const (
	pemBegin  = "-----BEGIN "
	pemEnd    = "-----END "
	pemDashes = "-----"
	maxLabel  = 48 // bytes of a label and the dashes after it
)

// privateKeys finds private keys in PEM and PGP armour. One that has lost its end
// goes on as long as lines look like a key.
func privateKeys(s string) []finding {
	var findings []finding
	lastEnd, pemEndAt := 0, 0
	for start := range occurrences(s, pemBegin) {
		at := start + len(pemBegin)
		label, _, closed := strings.Cut(s[at:min(len(s), at+maxLabel)], pemDashes)
		if start < lastEnd || !closed || !strings.Contains(label, "PRIVATE KEY") {
			continue
		}
		body := at + len(label) + len(pemDashes)
		if pemEndAt < body {
			pemEndAt = indexFrom(s, body, pemEnd)
		}
		if end := keyEnd(s, body, pemEndAt); end > 0 {
			findings = append(findings, finding{start, end, kindPEM})
			lastEnd = end
		}
	}
	return findings
}

// keyEnd returns the end of the key whose body starts at an index, 0 if there is
// none. The next end line stands at pemEndAt.
func keyEnd(s string, body, pemEndAt int) int {
	if pemEndAt < len(s) && !strings.Contains(s[body:pemEndAt], pemBegin) && holdsKey(s[body:pemEndAt]) {
		label := pemEndAt + len(pemEnd)
		if i := strings.Index(s[label:min(len(s), label+maxLabel)], pemDashes); i >= 0 {
			return label + i + len(pemDashes)
		}
	}
	end := keyLinesEnd(s, body)
	if !holdsKey(s[body:end]) {
		return 0
	}
	return end
}

// puttyKeys finds the private parts of PuTTY's key files.
func puttyKeys(s string) []finding {
	const header = "Private-Lines: "
	var findings []finding
	lastEnd := 0
	for at := range occurrences(s, header) {
		body := skip(s, at+len(header), digitChars+"\r")
		if at < lastEnd || body == len(s) || s[body] != '\n' {
			continue
		}
		body++
		if end := keyLinesEnd(s, body); holdsKey(s[body:end]) {
			findings = append(findings, finding{body, end, kindPEM})
			lastEnd = end
		}
	}
	return findings
}

// holdsKey looks for the characters of keys: many characters of base64 in a row.
func holdsKey(s string) bool {
	n := 0
	for i := range len(s) {
		if !isWord(s[i]) && s[i] != '+' && s[i] != '/' {
			n = 0
		} else if n++; n >= 24 {
			return true
		}
	}
	return false
}

// keyLinesEnd returns the end of the lines that hold nothing but base64, indented or
// not. Of the line after them it takes what is clearly part of the key.
func keyLinesEnd(s string, at int) int {
	line := at
	for i := at; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			line = i + 1
		case isBlank(c) && (i == line || isBlank(s[i-1]) || i+1 == len(s) || s[i+1] == '\n'):
		case !isWord(c) && strings.IndexByte(`+/=\"',:-|`, c) < 0:
			if holdsKey(s[line:i]) {
				return i
			}
			return line
		}
	}
	return len(s)
}
