package privacy

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// removeSections takes out the private sections that are not in code.
//
// A section begins with the first opening tag and ends with the closing tag that
// balances it. If there are too few of those, it ends with the last one: in doubt
// too much goes rather than too little. Within a section code does not count, nor do
// tags of another format.
func (f *Filter) removeSections(s string, r *Report) string {
	tags := f.tags(s)
	if len(tags) == 0 {
		return s
	}
	c := sectionCutter{
		filter: f, text: s, tags: tags, lastClosing: lastClosingTags(tags), code: newMarkdown(s), report: r,
	}
	for i, t := range tags {
		if t.start >= c.at && !c.isCode(t.start) {
			c.cutFrom(i)
		}
	}
	c.out.WriteString(s[c.copied:])
	return c.out.String()
}

// sectionCutter walks through a text once.
type sectionCutter struct {
	filter      *Filter
	text        string
	tags        []tag
	lastClosing [len(formatNames)]int // index of each format's last closing tag, -1 for none
	code        *markdown
	at          int // the text before is done
	copied      int // the text before is kept or cut
	out         strings.Builder
	report      *Report
}

func lastClosingTags(tags []tag) (last [len(formatNames)]int) {
	for i := range last {
		last[i] = -1
	}
	for i, t := range tags {
		if t.closing {
			last[t.format] = i
		}
	}
	return last
}

// isCode moves on to an index and reports whether it is in code.
func (c *sectionCutter) isCode(index int) bool {
	for {
		start, end := c.code.next(c.at)
		if start > index {
			return false
		}
		c.at = end
		if end > index {
			return true
		}
	}
}

// notFiltered ends the warnings about text that stays as it is.
const notFiltered = " was NOT filtered"

func isNotFiltered(warning string) bool { return strings.HasSuffix(warning, notFiltered) }

// cutFrom cuts the section that tag i opens, or warns that there is none.
func (c *sectionCutter) cutFrom(i int) {
	t := c.tags[i]
	opening, closing := openingTags[t.format], closingTags[t.format]
	c.at = t.end
	if t.closing {
		c.report.warn(closing + " without an opening tag: what stands before it" + notFiltered)
		return
	}
	last, balanced := c.sectionEnd(i)
	switch {
	case balanced:
		c.cut(t, c.tags[last])
	case c.filter.redactUnclosed:
		c.report.warn("unclosed " + opening + ": all that follows was hidden")
		c.report.addSection()
		c.replace(t.start, len(c.text), c.filter.marker)
	case last > i:
		c.report.warn("unclosed " + opening + ": hidden up to the last " + closing)
		c.cut(t, c.tags[last])
	default:
		c.report.warn("unclosed " + opening + ": content" + notFiltered)
	}
}

// sectionEnd returns the index of the tag that ends the section of tag i; i itself
// if there is none.
func (c *sectionCutter) sectionEnd(i int) (last int, balanced bool) {
	format := c.tags[i].format
	depth := 0
	for j := i; j <= c.lastClosing[format]; j++ {
		switch t := c.tags[j]; {
		case t.format != format:
		case !t.closing:
			depth++
		default:
			depth--
		}
		if depth == 0 {
			return j, true
		}
	}
	return max(i, c.lastClosing[format]), false
}

// cut takes out a section with its tags. An empty one leaves no marker.
func (c *sectionCutter) cut(opening, closing tag) {
	marker := c.filter.marker
	if isBlankText(c.text[opening.end:closing.start]) {
		marker = ""
	} else {
		c.report.addSection()
	}
	c.replace(opening.start, closing.end, marker)
}

func (c *sectionCutter) replace(start, end int, marker string) {
	c.out.WriteString(c.text[c.copied:start])
	c.out.WriteString(c.filter.replacement(c.text[start:end], marker))
	c.at, c.copied = end, end
}

// format is a notation for private sections.
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
	shown := newView(s)
	for i := 0; i < len(shown.text); i++ {
		if !mayStartTag(shown.text[i:]) {
			continue
		}
		if t, ok := f.parseTag(shown.text, i); ok {
			i = t.end - 1
			t.start, t.end = shown.place(t.start, t.end)
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
