package privacy

import (
	"regexp"
	"slices"
	"strings"
	"sync"
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
func Formats() []string { return slices.Clone(formatNames[:]) }

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

// tags finds every tag of the enabled formats, in code too. It finds tags as a reader
// sees them, so it looks for them in a view.
func (f *Filter) tags(s string) []tag {
	var tags []tag
	seen := newView(s)
	for i := 0; i < len(seen.text); i++ {
		if !mayStartTag(seen.text[i:]) {
			continue
		}
		if t, ok := f.parseTag(seen.text, i); ok {
			i = t.end - 1
			t.start, t.end = seen.place(t.start, t.end)
			tags = append(tags, t)
		}
	}
	return withoutMarkers(s, tags)
}

// mayStartTag rules out nearly all places without a regular expression.
func mayStartTag(s string) bool {
	if s[0] != '<' && s[0] != '[' || len(s) == 1 {
		return false
	}
	return strings.IndexByte("pP/!", s[1]) >= 0 || s[1] <= ' ' || s[1] >= utf8.RuneSelf
}

func (f *Filter) parseTag(s string, at int) (t tag, ok bool) {
	for i, enabled := range f.formats {
		if !enabled {
			continue
		}
		if m := tagPatterns()[i].FindStringSubmatchIndex(s[at:]); m != nil {
			return tag{at, at + m[1], format(i), m[2] >= 0}, true
		}
	}
	return t, false
}

// tagPatterns match tags in any case. White space, line breaks too, may stand between
// the parts, and attributes in an opening xml tag. The first group matches in closing
// tags.
var tagPatterns = sync.OnceValue(func() (patterns [len(formatNames)]*regexp.Regexp) {
	const space = `[\t-\r\p{Z}]`
	tag := func(format format, open, attributes, close string) {
		closing := space + `*(/` + space + `*)private` + space + `*`
		opening := space + `*private` + attributes + space + `*`
		patterns[format] = regexp.MustCompile(`(?i)^` + open + `(?:` + closing + `|` + opening + `)` + close)
	}
	tag(xml, `<`, `(?:`+space+`[^<>\n]*=[^<>\n]*)?`, `(?:/`+space+`*)?>`)
	tag(bracket, `\[`, ``, `(?:/`+space+`*)?\]`)
	tag(comment, `<!--`, ``, `-->`)
	return patterns
})

// withoutMarkers leaves out every [PRIVATE] that nothing closes: it is the marker of
// what an earlier pass took out.
func withoutMarkers(s string, tags []tag) []tag {
	unclosed := map[int]bool{} // by their start
	var open []tag
	for _, t := range tags {
		switch {
		case t.format != bracket:
		case !t.closing:
			open = append(open, t)
		case len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	for _, t := range open {
		unclosed[t.start] = s[t.start:t.end] == PrivateMarker
	}
	return slices.DeleteFunc(tags, func(t tag) bool { return unclosed[t.start] })
}
