package exchange

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// record is an architecture decision record in the making of a decision.
type record struct {
	heading, title        string // as its first heading and as a field says it
	date, updated         string
	statuses, tags        []string
	context, decision     []string // Markdown
	reasons, consequences []string
	options               []option
	links                 []link
	begun                 bool // its first heading was seen
}

// option is one of those that a record lists.
type option struct {
	name   string
	number string // or a letter, "" for none
}

// part is the kind of a section or a field of a record, as words.yaml names it.
type part string

const (
	noPart           part = "" // that a heading names
	contextPart      part = "context"
	decisionPart     part = "decision"
	reasonsPart      part = "reasons"
	optionsPart      part = "options"
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

var headingNumber = text.Pattern(`^(?:\d+(?:\.\d+)*[.)]?|[ivx]+\.)\s+|<[^>]*>|\s*\((?:optional|required)\)$`)

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

func headingKey(title string) string {
	title = headingNumber().ReplaceAllString(text.Lower(text.Unmarked(title)), "")
	return strings.Trim(strings.NewReplacer("-", " ", "_", " ", "`", "").Replace(title), " :")
}

// weighs reports whether a part is about options.
func (p part) weighs() bool { return p == optionsPart || p == weighedPart }

// add takes in a section by its heading, or by the next above it that names a part. What no field is for goes to the
// context.
func (rec *record) add(s section) {
	own := partOf(s.title)
	p, above := own, noPart
	for _, title := range slices.Backward(s.trail) {
		if above = partOf(title); p == noPart || above.weighs() {
			p = above
		}
	}
	isTitle := s.level > 0 && !rec.begun && own == noPart
	rec.begun = rec.begun || s.level > 0
	switch {
	case isTitle, s.level == 0, own == headPart:
		if isTitle {
			rec.heading = s.title
		}
		rec.head(s.text)
	case own == statusPart && p == own:
		stated := joined(slices.DeleteFunc(s.blocks, func(b block) bool { return b.open }))
		if len(stated) > maxStatus { // it tells its history too
			stated = firstLine(stated)
			rec.context = append(rec.context, s.markdown(false))
		}
		rec.setStatus(stated)
	case (own == datePart || own == updatedPart || own == titlePart) && p == own && rec.field(own, s.title, s.text):
	case p == decisionPart:
		rec.decision = append(rec.decision, s.markdown(own == p))
	case p == reasonsPart:
		rec.reasons = append(rec.reasons, s.lines(own == p)...)
	case p == consequencesPart:
		rec.consequences = append(rec.consequences, s.lines(headingKey(s.title) == "consequences")...)
	default:
		if p == linksPart {
			rec.relate(s.text, related)
		}
		if p == optionsPart {
			rec.optionsIn(s, own == p)
		}
		rec.context = append(rec.context, s.markdown(own == contextPart))
	}
}

// markdown returns a section with its heading, unless it is plain: it says no more than the field does.
func (s section) markdown(plain bool) string {
	if plain || s.title == "" {
		return s.text
	}
	return strings.TrimSpace(strings.Repeat("#", s.level+1) + " " + s.title + "\n\n" + s.text)
}

// lines returns the blocks of a section. Its heading stands before each unless it is plain.
func (s section) lines(plain bool) (list []string) {
	for _, b := range s.blocks {
		line := strings.TrimPrefix(b.marked(), "- ")
		list = append(list, pick(plain, "", s.title+": ")+line)
	}
	if len(list) == 0 && !plain {
		list = []string{s.title}
	}
	return list
}

// apart joins texts as paragraphs.
func apart(list []string) string {
	return strings.TrimSpace(strings.Join(slices.DeleteFunc(slices.Clone(list), isEmpty), "\n\n"))
}

// related is the kind of a link of which nothing is said.
const related = "related to"

// nothing are the values of fields that say nothing.
var nothing = []string{"", "-", "n/a", "na", "none", "null", "tbd", "todo", "chosen option", "false", "no", "[]"}

// succession are the fields that say what took a record's place, or whose place it took.
var succession = text.Pattern(`^(?:superseded|superceded|replaced|reverted|deprecated|obsoleted)` +
	`(?: by| with)?$|^(?:supersedes|supercedes|replaces|obsoletes)$`)

// front takes in what the front matter says, or kep.yaml.
func (rec *record) front(meta front) {
	for _, key := range meta.keys() {
		if p := partOf(key); p != noPart || succession().MatchString(headingKey(key)) {
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
	case slices.Contains(nothing, text.Lower(value)):
	case succession().MatchString(key) && strings.HasSuffix(key, "s"):
		rec.relate(key+" "+value, related)
		rec.context = append(rec.context, capital(key)+": "+value)
	case succession().MatchString(key):
		rec.setStatus(key + " " + value)
	default:
		return false
	}
	return true
}

var metaLine = text.Pattern(`^[-*+|\s]*[*_]*([\pL][\pL _-]{1,30}?)[*_]*\s*(?::[*_]*|\|)\s*(.*?)[\s|]*$|` +
	`^\W*(Date)\s+(.*)$`)

// head takes in what stands between the title and the next heading: fields, and text.
func (rec *record) head(source string) {
	var rest []string
	for line := range strings.SplitSeq(source, "\n") {
		m := metaLine().FindStringSubmatch(line)
		if m == nil || !rec.field(partOf(m[1]+m[3]), m[1]+m[3], m[2]+m[4]) {
			rest = append(rest, line)
		}
	}
	rec.context = append(rec.context, strings.TrimSpace(strings.Join(rest, "\n")))
}

// optionLabel is the letter or the number by which a record names an option.
var optionLabel = text.Pattern(`(?i)^[^\pL\pN]*(?:(?:option|opción|opção|optie|alternativa?|alternative|` +
	`variante?|lösung|approach|solution|вариант|방안|선택지|옵션|方案|选项|選択肢|案)\s*#?([a-z]|\d{1,2})\b|` +
	`([a-z]|\d{1,2})(?:\s*[:)–—]|\.\s|안|案|[^\pL\pN]*$))[^\pL\pN]*`)

// optionsIn takes in the options of a section that lists them: each is an item, or a heading with a number or a letter.
func (rec *record) optionsIn(s section, listed bool) {
	if m := optionLabel().FindStringSubmatch(s.title); m != nil && !listed {
		rec.options = append(rec.options, option{s.title, text.Lower(m[1] + m[2])})
	}
	before := len(rec.options)
	for _, b := range s.blocks {
		isItem := b.kind == bullet || b.kind == numbered
		if !listed || !isItem && len(rec.options) > before { // below the list there may be another
			break
		}
		if !isItem {
			continue
		}
		name, number := firstLine(b.text), strconv.Itoa(len(rec.options)+1)
		if m := optionLabel().FindStringSubmatch(name); m != nil {
			number = text.Lower(m[1] + m[2])
		}
		rec.options = append(rec.options, option{name, number})
	}
}

var (
	// chosenOption is MADR's sentence, up to the next paragraph, and because what parts its option from the reason.
	chosenOption = text.Pattern(`(?is)\b(?:chosen|selected|preferred) (?:option|alternative|solution)s?` +
		`[^\pL\pN:]*:\s*(.*?)(?:\n\s*\n|$)`)
	because  = text.Pattern(`(?i)[\s,;:.]*\bbecause\b[\s:]*`)
	inQuotes = text.Pattern("[\"“„*`\\[]+([^\"“”*`\\]]+)[\"”*`\\]]+")
	// optionHead is an option without its explanation.
	optionHead = text.Pattern(`^(?:[*_]{2}.+?[*_]{2}|.+?)(?:\s+[-–—(]|\s*[:（–—]\s|$)`)
)

// chosen returns the options that were listed and not chosen, and why the other was. The decision names it by a quote
// or its number; if it is not among those that are listed, none is known to have been rejected.
func (rec *record) chosen() (alternatives []schemas.Alternative, why []string) {
	decision := apart(rec.decision)
	names := []string{firstLine(decision)}
	if m := chosenOption().FindStringSubmatchIndex(decision); m != nil {
		sentence := decision[m[2]:m[3]]
		names = []string{sentence}
		if at := because().FindStringIndex(sentence); at != nil {
			names, why = []string{sentence[:at[0]]}, reasonsIn(decision[m[2]+at[1]:])
		}
		first, _ := text.FirstSentence(names[0])
		names = append(names, first)
		for _, m := range inQuotes().FindAllStringSubmatch(names[0], -1) {
			names = append(names, m[1])
		}
	}
	for _, o := range rec.options {
		if !slices.ContainsFunc(names, o.isNamed) {
			name := text.Unmarked(cmp.Or(optionLabel().ReplaceAllString(o.name, ""), o.name))
			alternatives = append(alternatives, schemas.Alternative{Option: text.OneLine(name, 300),
				Rest: schemas.Rest{"rejected_reason": ""}}) // required, but a list does not have one
		}
	}
	if len(alternatives) == len(rec.options) {
		return nil, why
	}
	return alternatives, why
}

// reasonsIn returns the sentence with which a text begins, or the list that it begins with or leads to.
func reasonsIn(phrase string) (list []string) {
	for i, b := range blocks(phrase, 1) {
		if i == 0 && b.kind == paragraph && !strings.HasSuffix(b.text, ":") {
			first, _ := text.FirstSentence(strings.Join(strings.Fields(b.text), " "))
			return []string{strings.TrimRight(first, ". ")}
		}
		if b.kind == bullet || b.kind == numbered {
			list = append(list, b.text)
		} else if i > 0 {
			break
		}
	}
	return list
}

// isNamed reports whether a phrase is the option's name, with or without its label and its explanation, or its number.
func (o option) isNamed(phrase string) bool {
	if m := optionLabel().FindStringSubmatch(phrase); m != nil && text.Lower(m[1]+m[2]) == o.number &&
		(optionKey(optionLabel().ReplaceAllString(phrase, "")) == "") {
		return true
	}
	bare := optionLabel().ReplaceAllString(o.name, "")
	for _, name := range []string{o.name, bare, optionHead().FindString(bare)} {
		for _, said := range []string{phrase, optionLabel().ReplaceAllString(phrase, "")} {
			if key := optionKey(said); key != "" && key == optionKey(name) {
				return true
			}
		}
	}
	return false
}

// optionKey returns the words of an option.
func optionKey(option string) string {
	return strings.Join(strings.FieldsFunc(text.Lower(text.Unmarked(option)),
		func(r rune) bool { return !isWordRune(r) && !strings.ContainsRune("+#", r) }), " ")
}

var (
	relation = text.Pattern(`(?i)\b(superseded by|superceded by|reverted by|obsoleted by|replaced by|` +
		`replaced with|supersedes|supercedes|obsoletes|replaces|amended by|amends|refined by|refines|clarified by|` +
		`clarifies|depends on|required by|requires|extends|conflicts with|relates to|related to|see also)\b`)
	recordRef = text.Pattern(`(?i)\b(?:ADR|RFC|KEP)[- #]?0*(\d{1,5})\b`)
	// numberRef is how another record is named by its number alone, where one takes the place of the other.
	numberRef = text.Pattern(`(?i)(?:#|\b(?:by|with|durch|por|par|da|door|supersedes|supercedes|replaces|` +
		`obsoletes)\W+(?:\pL{1,12}[ ._#-]*){0,2})0*(\d{1,5})\b|\b0+(\d{1,4})\b`)
)

// relate finds the other records that a text leads to. Each is related as the last words before it say, else by kind.
func (rec *record) relate(phrase, kind string) {
	for line := range strings.SplitSeq(phrase, "\n") {
		add := func(at int, target string, isRecord bool) {
			kind := kind
			if said := relation().FindAllString(line[:at], -1); len(said) > 0 {
				kind = text.Lower(said[len(said)-1])
			}
			succeeds := succession().MatchString(kind)
			if isRecord || succeeds {
				rec.links = append(rec.links, link{kind, target, !isRecord || !succeeds})
			}
		}
		links := linkTo().FindAllStringSubmatchIndex(line, -1)
		for _, at := range links {
			target, _, _ := strings.Cut(line[at[4]:at[5]], "#")
			add(at[0], target, isMarkdown(target))
		}
		refs := recordRef().FindAllStringSubmatchIndex(line, -1)
		for _, at := range refs {
			if links == nil {
				add(at[0], "adr "+line[at[2]:at[3]], true)
			}
		}
		if line = numberDate().ReplaceAllString(dottedDate().ReplaceAllString(line, ""), ""); links == nil &&
			refs == nil {
			for _, at := range numberRef().FindAllStringSubmatchIndex(line, -1) {
				add(at[1], "adr "+line[max(at[2], at[4]):max(at[3], at[5])], false)
			}
		}
	}
}
