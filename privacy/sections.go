package privacy

import "strings"

// withoutSections takes out the private sections that do not stand in code.
//
// A section begins with the first opening tag and ends with the closing tag that
// balances it. Where there are too few of those it ends with the last one: of a
// doubtful text rather too much goes than too little. Within a section code does
// not count, nor do tags of another format.
func (f *Filter) withoutSections(s string, r *Report) string {
	tags := f.tags(s)
	if len(tags) == 0 {
		return s
	}
	c := cutter{f: f, s: s, tags: tags, code: newCode(s), report: r, last: lastClosing(tags)}
	for i := range tags {
		if t := tags[i]; t.start >= c.at && !c.inCode(t.start) {
			c.tag(i)
		}
	}
	c.kept.WriteString(s[c.copied:])
	return c.kept.String()
}

// cutter goes through a text once.
type cutter struct {
	f      *Filter
	s      string
	tags   []tag
	last   [len(formatNames)]int // the last closing tag of each format, -1 for none
	code   code
	at     int // what stands before is done with
	copied int // and what stands before this is copied or cut
	kept   strings.Builder
	report *Report
}

func lastClosing(tags []tag) (last [len(formatNames)]int) {
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

// inCode goes on to a place and tells whether it lies in code.
func (c *cutter) inCode(place int) bool {
	for {
		start, end := c.code.next(c.at)
		if start > place {
			return false
		}
		c.at = end
		if end > place {
			return true
		}
	}
}

// notFiltered ends every warning of what was left as it is.
const notFiltered = " was NOT filtered"

func isDoubt(warning string) bool { return strings.HasSuffix(warning, notFiltered) }

// tag does what a tag outside of code asks for.
func (c *cutter) tag(i int) {
	t := c.tags[i]
	c.at = t.end
	if t.closing {
		c.report.warn(closingTags[t.format] + " without an opening tag: what stands before it" + notFiltered)
		return
	}
	end, balanced := c.sectionEnd(i)
	switch {
	case balanced:
		c.cut(i, end)
	case c.f.redactUnclosed:
		c.report.warn("unclosed " + openingTags[t.format] + ": all that follows was hidden")
		c.cutAll(t.start)
	case end > i:
		c.report.warn("unclosed " + openingTags[t.format] + ": hidden up to the last " + closingTags[t.format])
		c.cut(i, end)
	default:
		c.report.warn("unclosed " + openingTags[t.format] + ": content" + notFiltered)
	}
}

// sectionEnd returns the tag that ends the section of tag i; i itself if none does.
func (c *cutter) sectionEnd(i int) (end int, balanced bool) {
	format := c.tags[i].format
	if c.last[format] < i {
		return i, false
	}
	depth := 0
	for j := i; j <= c.last[format]; j++ {
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
	return c.last[format], false
}

// cut takes out what stands from tag i to tag j.
func (c *cutter) cut(i, j int) {
	from, to := c.tags[i], c.tags[j]
	marker := c.f.marker
	if blank(c.s[from.end:to.start]) {
		marker = ""
	} else {
		c.report.private()
	}
	c.replace(from.start, to.end, marker)
}

func (c *cutter) cutAll(start int) {
	c.report.private()
	c.replace(start, len(c.s), c.f.marker)
}

func (c *cutter) replace(start, end int, marker string) {
	c.kept.WriteString(c.s[c.copied:start])
	c.kept.WriteString(c.f.hidden(c.s[start:end], marker))
	c.at, c.copied = end, end
}
