package merge

import (
	"bytes"
	"regexp"
	"sync"
)

// Texts are the versions of a file, nil for one that does not exist.
type Texts struct{ Base, Ours, Theirs []byte }

// marker begins a line by which git parts the versions of a conflict. No line of a JSON
// document begins so.
var marker = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(<{7,}|\|{7,}|={7,}|>{7,})(?: .*)?\r?\n?$`)
})

// ConflictLine returns the line, from 1, on which git's first conflict in a file starts,
// 0 if there is none.
func ConflictLine(data []byte) int {
	if !bytes.Contains(data, []byte("<<<<<<<")) {
		return 0
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if markerOf(line) == '<' {
			return number
		}
	}
	return 0
}

// markerOf returns the first character of a line that is a marker, else 0.
func markerOf(line []byte) byte {
	if marker().Match(line) {
		return line[0]
	}
	return 0
}

// Sides returns the versions between the markers that git left in a file. The base is
// nil unless git's conflict style is diff3.
func Sides(data []byte) Texts {
	var base, ours, theirs []byte
	hasBase, in := false, byte(0)
	for line := range bytes.Lines(data) {
		switch kind := markerOf(line); {
		case kind == '>' && in == '=':
			in = 0
		case kind == '<' && in == 0, kind == '|' && in == '<', kind == '=' && (in == '<' || in == '|'):
			in = kind
			hasBase = hasBase || kind == '|'
		case in == '<':
			ours = append(ours, line...)
		case in == '|':
			base = append(base, line...)
		case in == '=':
			theirs = append(theirs, line...)
		default:
			base, ours, theirs = append(base, line...), append(ours, line...), append(theirs, line...)
		}
	}
	if !hasBase {
		base = nil
	}
	return Texts{base, ours, theirs}
}
