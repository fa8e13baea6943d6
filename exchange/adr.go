package exchange

import (
	"path"
	"slices"
	"strings"
	"time"

	"memctl/schemas"
	"memctl/text"
)

// readADRs reads architecture decision records: MADR 2 to 4, Nygard's form, which adr-tools
// writes, and log4brains. Each record becomes a decision.
func readADRs(r *reader) error {
	files, err := r.list(isMarkdown, nil)
	if err != nil {
		return err
	}
	return r.each(files, r.adr)
}

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

// The headings of records, in lower case.
var (
	contextHeadings     = []string{"context", "context and problem statement", "problem", "problem statement", "background", "issue", "motivation"}
	decisionHeadings    = []string{"decision", "decision outcome", "outcome", "solution", "resolution"}
	driverHeadings      = []string{"decision drivers", "drivers", "rationale", "justification", "forces", "decision criteria", "why", "reasons", "argument"}
	optionHeadings      = []string{"considered options", "options considered", "options", "alternatives", "alternatives considered", "considered alternatives", "positions"}
	weighedHeadings     = []string{"pros and cons of the options", "pros and cons", "options in detail"}
	consequenceHeadings = []string{"consequences", "positive consequences", "negative consequences", "implications", "positive", "negative", "neutral", "risks", "confirmation", "validation", "more information", "notes"}
	linkHeadings        = []string{"links", "related decisions", "related", "references", "related requirements", "see also"}
)

func (r *reader) adr(f *file) error {
	if strings.Contains(strings.ToLower(path.Base(f.path)), "template") {
		return r.leaveOut(f.origin, 0, strings.TrimSpace(f.text), "a template")
	}
	meta, body, first := cutFront(f.text)
	rec := record{weighed: map[string][]string{}}
	rec.title = meta.take("title")
	rec.status = meta.take("status")
	rec.date = meta.take("date", "created", "issued")
	rec.tags = meta.takeList("tags", "tag", "categories")
	if rec.status != "" {
		rec.linksIn(rec.status)
	}
	all := blocks(body, first)
	list := sections(all)
	if !slices.ContainsFunc(list, func(s section) bool { return isOne(s.title, decisionHeadings) || isOne(s.title, contextHeadings) }) {
		return r.leaveOut(f.origin, 0, strings.TrimSpace(f.text), "no architecture decision record: it has neither a context nor a decision")
	}
	var comments []string
	for _, s := range list {
		for _, b := range s.blocks {
			if b.kind == comment {
				comments = append(comments, b.text)
			}
		}
		s.blocks = slices.DeleteFunc(slices.Clone(s.blocks), func(b block) bool { return b.kind == comment })
		rec.add(s)
	}
	if len(comments) > 0 {
		if err := r.leaveOut(f.origin, 0, strings.Join(comments, "\n"), "comments"); err != nil {
			return err
		}
	}
	for _, line := range meta.lines() {
		rec.context = append(rec.context, strings.ToUpper(line[:1])+line[1:])
	}
	if rec.title == "" {
		rec.title = strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
	}
	title := number.re().ReplaceAllString(strings.ReplaceAll(unmarked(rec.title), "`", ""), "")
	when, _ := schemas.ParseTime(strings.TrimSpace(rec.date))
	if when.IsZero() {
		when, _ = time.Parse("2006/01/02", strings.TrimSpace(rec.date))
	}
	d := draft{category: schemas.Decision, title: title, tags: append(rec.tags, "adr"), content: rec.content(f), when: when,
		text: f.text, name: strings.Join(recordNames(f.path), "\n"), links: rec.links}
	if related := r.src.inProject(f.path); related != "" {
		d.files = []string{related}
	}
	return r.draft(f, "", 0, d)
}

var (
	number     = expression{source: `(?i)^\s*(?:(?:ADR[ -]?)?\d+\s*[.:)–—-]+\s+|ADR[ -]?\d+\s+)`}
	fileNumber = expression{source: `(?i)(?:^|[^\d])0*(\d{1,5})(?:$|[^\d])`}
	metaLine   = expression{source: `(?i)^(status|date|tags|deciders|decision-makers|technical story|consulted|informed|author|authors|approver|approvers)\s*:\s*(.*)$`}
)

// recordNames are the names by which other records link to one.
func recordNames(name string) []string {
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	names := []string{stem, path.Base(name)}
	if m := fileNumber.re().FindStringSubmatch(stem); m != nil {
		names = append(names, "adr "+m[1])
	}
	return names
}

func isOne(title string, headings []string) bool {
	return slices.Contains(headings, strings.TrimSpace(strings.TrimRight(text.Lower(unmarked(title)), ":")))
}

// add takes in a section by its heading. What no field is for goes to the context.
func (rec *record) add(s section) {
	in := func(headings []string) bool {
		return isOne(s.title, headings) || !isKnown(s.title) && slices.ContainsFunc(s.trail, func(t string) bool { return isOne(t, headings) })
	}
	switch {
	case s.level <= 1 && !isKnown(s.title):
		if s.level == 1 && rec.title == "" {
			rec.title = s.title
		} else if s.level == 1 && s.title != rec.title {
			rec.context = append(rec.context, s.title)
		}
		rec.head(s.blocks)
	case isOne(s.title, []string{"status"}):
		said := joined(s.blocks)
		if rec.status == "" {
			rec.status = said
		} else {
			rec.context = append(rec.context, "Status: "+said)
		}
		rec.linksIn(said)
	case isOne(s.title, []string{"date"}):
		rec.date = strings.TrimSpace(joined(s.blocks))
	case !isOne(s.title, weighedHeadings) && in(weighedHeadings):
		option := s.title
		rec.weighed[option] = append(rec.weighed[option], texts(s.blocks)...)
		if !slices.Contains(rec.options, option) && !slices.ContainsFunc(rec.options, func(o string) bool { return sameOption(o, option) }) {
			rec.options = append(rec.options, option)
		}
	case isOne(s.title, weighedHeadings):
		rec.context = append(rec.context, texts(s.blocks)...)
	case in(consequenceHeadings):
		if isOne(s.title, []string{"more information", "notes"}) {
			rec.linksIn(joined(s.blocks))
		}
		rec.consequences = append(rec.consequences, headed(s, consequenceHeadings[:1])...)
	case in(decisionHeadings):
		rec.decision = append(rec.decision, headed(s, decisionHeadings)...)
	case in(driverHeadings):
		rec.drivers = append(rec.drivers, headed(s, driverHeadings)...)
	case in(optionHeadings):
		rec.optionList(s)
	case in(linkHeadings):
		if !isOne(s.title, linkHeadings) {
			rec.consequences = append(rec.consequences, "See: "+s.title)
		}
		for _, b := range s.blocks {
			before := len(rec.links)
			rec.linksIn(b.text)
			if len(rec.links) == before {
				rec.consequences = append(rec.consequences, "See: "+b.text)
			}
		}
	default:
		rec.context = append(rec.context, headed(s, contextHeadings)...)
	}
}

// isKnown reports whether a heading is one of those of a record.
func isKnown(title string) bool {
	return slices.ContainsFunc([][]string{contextHeadings, decisionHeadings, driverHeadings, optionHeadings, weighedHeadings, consequenceHeadings, linkHeadings, {"status", "date"}},
		func(headings []string) bool { return isOne(title, headings) })
}

// headed returns the texts of a section, with the heading before those whose heading says
// more than the field does.
func headed(s section, plain []string) []string {
	said := texts(s.blocks)
	if isOne(s.title, plain) || s.title == "" {
		return said
	}
	title := s.title
	switch text.Lower(title) {
	case "positive consequences", "positive":
		title = "Good"
	case "negative consequences", "negative":
		title = "Bad"
	}
	if len(said) == 0 {
		return []string{title}
	}
	for i := range said {
		said[i] = title + ": " + said[i]
	}
	return said
}

func texts(list []block) []string {
	var said []string
	for _, b := range list {
		said = append(said, b.text)
	}
	return said
}

// head takes in what stands between the title and the first heading.
func (rec *record) head(list []block) {
	for _, b := range list {
		for line := range strings.SplitSeq(b.text, "\n") {
			m := metaLine.re().FindStringSubmatch(line)
			switch {
			case m == nil:
				rec.context = append(rec.context, line)
			case strings.EqualFold(m[1], "status"):
				rec.status = m[2]
				rec.linksIn(m[2])
			case strings.EqualFold(m[1], "date"):
				rec.date = m[2]
			case strings.EqualFold(m[1], "tags"):
				rec.tags = append(rec.tags, stringsOf(m[2])...)
			default:
				rec.context = append(rec.context, line)
			}
		}
	}
}

// optionList takes in the options, each an item of a list or a heading.
func (rec *record) optionList(s section) {
	if !isOne(s.title, optionHeadings) {
		option := s.title
		rec.options = append(rec.options, option)
		rec.weighed[option] = append(rec.weighed[option], texts(s.blocks)...)
		return
	}
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

var (
	recordRef = expression{source: `(?i)\bADR[- ]?0*(\d{1,5})\b`}
	relation  = expression{source: `(?i)\b(superseded by|supersedes|supercedes|superceded by|replaced by|replaces|amended by|amends|refined by|refines|clarified by|clarifies|depends on|required by|requires|extends|conflicts with|relates to|related to|see also)\b`}
)

// linksIn finds the other records that a text leads to. A link is of the last kind that
// is named before it.
func (rec *record) linksIn(said string) {
	for line := range strings.SplitSeq(said, "\n") {
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
	if found := relation.re().FindAllString(before, -1); len(found) > 0 {
		return text.Lower(found[len(found)-1])
	}
	return kind
}

// statuses are the words of records for a decision's status.
var statuses = []struct{ word, status, note string }{
	{"supersede", "superseded", ""}, {"supercede", "superseded", ""}, {"replaced", "superseded", ""},
	{"deprecated", "deprecated", ""}, {"rejected", "deprecated", "The proposal was rejected."}, {"declined", "deprecated", "The proposal was declined."},
	{"accepted", "accepted", ""}, {"approved", "accepted", ""}, {"decided", "accepted", ""}, {"implemented", "accepted", ""}, {"adopted", "accepted", ""},
	{"proposed", "proposed", ""}, {"draft", "proposed", ""}, {"pending", "proposed", ""}, {"open", "proposed", ""}, {"review", "proposed", ""},
}

var (
	chosen  = expression{source: `(?is)chosen option:\s*["“'*]*(.+?)["”'*]*\s*(?:,|;|\n|\.?$)\s*(?:because\b|as\b|since\b)?\s*:?\s*(.*)`}
	because = expression{source: `(?i)\b(because|since|so that|in order to|due to)\b`}
)

// content returns the record as the content of a decision.
func (rec *record) content(f *file) map[string]any {
	status, note := "accepted", ""
	for _, s := range statuses {
		// "superseded by", and not "supersedes", which says nothing of this record
		if word := text.Lower(rec.status); strings.Contains(word, s.word) && !(s.word == "supersede" && !strings.Contains(word, "superseded")) {
			status, note = s.status, s.note
			break
		}
	}
	if plain := strings.Fields(rec.status); len(plain) > 1 {
		rec.context = append(rec.context, "Status: "+rec.status)
	}
	decision := strings.Join(rec.decision, "\n")
	rationale, alternatives := rec.reasons(decision)
	if len(rationale) == 0 {
		rationale = []string{"The record " + path.Base(f.path) + " gives no reasons beyond its context."}
	}
	if strings.TrimSpace(decision) == "" {
		decision = rec.title
	}
	made := map[string]any{"status": status, "context": strings.Join(rec.context, "\n"), "decision": decision, "rationale": list(rationale)}
	if len(alternatives) > 0 {
		made["alternatives"] = alternatives
	}
	if note != "" {
		rec.consequences = append(rec.consequences, note)
	}
	if len(rec.consequences) > 0 {
		made["consequences"] = list(rec.consequences)
	}
	return made
}

// reasons returns why the decision was made, and what else was considered.
func (rec *record) reasons(decision string) (rationale []string, alternatives []any) {
	option := ""
	if m := chosen.re().FindStringSubmatch(decision); m != nil {
		option = strings.TrimSpace(unmarked(m[1]))
		rationale = append(rationale, nonEmptyLines(strings.Trim(m[2], " .,"))...)
	} else {
		for line := range strings.SplitSeq(decision, "\n") {
			if because.re().MatchString(line) {
				rationale = append(rationale, line)
			}
		}
	}
	for _, driver := range rec.drivers {
		rationale = append(rationale, "Driver: "+driver)
	}
	for _, other := range rec.options {
		arguments := rec.argumentsOf(other)
		if option != "" && sameOption(other, option) {
			rationale = append(rationale, arguments...)
			continue
		}
		why := strings.Join(arguments, "; ")
		if why == "" {
			why = "Why it was not chosen is not stated."
		}
		alternatives = append(alternatives, map[string]any{"option": other, "rejected_reason": why})
	}
	return rationale, alternatives
}

func (rec *record) argumentsOf(option string) []string {
	var said []string
	for name, arguments := range rec.weighed {
		if name == option || sameOption(name, option) {
			said = append(said, arguments...)
		}
	}
	return said
}

// sameOption compares options, which are often shortened where they are named again.
func sameOption(a, b string) bool {
	a, b = optionWords(a), optionWords(b)
	return a != "" && b != "" && (a == b || strings.HasPrefix(a+" ", b+" ") || strings.HasPrefix(b+" ", a+" "))
}

func optionWords(option string) string {
	words := strings.FieldsFunc(text.Lower(unmarked(option)), func(r rune) bool { return !isWordRune(r) && r != '.' && r != '+' && r != '#' })
	if len(words) > 1 && (words[0] == "option" || words[0] == "alternative") {
		words = words[1:]
	}
	return strings.Join(words, " ")
}
