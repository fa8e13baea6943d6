package exchange

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/schemas"
	"memctl/text"
)

// adr reads an architecture decision record as a decision: MADR 2 to 4, Nygard's form,
// which adr-tools writes, and log4brains.
func (r *reader) adr(f *file) {
	if strings.Contains(strings.ToLower(path.Base(f.path)), "template") {
		r.leaveOut(f.origin, 0, strings.TrimSpace(f.text), "a template")
		return
	}
	meta, body, first := cutFront(f.text)
	rec := record{weighed: map[string][]string{}}
	rec.title = meta.take("title")
	rec.setStatus(meta.take("status"))
	rec.setDate(meta.take("date", "created", "issued"))
	rec.tags = meta.takeList("tags", "tag", "categories")
	all := blocks(body, first)
	list := sections(all)
	states := func(s section) bool { return partOf(s.title) == decisionPart || partOf(s.title) == contextPart }
	if !slices.ContainsFunc(list, states) {
		r.leaveOut(f.origin, 0, strings.TrimSpace(f.text),
			"no architecture decision record: it has neither a context nor a decision")
		return
	}
	var comments []string
	for _, s := range list {
		s.blocks = slices.DeleteFunc(s.blocks, func(b block) bool {
			if b.kind == comment {
				comments = append(comments, b.text)
			}
			return b.kind == comment
		})
		rec.add(s)
	}
	if len(comments) > 0 {
		r.leaveOut(f.origin, 0, strings.Join(comments, "\n"), "comments")
	}
	for _, line := range meta.lines() {
		rec.context = append(rec.context, capital(line))
	}
	rec.title = cmp.Or(rec.title, strings.TrimSuffix(path.Base(f.path), path.Ext(f.path)))
	title := number.re().ReplaceAllString(strings.ReplaceAll(unmarked(rec.title), "`", ""), "")
	when, ok := rec.when()
	if !ok {
		rec.context = append(rec.context, "Date: "+rec.date)
	}
	d := draft{category: schemas.Decision, title: title, tags: append(rec.tags, "adr"), content: rec.content(f),
		when: when, whole: f.text, name: strings.Join(recordNames(f.path), "\n"), links: rec.links}
	if related := r.src.inProject(f.path); related != "" {
		d.files = []string{related}
	}
	r.draft(f, "", 0, d)
}

var (
	number     = expression{source: `(?i)^\s*(?:(?:ADR[ -]?)?\d+\s*[.:)–—-]+\s+|ADR[ -]?\d+\s+)`}
	fileNumber = expression{source: `(?i)(?:^|[^\d])0*(\d{1,5})(?:$|[^\d])`}
)

// when returns the record's date. It reports false for one that it cannot read.
func (rec *record) when() (when time.Time, ok bool) {
	phrase := strings.TrimSpace(rec.date)
	if when, ok = schemas.ParseTime(phrase); !ok {
		var err error
		when, err = time.Parse("2006/01/02", phrase)
		ok = err == nil || phrase == ""
	}
	return when, ok
}

// recordNames are the names by which other records link to one.
func recordNames(name string) []string {
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	names := []string{stem, path.Base(name)}
	if m := fileNumber.re().FindStringSubmatch(stem); m != nil {
		names = append(names, "adr "+m[1])
	}
	return names
}

var chosen = expression{source: `(?is)chosen option:\s*["“'*]*(.+?)["”'*]*\s*(?:,|;|\n|\.?$)` +
	`\s*(?:because\b|as\b|since\b)?\s*:?\s*(.*)`}

// A record may keep the words of its template in its status: an explanation as a quote,
// and the statuses to choose from.
var (
	quoted  = expression{source: `(?m)^[ \t]*>.*$`}
	choices = expression{source: `\{[^}]*\}|\[[^\]|]*\|[^\]]*\]|(?m)^[^|\n]*\|[^|\n]*\|.*$`}
)

// knownStatus returns the decision's status and a note on it. It returns false if the
// record has a status that is none of ours.
func (rec *record) knownStatus() (status, note string, known bool) {
	phrase := quoted.re().ReplaceAllString(rec.status, "")
	phrase = text.Lower(choices.re().ReplaceAllString(phrase, ""))
	for _, s := range words().Statuses {
		// "superseded by", and not "supersedes", which says nothing of this record
		if strings.Contains(phrase, s.Word) && !(s.Word == "supersede" && !strings.Contains(phrase, "superseded")) {
			return s.Status, s.Note, true
		}
	}
	return "accepted", "", rec.status == ""
}

// content returns the record as the content of a decision.
func (rec *record) content(f *file) schemas.Content {
	status, note, known := rec.knownStatus()
	if !known || len(strings.Fields(rec.status)) > 1 {
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
	if note != "" {
		rec.consequences = append(rec.consequences, note)
	}
	return &schemas.DecisionContent{
		Status: status, Context: strings.Join(rec.context, "\n"), Decision: decision,
		Alternatives: alternatives, Rationale: rationale, Consequences: rec.consequences,
	}
}

// reasons returns why the decision was made, and what else was considered.
func (rec *record) reasons(decision string) (rationale []string, alternatives []schemas.Alternative) {
	option := ""
	if m := chosen.re().FindStringSubmatch(decision); m != nil {
		option = strings.TrimSpace(unmarked(m[1]))
		rationale = append(rationale, nonEmptyLines(strings.Trim(m[2], " .,"))...)
	} else {
		for line := range strings.SplitSeq(decision, "\n") {
			if words().Because.MatchString(line) {
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
		why := cmp.Or(strings.Join(arguments, "; "), "Why it was not chosen is not stated.")
		alternatives = append(alternatives, schemas.Alternative{Option: other, RejectedReason: why})
	}
	return rationale, alternatives
}

func (rec *record) argumentsOf(option string) []string {
	var lines []string
	for name, arguments := range rec.weighed {
		if name == option || sameOption(name, option) {
			lines = append(lines, arguments...)
		}
	}
	return lines
}

// sameOption compares options, which are often shortened where they are named again.
func sameOption(a, b string) bool {
	a, b = optionWords(a), optionWords(b)
	return a != "" && b != "" && (a == b || strings.HasPrefix(a+" ", b+" ") || strings.HasPrefix(b+" ", a+" "))
}

func optionWords(option string) string {
	between := func(r rune) bool { return !isWordRune(r) && !strings.ContainsRune(".+#", r) }
	words := strings.FieldsFunc(text.Lower(unmarked(option)), between)
	if len(words) > 1 && (words[0] == "option" || words[0] == "alternative") {
		words = words[1:]
	}
	return strings.Join(words, " ")
}
