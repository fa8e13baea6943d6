package exchange

import (
	"path"
	"slices"
	"strings"

	"memctl/text"
)

// record is an architecture decision record in the making of a decision.
type record struct {
	title, status, date string
	tags                []string
	context, decision   []string
	drivers             []string
	options             []string
	weighed             map[string][]string // arguments by option
	consequences        []string
	links               []link
}

// part is what a section of a record holds, as words.yaml names it.
type part string

const (
	noPart           part = "" // that a heading names
	contextPart      part = "context"
	decisionPart     part = "decision"
	driversPart      part = "drivers"
	optionsPart      part = "options"
	weighedPart      part = "weighed"
	consequencesPart part = "consequences"
	linksPart        part = "links"
	statusPart       part = "status"
	datePart         part = "date"
)

// partOf returns the part that a heading names.
func partOf(title string) part {
	title = headingKey(title)
	for p, titles := range words().Parts {
		if slices.Contains(titles, title) {
			return p
		}
	}
	return noPart
}

func headingKey(title string) string {
	return strings.TrimSpace(strings.TrimRight(text.Lower(unmarked(title)), ":"))
}

// add takes in a section by its heading, or by the next above it that names a part. What
// no field is for goes to the context.
func (rec *record) add(s section) {
	own := partOf(s.title)
	p := own
	for i := len(s.trail) - 1; i >= 0 && p == noPart; i-- {
		p = partOf(s.trail[i])
	}
	switch {
	case s.level <= 1 && own == noPart:
		if s.level == 1 && rec.title == "" {
			rec.title = s.title
		} else if s.level == 1 && s.title != rec.title {
			rec.context = append(rec.context, s.title)
		}
		rec.head(s.blocks)
	case own == statusPart:
		rec.setStatus(joined(s.blocks))
	case own == datePart:
		rec.setDate(joined(s.blocks))
	case own == weighedPart:
		rec.context = append(rec.context, texts(s.blocks)...)
	case p == consequencesPart:
		if key := headingKey(s.title); key == "more information" || key == "notes" {
			rec.linksIn(joined(s.blocks))
		}
		rec.consequences = append(rec.consequences, headed(s, headingKey(s.title) == "consequences")...)
	case p == decisionPart:
		rec.decision = append(rec.decision, headed(s, own == p)...)
	case p == driversPart:
		rec.drivers = append(rec.drivers, headed(s, own == p)...)
	case own == optionsPart:
		rec.optionList(s)
	case p == optionsPart, p == weighedPart:
		same := func(option string) bool { return option == s.title || sameOption(option, s.title) }
		if p == optionsPart || !slices.ContainsFunc(rec.options, same) {
			rec.options = append(rec.options, s.title)
		}
		rec.weighed[s.title] = append(rec.weighed[s.title], texts(s.blocks)...)
	case p == linksPart:
		rec.linkList(s, own == noPart)
	default:
		rec.context = append(rec.context, headed(s, own == contextPart)...)
	}
}

// setStatus and setDate keep the first; another stays in the context.
func (rec *record) setStatus(stated string) {
	if rec.status == "" {
		rec.status = stated
	} else {
		rec.context = append(rec.context, "Status: "+stated)
	}
	rec.linksIn(stated)
}

func (rec *record) setDate(stated string) {
	if rec.date == "" {
		rec.date = stated
	} else {
		rec.context = append(rec.context, "Date: "+stated)
	}
}

// headed returns the texts of a section. Its heading stands before each unless it is plain:
// it says no more than the field does.
func headed(s section, plain bool) []string {
	lines := texts(s.blocks)
	if plain || s.title == "" {
		return lines
	}
	title := s.title
	switch text.Lower(title) {
	case "positive consequences", "positive":
		title = "Good"
	case "negative consequences", "negative":
		title = "Bad"
	}
	if len(lines) == 0 {
		return []string{title}
	}
	for i := range lines {
		lines[i] = title + ": " + lines[i]
	}
	return lines
}

func texts(list []block) []string {
	var lines []string
	for _, b := range list {
		lines = append(lines, b.text)
	}
	return lines
}

var metaLine = expression{source: `(?i)^(status|date|tags)\s*:\s*(.*)$`}

// head takes in what stands between the title and the first heading.
func (rec *record) head(list []block) {
	for _, b := range list {
		for line := range strings.SplitSeq(b.text, "\n") {
			m := metaLine.re().FindStringSubmatch(line)
			switch {
			case m == nil:
				rec.context = append(rec.context, line)
			case strings.EqualFold(m[1], "status"):
				rec.setStatus(m[2])
			case strings.EqualFold(m[1], "date"):
				rec.setDate(m[2])
			default:
				rec.tags = append(rec.tags, stringsOf(m[2])...)
			}
		}
	}
}

// optionList takes in the options, each an item of a list.
func (rec *record) optionList(s section) {
	for _, b := range s.blocks {
		if b.kind != bullet && b.kind != numbered {
			rec.context = append(rec.context, b.text)
			continue
		}
		first, rest, found := strings.Cut(b.text, "\n")
		option := strings.TrimSpace(first)
		rec.options = append(rec.options, option)
		if found {
			rec.weighed[option] = append(rec.weighed[option], nonEmptyLines(rest)...)
		}
	}
}

var recordRef = expression{source: `(?i)\bADR[- ]?0*(\d{1,5})\b`}

// linkList takes in links. What leads to no record stays as it is.
func (rec *record) linkList(s section, titled bool) {
	if titled {
		rec.consequences = append(rec.consequences, "See: "+s.title)
	}
	for _, b := range s.blocks {
		before := len(rec.links)
		rec.linksIn(b.text)
		if len(rec.links) == before {
			rec.consequences = append(rec.consequences, "See: "+b.text)
		}
	}
}

// linksIn finds the other records that a text leads to. A link is of the last kind that
// is named before it.
func (rec *record) linksIn(phrase string) {
	for line := range strings.SplitSeq(phrase, "\n") {
		rest := line
		kind := "related to"
		for {
			at := linkTo.re().FindStringSubmatchIndex(rest)
			if at == nil {
				break
			}
			kind = lastRelation(rest[:at[0]], kind)
			if target := rest[at[4]:at[5]]; isMarkdown(strings.SplitN(target, "#", 2)[0]) {
				rec.links = append(rec.links, link{kind, path.Base(strings.SplitN(target, "#", 2)[0])})
			} else {
				rec.consequences = append(rec.consequences, "See: "+rest[at[2]:at[3]]+" "+target)
			}
			rest = rest[at[1]:]
		}
		if rest == line {
			if m := recordRef.re().FindStringSubmatchIndex(line); m != nil {
				rec.links = append(rec.links, link{lastRelation(line[:m[0]], kind), "adr " + line[m[2]:m[3]]})
			}
		}
	}
}

func lastRelation(before, kind string) string {
	if found := words().Relation.FindAllString(before, -1); len(found) > 0 {
		return text.Lower(found[len(found)-1])
	}
	return kind
}
