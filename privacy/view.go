package privacy

import (
	"sort"
	"strings"
	"unicode/utf8"

	"memctl/text"
)

// view is a text as a person reads it. It has no invisible characters and no colours of
// a terminal, and plain characters for full-width ones.
type view struct {
	text     string
	original string
	shifts   []shift // in order
}

// shift says how many bytes more a place has in the original, from a place in the view
// on.
type shift struct{ from, by int }

func newView(s string) view {
	v := view{text: s, original: s}
	first := strings.IndexFunc(s, func(r rune) bool { return plain(r) != r })
	if first < 0 {
		return v
	}
	var b strings.Builder
	b.WriteString(s[:first])
	for i := first; i < len(s); {
		end := i + colourLength(s[i:])
		if end == i {
			r, size := utf8.DecodeRuneInString(s[i:])
			end += size
			if shown := plain(r); shown == r {
				b.WriteString(s[i:end])
			} else if shown >= 0 {
				b.WriteRune(shown)
			}
		}
		i = end
		v.noteShift(b.Len(), i)
	}
	v.text = b.String()
	return v
}

// noteShift says where a place in the view is in the original.
func (v *view) noteShift(at, original int) {
	by := 0
	if len(v.shifts) > 0 {
		by = v.shifts[len(v.shifts)-1].by
	}
	if original-at != by {
		v.shifts = append(v.shifts, shift{at, original - at})
	}
}

// plain returns the character that a person reads, -1 for none.
func plain(r rune) rune {
	const fullWidth = '！' - '!'
	switch {
	case r >= ' ' && r <= '~', r >= '\t' && r <= '\r': // ASCII, white space
		return r
	case r >= '！' && r <= '～':
		return r - fullWidth
	case text.Invisible(r):
		return -1
	}
	return r
}

// colourLength returns the length of a sequence that sets a colour, or clears the rest
// of a line as grep does after that; 0 for none.
func colourLength(s string) int {
	const begin = "\x1b["
	if !strings.HasPrefix(s, begin) {
		return 0
	}
	end := skip(s, len(begin), digitChars+";")
	if end == len(s) || s[end] != 'm' && s[end] != 'K' {
		return 0
	}
	return end + 1
}

// inText returns findings in the view as findings in the original.
func (v view) inText(findings []finding) []finding {
	for i, f := range findings {
		findings[i].start, findings[i].end = v.place(f.start, f.end)
	}
	return findings
}

// place returns where a stretch of the view is in the original. What is left out at its
// ends does not belong to it.
func (v view) place(start, end int) (int, int) {
	last := v.index(end - 1)
	size := 1
	if v.original[last] != v.text[end-1] {
		_, size = utf8.DecodeRuneInString(v.original[last:])
	}
	return v.index(start), last + size
}

// index returns where a character of the view is in the original.
func (v view) index(at int) int {
	i := sort.Search(len(v.shifts), func(i int) bool { return v.shifts[i].from > at })
	if i == 0 {
		return at
	}
	return at + v.shifts[i-1].by
}
