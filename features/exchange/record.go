package exchange

import (
	"cmp"
	"slices"
	"strings"

	"memctl/text"
)

// record is an architecture decision record in the making of a decision.
type record struct {
	title, date, updated string
	statuses, tags       []string
	summary, context     []string
	decision, drivers    []string
	options              []option
	optionLevel          int  // of the headings that name options, 0 before the first
	listed               bool // the options stand in a list, before the headings that weigh them
	consequences         []string
	links                []link
	statement, abstract  []string // of the decision and the summary, without headings and code
	won                  []int    // the options that were chosen, none if that is not sure
	why                  string   // they were
	begun                bool     // its first heading was seen
}

// option is an option that a record considered.
type option struct {
	name      string
	number    string // or a letter, "" for none
	arguments []string
	marked    bool // as the one that was chosen
	other     bool // it stands among the alternatives to what was chosen
}

// part is the kind of a section or a field of a record, as words.yaml names it.
type part string

const (
	noPart           part = "" // that a heading names
	summaryPart      part = "summary"
	contextPart      part = "context"
	decisionPart     part = "decision"
	driversPart      part = "drivers"
	optionsPart      part = "options"
	alternativesPart part = "alternatives"
	weighedPart      part = "weighed"
	consequencesPart part = "consequences"
	linksPart        part = "links"
	headPart         part = "head"
	statusPart       part = "status"
	datePart         part = "date"
	updatedPart      part = "updated"
	titlePart        part = "title"
	tagsPart         part = "tags"
)

// partOf returns the part that a heading or a field names.
func partOf(title string) part {
	title = headingKey(title)
	outer, inner, _ := strings.Cut(strings.TrimSuffix(title, ")"), " (") // in two languages
	for _, key := range []string{title, outer, inner} {
		for p, titles := range words().Parts {
			if key != "" && slices.Contains(titles, key) {
				return p
			}
		}
	}
	return noPart
}

// subject is the subject of a text, if it is emphasised or code.
var subject = expression{source: "^(?:`[^`]+`|\\*\\*[^*]+\\*\\*)"}

var headingNumber = expression{source: `^(?:\d+(?:\.\d+)*[.)]?|[ivx]+\.)\s+|<[^>]*>|\s*\((?:optional|required)\)$`}

func headingKey(title string) string {
	title = headingNumber.re().ReplaceAllString(text.Lower(text.Unmarked(title)), "")
	return strings.Trim(strings.NewReplacer("-", " ", "_", " ", "`", "").Replace(title), " :")
}

// weighs reports whether a part is about options.
func (p part) weighs() bool { return p == optionsPart || p == alternativesPart || p == weighedPart }

// add takes in a section by its heading, or by the next above it that names a part. What
// no field is for goes to the context.
func (rec *record) add(s section) {
	own := partOf(s.title)
	p, first := own, s.level > 0 && !rec.begun
	rec.begun = rec.begun || first
	rec.undone(s.title)
	if s.level == 0 || first {
		rec.undone(strings.Join(texts(s.blocks), "\n"))
	}
	for _, above := range slices.Backward(s.trail) {
		if outer := partOf(above); p == noPart || outer.weighs() && !own.weighs() {
			p = outer
		}
	}
	switch {
	case s.level == 0 || first && p == noPart:
		if rec.title == "" && !words().Undone.MatchString(s.title) {
			rec.title = s.title
		} else if s.title != rec.title {
			rec.context = append(rec.context, s.title)
		}
		rec.head(s.blocks)
	case own == headPart:
		rec.head(s.blocks)
	case own == statusPart && !p.weighs():
		ticked := slices.DeleteFunc(slices.Clone(s.blocks), func(b block) bool { return b.open })
		if stated := joined(ticked); len(stated) <= maxStatus {
			rec.setStatus(stated)
		} else {
			rec.context = append(rec.context, headed(s, false)...)
		}
	case (own == datePart || own == updatedPart) && !p.weighs():
		rec.field(own, s.title, joined(s.blocks))
	case own == weighedPart:
		rec.optionLevel = 0
		rec.context = append(rec.context, texts(s.blocks)...)
	case own.weighs():
		rec.optionLevel = 0
		rec.optionList(s, own == alternativesPart)
	case p.weighs():
		rec.optionSection(s, p)
	case p == summaryPart:
		rec.summary = append(rec.summary, s.body(own == p)...)
		rec.abstract = append(rec.abstract, prose(s.blocks)...)
	case p == consequencesPart:
		if key := headingKey(s.title); key == "more information" || key == "notes" {
			rec.linksIn(joined(s.blocks), related)
		}
		rec.consequences = append(rec.consequences, headed(s, headingKey(s.title) == "consequences")...)
	case p == decisionPart:
		rec.decision = append(rec.decision, s.body(own == p)...)
		if own == p || len(rec.statement)+len(rec.summary) == 0 { // below it there may be anybody's story
			rec.statement = append(rec.statement, prose(s.blocks)...)
		}
	case p == driversPart:
		rec.drivers = append(rec.drivers, headed(s, own == p)...)
	case p == linksPart:
		rec.linkList(s, own == noPart)
	default:
		rec.context = append(rec.context, s.body(own == contextPart)...)
	}
}

func (rec *record) undone(phrase string) {
	if match := words().Undone.FindString(text.Unmarked(phrase)); match != "" {
		rec.setStatus(match)
	}
}

// related is the kind of a link of which nothing is said.
const related = "related to"

// maxStatus is how long a status is, in bytes. A longer text explains what statuses there are.
const maxStatus = 600

// setStatus takes in a status. The others stay: what was accepted may have been superseded.
func (rec *record) setStatus(stated string) {
	if stated = withoutChoices(stated); stated != "" {
		rec.statuses = append(rec.statuses, stated)
		only := record{statuses: []string{stated}}
		status, _, _ := only.status()
		rec.linksIn(stated, pick(status == "superseded", "superseded by", related))
	}
}

// front takes in what the front matter says, or kep.yaml.
func (rec *record) front(meta front) {
	for _, key := range meta.keys() {
		if p := partOf(key); p != noPart || words().Succession.MatchString(headingKey(key)) {
			list := meta.takeList(key)
			if p == tagsPart {
				rec.tags = append(rec.tags, list...)
			} else if len(list) > 0 && !rec.field(p, key, strings.Join(list, ", ")) {
				meta[key] = list
			}
		}
	}
}

// field takes in a field of a record. It returns false for one that it has no place for.
func (rec *record) field(p part, key, value string) bool {
	value = strings.TrimSpace(value)
	switch key = headingKey(key); {
	case p == statusPart:
		rec.setStatus(value)
	case p == datePart && rec.date == "":
		rec.date = value
	case p == updatedPart && rec.updated == "":
		rec.updated = value
	case p == titlePart && rec.title == "":
		rec.title = value
	case p == tagsPart:
		rec.tags = append(rec.tags, stringsOf(value)...)
	case slices.Contains(words().Nothing, text.Lower(value)):
	case words().Succession.MatchString(key) && strings.HasSuffix(key, "s"):
		rec.linksIn(key+" "+value, related)
		rec.context = append(rec.context, capital(key)+": "+value)
	case words().Succession.MatchString(key):
		rec.setStatus(key + " " + value)
	default:
		return false
	}
	return true
}

// headed returns the texts of a section. Its heading stands before each unless it is plain:
// it says no more than the field does.
func headed(s section, plain bool) []string {
	lines := texts(s.blocks)
	if plain || s.title == "" {
		return lines
	}
	title := cmp.Or(argumentOf(s.title), s.title)
	if len(lines) == 0 {
		return []string{title}
	}
	for i := range lines {
		lines[i] = title + ": " + lines[i]
	}
	return lines
}

// body returns the blocks of a section as Markdown. Its heading stands before the first unless it is plain.
func (s section) body(plain bool) []string {
	var lines []string
	for _, b := range s.blocks {
		lines = append(lines, text.Breaks(b.marked()))
	}
	switch {
	case plain || s.title == "":
	case len(lines) > 0 && s.blocks[0].kind == paragraph:
		lines[0] = s.title + ": " + lines[0]
	default:
		lines = append([]string{s.title}, lines...)
	}
	return lines
}

// decided returns the decision as Markdown.
func (rec *record) decided() string { return apart(rec.decision) }

// apart joins paragraphs and the items of lists.
func apart(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if items := i > 0 && strings.HasPrefix(line, "- ") && strings.HasPrefix(lines[i-1], "- "); i > 0 {
			b.WriteString(pick(items, "\n", "\n\n"))
		}
		b.WriteString(line)
	}
	return b.String()
}

// argumentOf says on which side the arguments below a heading are, "" for neither.
func argumentOf(title string) string {
	switch key := headingKey(title); {
	case slices.Contains(words().Good, key):
		return "Good"
	case slices.Contains(words().Bad, key):
		return "Bad"
	}
	return ""
}

func texts(list []block) []string {
	var lines []string
	for _, b := range list {
		lines = append(lines, strings.TrimSpace(b.text))
	}
	return lines
}

func prose(list []block) []string {
	lines := texts(slices.DeleteFunc(slices.Clone(list), func(b block) bool { return b.kind == code }))
	for i := range lines {
		lines[i] = text.Breaks(lines[i])
	}
	return lines
}

var metaLine = expression{source: `^(?:\|\s*)?[*_]*([\pL][\pL _-]{1,30}?)[*_]*\s*(?::[*_]*|\|)\s*(.*?)[\s|]*$`}

// bareDate is a date without a colon.
var bareDate = expression{source: `^\W*Date\s+`}

// head takes in what stands between the title and the first heading: fields, and text.
func (rec *record) head(list []block) {
	for _, b := range list {
		for line := range strings.SplitSeq(b.text, "\n") {
			m := metaLine.re().FindStringSubmatch(bareDate.re().ReplaceAllString(line, "Date: "))
			if m == nil || !rec.field(partOf(m[1]), m[1], m[2]) {
				rec.context = append(rec.context, line)
			}
		}
	}
}

// optionList takes in the options, each an item of a list.
func (rec *record) optionList(s section, other bool) {
	before := len(rec.options)
	for _, b := range s.blocks {
		switch {
		case b.kind != bullet && b.kind != numbered:
			rec.context = append(rec.context, b.text)
			continue
		case b.kind == bullet && s.blocks[0].kind == numbered && len(rec.options) > before: // below a number
			last := &rec.options[len(rec.options)-1]
			last.arguments = append(last.arguments, b.text)
			continue
		case argumentOf(strings.TrimRight(firstLine(b.text), ": ")) != "": // for or against, and of which is not said
			rec.context = append(rec.context, b.text)
			continue
		}
		first, rest, _ := strings.Cut(b.text, "\n")
		o := rec.option(first, other)
		o.arguments = append(o.arguments, nonEmptyLines(rest)...)
	}
}

// optionSection takes in a section among the options: one of them, or arguments on the last.
func (rec *record) optionSection(s section, p part) {
	if p == weighedPart && rec.optionLevel == 0 {
		rec.listed = len(rec.options) > 0
	}
	within := len(rec.options) > 0 && rec.optionLevel > 0 && s.level > rec.optionLevel
	argument := argumentOf(s.title) != "" || slices.Contains(words().Details, headingKey(s.title))
	switch {
	case within || argument && len(rec.options) > 0:
		o := &rec.options[len(rec.options)-1]
		o.arguments = append(o.arguments, headed(s, false)...)
	case argument, p == weighedPart && rec.listed && len(rec.likest(optionWords(s.title), 1)) == 0:
		rec.context = append(rec.context, headed(s, false)...) // on none of those that were listed
	default:
		rec.optionLevel = s.level
		name := s.title
		if like := rec.likest(optionWords(name), 1); p == weighedPart && rec.listed && len(like) == 1 {
			name = rec.options[like[0]].name
		}
		o := rec.option(name, p == alternativesPart)
		o.arguments = append(o.arguments, texts(s.blocks)...)
	}
}

var (
	optionText = expression{source: `(?s)^(\*\*.+?\*\*|[^–—]{3,80}?)(?:\s*[–—]\s+|\s+-\s+|\s*:\s+)(.+)$`}
	tag        = expression{source: `<[a-zA-Z/][^>]*>`}
)

// option returns the option of a name, a new one unless the record has it. It is then the last.
func (rec *record) option(label string, other bool) *option {
	name, explanation := linkTo.re().ReplaceAllString(label, "$1"), ""
	if m := optionText.re().FindStringSubmatch(name); m != nil &&
		(strings.HasSuffix(m[1], "*") || strings.ContainsAny(name, "–—")) {
		name, explanation = m[1], m[2]
	}
	name = words().ChosenLabel.ReplaceAllString(tag.re().ReplaceAllString(text.Unmarked(name), ""), "")
	o := option{name: strings.TrimSpace(name), other: other, marked: words().ChosenMark.MatchString(label)}
	if m := words().OptionNumber.FindStringSubmatch(text.Unmarked(label)); m != nil {
		o.number = text.Lower(m[1] + m[2])
	}
	for _, m := range linkTo.re().FindAllStringSubmatch(label, -1) {
		o.arguments = append(o.arguments, "See: "+m[2])
	}
	at := slices.IndexFunc(rec.options, func(other option) bool {
		return sameOption(other.name, label) || sameOption(other.name, o.name)
	})
	if o.name == "" {
		o.name = label
	}
	if at >= 0 {
		option := rec.options[at]
		if len(label) > len(option.name) && explanation == "" {
			option.arguments = append(option.arguments, label)
		}
		option.marked, option.number = option.marked || o.marked, cmp.Or(option.number, o.number)
		option.arguments = append(option.arguments, o.arguments...)
		o = option
		rec.options = slices.Delete(rec.options, at, at+1)
	}
	if explanation != "" {
		o.arguments = append(o.arguments, explanation)
	}
	rec.options = append(rec.options, o)
	return &rec.options[len(rec.options)-1]
}

// titleOf returns a title that says what was decided. Where the record's own is a question or
// a subject, the option that was chosen or the decision's first sentence follows.
func (rec *record) titleOf(name string) string {
	title := strings.TrimSpace(tag.re().ReplaceAllString(strings.ReplaceAll(text.Unmarked(rec.title), "`", ""), ""))
	title = strings.TrimSpace(anchor.re().ReplaceAllString(title, ""))
	for range 2 {
		title = number.re().ReplaceAllString(title, "")
	}
	if m := fileNumber.re().FindStringSubmatch(recordStem(name)); m != nil {
		if rest := strings.TrimLeft(title, "0"); strings.HasPrefix(rest, m[1]+" ") {
			title = rest[len(m[1])+1:]
		}
	}
	summary, proposes := firstSaid(rec.abstract)
	statement, decides := firstSaid(rec.statement)
	opens, begins := firstSaid(rec.statement[:min(1, len(rec.statement))])
	if strong := subject.re().FindString(strings.Join(rec.statement, "\n")); strings.HasPrefix(strong, "**") &&
		(strings.HasSuffix(strong, ".**") && len(strings.Fields(strong)) > 4 || len(strings.Fields(strong)) > 7) {
		statement, decides, opens, begins = plainSentence(strong), true, plainSentence(strong), true
	}
	statement = strings.TrimRight(words().Dangling.ReplaceAllString(statement, ""), " ,")
	if proposes && !decides {
		statement = summary
	}
	if title == "" || words().Untitled.MatchString(title) || !strings.Contains(title, " ") &&
		strings.ContainsAny(title, "_-") {
		if title = shortened(cmp.Or(pick(begins, opens, ""), summary, statement), titleLength); title != "" {
			return title
		}
		title = strings.NewReplacer("-", " ", "_", " ").Replace(fileDate.re().ReplaceAllString(recordStem(name), ""))
		title = capital(strings.TrimLeft(title, "0123456789 "))
	}
	_, rest, _ := strings.Cut(title, ": ")
	acts := func(s string) bool { return s != "" && words().Verbs.MatchString(s) && !isNoun(s) }
	asks := words().Asks.MatchString(title)
	if (acts(title) || acts(rest) || words().Says.MatchString(title)) && !asks {
		return fitted(title, titleLength)
	}
	choice := rec.choice()
	if choice == "" && !asks && (words().Acting.MatchString(title) || len(strings.Fields(statement)) < 4) {
		return fitted(title, titleLength)
	}
	statement = cmp.Or(choice, statement)
	topic := strings.TrimRight(title, "?.: ")
	statement = cmp.Or(statement, summary)
	if statement == "" || covers(topic, statement) && !words().Asks.MatchString(title) {
		return fitted(title, titleLength)
	}
	room := titleLength - len([]rune(topic)) - 2
	with := func(rest string) string { return pick(rest == "", "", topic+": "+rest) }
	return cmp.Or(with(clause(statement, room)), clause(statement, titleLength), with(shortened(statement, room)),
		fitted(title, titleLength))
}

// choice returns the option that was chosen, "" if that is not sure.
func (rec *record) choice() string {
	name := ""
	if len(rec.won) == 1 {
		name = rec.options[rec.won[0]].name
	} else if at := words().ChosenOption.FindStringSubmatchIndex(rec.decided()); at != nil {
		line := firstLine(rec.decided()[at[2]:])
		if m := quotedOption.re().FindStringSubmatch(line); m != nil && strings.HasPrefix(line, m[0]) {
			name = m[1]
		}
	}
	name = strings.ReplaceAll(words().OptionLabel.ReplaceAllString(name, ""), "`", "")
	name = strings.TrimSpace(chapter.re().ReplaceAllString(strings.Trim(name, `"'[]“”* `), ""))
	return pick(len(optionWords(name)) > 2, name, "")
}

// firstSaid returns the first sentence of some text that says what is done, else the first that says
// something by itself.
func firstSaid(lines []string) (first string, does bool) {
	n := 0
	for i, line := range lines {
		line = words().ChosenLead.ReplaceAllString(text.Unmarked(line), "")
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "|") {
			continue
		}
		for _, sentence := range sentencesOf(flowing(line)) {
			leads := strings.HasSuffix(sentence, ":") && len(strings.Fields(sentence)) < 6
			if leads && i+1 < len(lines) { // "Adopt a hybrid strategy:", and a list
				if words().Deciding.MatchString(strings.TrimSuffix(sentence, ":") + " ") {
					continue
				}
				sentence += " " + plainSentence(text.Unmarked(lines[i+1]))
			}
			sentence = plainSentence(sentence)
			if at := words().WeDecided.FindStringIndex(sentence); at != nil && words().Opening.MatchString(sentence) {
				sentence = sentence[at[0]+2:]
			}
			if strings.HasPrefix(sentence, "I ") || strings.HasPrefix(sentence, "Note") ||
				words().RefersBack.MatchString(sentence) && !words().OfRecord.MatchString(sentence) &&
					(first != "" || !strings.HasPrefix(sentence, "It ")) {
				continue
			}
			if words().Background.MatchString(sentence) || strings.Contains(sentence, "://") ||
				len(strings.Fields(sentence)) < 3 && len(sentence)-len([]rune(sentence)) < 20 {
				continue
			}
			bare := capital(strings.Trim(words().Deciding.ReplaceAllString(sentence, ""), `"' `))
			if bare != sentence || isImperative(sentence) || words().Does.MatchString(sentence) || first == "" &&
				words().IsOrUses.MatchString(sentence) {
				return bare, true
			}
			if first = cmp.Or(first, bare); n > 5 {
				return first, false
			}
			n++
		}
	}
	return first, false
}

// anchor names a heading for links.
var anchor = expression{source: `\s*\{#[^}]*\}`}

// isOrUses matches a first sentence in the present tense.

// covers reports whether a title has most of the words of what was decided.
func covers(title, statement string) bool {
	in, of, shared := strings.Fields(optionWords(title)), strings.Fields(optionWords(statement)), 0
	for _, word := range of {
		if slices.Contains(in, word) {
			shared++
		}
	}
	return 10*shared >= 7*len(of)
}

// linkList takes in links. What leads to no record stays as it is.
func (rec *record) linkList(s section, titled bool) {
	if titled {
		rec.consequences = append(rec.consequences, "See: "+s.title)
	}
	for _, b := range s.blocks {
		before := len(rec.links)
		rec.linksIn(b.text, related)
		if !slices.ContainsFunc(rec.links[before:], func(l link) bool { return !l.maybe }) {
			rec.consequences = append(rec.consequences, "See: "+b.text)
		}
	}
}

// linksIn finds the other records that a text leads to. A link is of the last kind that
// is named before it, or of the one given if none is.
func (rec *record) linksIn(phrase, kind string) {
	for line := range strings.SplitSeq(phrase, "\n") {
		rest, kind := line, kind
		for {
			at := linkTo.re().FindStringSubmatchIndex(rest)
			if at == nil {
				break
			}
			kind = lastRelation(rest[:at[0]], kind)
			target, _, _ := strings.Cut(rest[at[4]:at[5]], "#")
			rec.links = append(rec.links, link{kind, target, !isMarkdown(target)})
			if !isMarkdown(target) {
				rec.consequences = append(rec.consequences, "See: "+rest[at[2]:at[3]]+" "+rest[at[4]:at[5]])
			}
			rest = rest[at[1]:]
		}
		if links := len(rec.links); rest == line {
			for _, m := range words().RecordRef.FindAllStringSubmatchIndex(line, -1) {
				rec.links = append(rec.links, link{lastRelation(line[:m[0]], kind), "adr " + line[m[2]:m[3]], false})
			}
			line = numberDate.re().ReplaceAllString(dottedDate.re().ReplaceAllString(line, ""), "")
			for _, m := range words().NumberRef.FindAllStringSubmatchIndex(line, -1) {
				if kind := lastRelation(line[:m[1]], kind); links == len(rec.links) &&
					words().Succession.MatchString(kind) {
					rec.links = append(rec.links, link{kind, "adr " + line[max(m[2], m[4]):max(m[3], m[5])], true})
				}
			}
		}
	}
}

func lastRelation(before, kind string) string {
	if relations := words().Relation.FindAllString(before, -1); len(relations) > 0 {
		return text.Lower(relations[len(relations)-1])
	}
	return kind
}
