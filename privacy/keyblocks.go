package privacy

import "strings"

const (
	blockBegin = "-----BEGIN "
	blockEnd   = "-----END "
	dashes     = "-----"
)

// keyBlocks finds PEM and PGP private keys, whole. One that has lost its end goes
// as far as lines look like it.
func keyBlocks(s string) []span {
	var spans []span
	end := 0 // the first end line that is not passed, the text's end for none
	for at := 0; ; {
		i := strings.Index(s[at:], blockBegin)
		if i < 0 {
			return spans
		}
		start := at + i
		at = start + len(blockBegin)
		body, ok := privateLabel(s, at)
		if !ok {
			continue
		}
		if end < body {
			end = indexFrom(s, blockEnd, body)
		}
		stop := blockStop(s, body, end)
		if stop > 0 {
			spans = append(spans, span{start, stop, kindPEM})
			at = stop
		}
	}
}

// puttyBegin stands before the private part of a key as PuTTY keeps it.
const puttyBegin = "Private-Lines: "

// puttyKeys finds the private parts of such keys.
func puttyKeys(s string) []span {
	var spans []span
	for at := 0; ; {
		i := strings.Index(s[at:], puttyBegin)
		if i < 0 {
			return spans
		}
		at += i + len(puttyBegin)
		for at < len(s) && (isDigit(s[at]) || s[at] == '\r') {
			at++
		}
		if at == len(s) || s[at] != '\n' {
			continue
		}
		if stop := keyLines(s, at+1); hasKey(s[at+1 : stop]) {
			spans = append(spans, span{at + 1, stop, kindPEM})
			at = stop
		}
	}
}

// privateLabel tells whether a label names a private key and where it ends.
func privateLabel(s string, at int) (body int, ok bool) {
	line := s[at:min(len(s), at+48)]
	label, _, closed := strings.Cut(line, dashes)
	return at + len(label) + len(dashes), closed && strings.Contains(label, "PRIVATE KEY")
}

// blockStop is where the key ends whose body starts at a place; 0 if none does.
func blockStop(s string, body, end int) int {
	if next := indexWithin(s, blockBegin, body, end); next == end && end < len(s) && hasKey(s[body:end]) {
		label := end + len(blockEnd)
		if i := strings.Index(s[label:min(len(s), label+48)], dashes); i >= 0 {
			return label + i + len(dashes)
		}
	}
	stop := keyLines(s, body)
	if !hasKey(s[body:stop]) {
		return 0
	}
	return stop
}

func indexFrom(s, what string, from int) int { return indexWithin(s, what, from, len(s)) }

func indexWithin(s, what string, from, to int) int {
	if i := strings.Index(s[from:to], what); i >= 0 {
		return from + i
	}
	return to
}

// hasKey looks for what a key is made of: many characters of base64 in a row.
func hasKey(s string) bool {
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

// keyLines goes on as long as lines hold nothing but base64, indented or not. Of
// the last line it takes what is clearly part of the key.
func keyLines(s string, at int) int {
	line := at
	for i := at; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			line = i + 1
		case isBlank(c) && (i == line || isBlank(s[i-1]) || i+1 == len(s) || s[i+1] == '\n'):
		case !isWord(c) && strings.IndexByte(`+/=\"',:-|`, c) < 0:
			if hasKey(s[line:i]) {
				return i
			}
			return line
		}
	}
	return len(s)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
