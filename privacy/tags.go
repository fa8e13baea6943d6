package privacy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// format is how a private section is written.
type format int

const (
	xml     format = iota // <private>…</private>
	bracket               // [private]…[/private]
	comment               // <!-- private -->…<!-- /private -->
)

var formatNames = [...]string{xml: "xml", bracket: "bracket", comment: "comment"}

// Formats lists the values of Options.Formats.
func Formats() []string { return formatNames[:] }

var (
	openingTags = [...]string{xml: "<private>", bracket: "[private]", comment: "<!-- private -->"}
	closingTags = [...]string{xml: "</private>", bracket: "[/private]", comment: "<!-- /private -->"}
)

// tag opens or closes a section.
type tag struct {
	start, end int
	format     format
	closing    bool
}

// tags finds every tag of the formats in use, within code too.
func (f *Filter) tags(s string) []tag {
	if !mayHoldTags(s) {
		return nil
	}
	var found []tag
	for i := 0; i < len(s); i++ {
		if !startsTag(s, i) {
			continue
		}
		if t, ok := readTag(s, i); ok && f.formats[t.format] {
			found = append(found, t)
			i = t.end - 1
		}
	}
	return withoutMarkers(s, found)
}

// withoutMarkers leaves out every [PRIVATE] that nothing closes: it is the marker
// that stands for what was taken out earlier.
func withoutMarkers(s string, tags []tag) []tag {
	var open []int // tags of the bracket format
	drop := map[int]bool{}
	for i, t := range tags {
		switch {
		case t.format != bracket:
		case !t.closing:
			open = append(open, i)
		case len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	for _, i := range open {
		if s[tags[i].start:tags[i].end] == PrivateMarker {
			drop[i] = true
		}
	}
	if len(drop) == 0 {
		return tags
	}
	var kept []tag
	for i, t := range tags {
		if !drop[i] {
			kept = append(kept, t)
		}
	}
	return kept
}

// readTag reads a tag at a place. Between its parts may be white space, line
// breaks too, and in a tag of the xml format attributes.
func readTag(s string, at int) (t tag, ok bool) {
	c := cursor{s, at}
	switch {
	case c.take("["):
		t.format = bracket
	case c.take("<!--"):
		t.format = comment
	case c.take("<"):
		t.format = xml
	default:
		return t, false
	}
	c.space()
	if t.closing = c.take("/"); t.closing {
		c.space()
	}
	ok = c.take("private") && c.ends(t)
	t.start, t.end = at, c.at
	return t, ok
}

func (c *cursor) ends(t tag) bool {
	spaced := c.space()
	switch t.format {
	case comment:
		return c.take("-->")
	case xml:
		if spaced && !t.closing {
			c.attributes()
			c.space()
		}
	}
	if c.take("/") {
		c.space()
	}
	if t.format == bracket {
		return c.take("]")
	}
	return c.take(">")
}

// attributes goes past name="value" to the end of a tag on the same line. Other
// words make something else of it: <private key>.
func (c *cursor) attributes() {
	at, valued := c.at, false
	for ; c.at < len(c.s) && strings.IndexByte("<>\n", c.s[c.at]) < 0; c.at++ {
		valued = valued || c.s[c.at] == '='
	}
	if !valued {
		c.at = at
	}
}

// mayHoldTags tells quickly of most texts that they hold none.
func mayHoldTags(s string) bool {
	return strings.IndexByte(s, '<') >= 0 || strings.IndexByte(s, '[') >= 0 || strings.IndexByte(s, 0xEF) >= 0
}

// startsTag tells quickly where a tag may be.
func startsTag(s string, i int) bool {
	switch c := s[i]; {
	case c == 0xEF:
		return isFullWidth(s[i:])
	case c != '<' && c != '[' || i+1 == len(s):
		return false
	}
	switch c := s[i+1]; c {
	case 'p', 'P', '/', '!':
		return true
	default:
		return c <= ' ' || c >= utf8.RuneSelf
	}
}

// isFullWidth tells a bracket as keyboards of East Asia write it.
func isFullWidth(s string) bool {
	return s[0] == 0xEF && (strings.HasPrefix(s, "＜") || strings.HasPrefix(s, "［"))
}

// cursor reads a tag as a person sees it: in any case, without invisible
// characters, full-width ones as their plain twins.
type cursor struct {
	s  string
	at int
}

// take goes past a word, which is in lower case and of ASCII; else it stays.
func (c *cursor) take(word string) bool {
	at := c.at
	for i := range len(word) {
		if r := c.next(); r != rune(word[i]) {
			c.at = at
			return false
		}
	}
	return true
}

func (c *cursor) next() rune {
	for c.at < len(c.s) {
		r, size := rune(c.s[c.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(c.s[c.at:])
		}
		c.at += size
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case r < utf8.RuneSelf:
			return r
		case 0xFF01 <= r && r <= 0xFF5E:
			return unicode.ToLower(r - 0xFF01 + '!')
		case !invisible(r):
			return r
		}
	}
	return -1
}

// invisible tells what shows nothing: zero-width and formatting characters, soft
// hyphens, variation selectors, fillers.
func invisible(r rune) bool {
	switch r {
	case 0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0:
		return true
	}
	return unicode.Is(unicode.Cf, r) || 0xFE00 <= r && r <= 0xFE0F
}

// space goes past white space and tells whether there was some.
func (c *cursor) space() bool {
	found := false
	for {
		at := c.at
		if r := c.next(); r < 0 || !unicode.IsSpace(r) {
			c.at = at
			return found
		}
		found = true
	}
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
