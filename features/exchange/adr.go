package exchange

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/schemas"
	"memctl/text"
)

// adr reads an architecture decision record as a decision: MADR 2 to 4, Nygard's form,
// which adr-tools writes, log4brains, and proposals such as Rust's RFCs and Kubernetes'
// KEPs, which keep their status in kep.yaml.
func (r *reader) adr(f *file) {
	if words().Template.MatchString(recordStem(f.path)) {
		r.leaveOut(f.origin, 0, strings.TrimSpace(f.text), "a template")
		return
	}
	meta, body, first := cutFront(f.text)
	rec := record{}
	rec.front(meta)
	if kep, _, err := r.src.read(path.Join(path.Dir(f.path), "kep.yaml")); err == nil && isReadme(f.path) {
		rec.front(decodeFront(r.filtered(string(kep))))
	}
	list := sections(blocks(body, first))
	has := map[part]bool{}
	for _, s := range list {
		has[partOf(s.title)] = true
	}
	has[statusPart] = has[statusPart] || len(rec.statuses) > 0 || words().StatusLine.MatchString(body)
	if !has[decisionPart] && (!has[contextPart] && !has[summaryPart] || !has[statusPart] &&
		!(has[contextPart] && has[summaryPart]) &&
		!has[consequencesPart] && !has[optionsPart] && !has[alternativesPart]) ||
		words().NoRecord.MatchString(recordStem(f.path)) {
		r.leaveOut(f.origin, 0, strings.TrimSpace(f.text),
			"no architecture decision record: it has neither a context nor a decision")
		return
	}
	var comments []string
	uncommented := func(s string) string {
		return commented.re().ReplaceAllStringFunc(s, func(match string) string {
			if strings.HasPrefix(match, "`") {
				return match
			}
			comments = append(comments, match)
			return ""
		})
	}
	for _, s := range list {
		s.title = strings.TrimSpace(uncommented(s.title))
		for i, b := range s.blocks {
			if b.kind != code {
				s.blocks[i].text = strings.TrimSpace(uncommented(b.text))
			}
		}
		s.blocks = slices.DeleteFunc(s.blocks, func(b block) bool { return b.kind != code && b.text == "" })
		rec.add(s)
	}
	if len(comments) > 0 {
		r.leaveOut(f.origin, 0, strings.Join(comments, "\n"), "comments")
	}
	for _, line := range meta.lines() {
		rec.context = append(rec.context, capital(line))
	}
	rec.won, rec.why = rec.winners() // before the numbers go
	for _, list := range [][]string{rec.decision, rec.statement, rec.drivers, rec.consequences} {
		for i := range list {
			list[i] = rec.worded(list[i])
		}
	}
	title := rec.titleOf(f.path)
	if !strings.Contains(optionWords(title), optionWords(number.re().ReplaceAllString(rec.title, ""))) {
		rec.context = append([]string{rec.title}, rec.context...)
	}
	if rec.updated != "" && dateIn(rec.updated).IsZero() {
		rec.context = append(rec.context, "Updated: "+rec.updated)
	}
	d := draft{category: schemas.Decision, title: title, tags: append(rec.tags, "adr"), raw: f.text,
		name: strings.Join(recordNames(f.path), "\n"), content: rec.content(f), links: rec.links}
	d.created, d.when = rec.dates(f.path, r.dateIn)
	if related := r.src.inProject(f.path); related != "" {
		d.files = []string{related}
	}
	r.draft(f, "", 0, d)
}

var (
	number = expression{source: `(?i)^\s*(?:(?:architecture )?decision record\b\s*[:–-]?\s+|` +
		`(?:ADR|RFC|KEP|decision)\s*:\s*)|` +
		`^\s*(?:(?:[A-Z]{2,5}[ #-]?)?\d+\s*[.:)–—-]+\s+|(?:ADR|RFC|KEP)[ #-]?\d+\s+)`}
	fileNumber = expression{source: `(?i)(?:^|[^\d])0*(\d{1,5})(?:$|[^\d])`}
	commented  = expression{source: "`[^`\n]+`|(?s:<!--.*?(?:-->|$))"}
	fileDate   = expression{source: `^(\d{4})-?(\d\d)-?(\d\d)(?:[-_]|$)`}
)

func isReadme(name string) bool { return strings.EqualFold(stemOf(path.Base(name)), "readme") }

func stemOf(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// recordStem names a record in its folder: its file, or its own folder.
func recordStem(name string) string {
	if isReadme(name) && path.Dir(name) != "." {
		return path.Base(path.Dir(name))
	}
	return stemOf(path.Base(name))
}

// recordNames are the names by which other records link to one.
func recordNames(name string) []string {
	stem := recordStem(name)
	names := []string{stem}
	if m := fileNumber.re().FindStringSubmatch(stem); m != nil {
		names = append(names, "adr "+m[1])
	}
	return names
}

// dates returns when a record was made and last changed, by its own words or by its name; zero for neither.
func (rec *record) dates(name string, dateIn func(string) time.Time) (created, updated time.Time) {
	created, updated = dateIn(rec.date), dateIn(rec.updated)
	for _, phrase := range append(slices.Clone(rec.statuses), recordStem(name), path.Base(path.Dir(name))) {
		if m := fileDate.re().FindStringSubmatch(phrase); m != nil {
			phrase = m[1] + "-" + m[2] + "-" + m[3]
		} else if !slices.Contains(rec.statuses, phrase) {
			continue
		}
		if created.IsZero() {
			created = dateIn(phrase)
		}
	}
	if updated.Before(created) {
		updated = created
	}
	return created, updated
}

// A record may keep the words of its template in its status: an explanation as a quote, a placeholder, and the statuses
// to choose from.
var (
	quoted    = expression{source: `(?m)^[ \t]*>.*$|~~[^~]*~~`}
	bracketed = expression{source: `\{[^}]*\}|\([^()]*\)|\[[^\[\]]*\]`}
	choice    = expression{source: `[/|,;、\n]|\s(?:or|oder|ou)\s`}
)

// withoutChoices returns a status without placeholders and lists of statuses, of which a marked one stays.
func withoutChoices(stated string) string {
	stated = bracketed.re().ReplaceAllStringFunc(stated, func(match string) string {
		return pick(match[0] == '{', "", chosenStatus(match))
	})
	var lines []string
	for line := range strings.SplitSeq(stated, "\n") {
		lines = append(lines, chosenStatus(line))
	}
	return strings.TrimSpace(chosenStatus(strings.Join(lines, "\n")))
}

// chosenStatus returns a phrase as it is unless it lists statuses: at least three, or one in force and one that is not
// with a slash or a bar between them. Of those it returns the one that stands out.
func chosenStatus(phrase string) string {
	found, over := map[int]bool{}, map[bool]bool{}
	var marked []string
	for _, part := range choice.re().Split(phrase, -1) {
		plain := text.Unmarked(part)
		at := slices.IndexFunc(words().Statuses, func(s status) bool { return s.Words.MatchString(text.Lower(plain)) })
		if len(strings.Fields(part)) > 5 || digits.re().MatchString(part) || at < 0 {
			continue
		}
		holds := words().Statuses[at].Status == "accepted" || words().Statuses[at].Status == "proposed"
		if found[at], over[holds] = true, true; plain != part || strings.Contains(part, "`") {
			marked = append(marked, part)
		}
	}
	switch {
	case len(found) < 3 && (len(over) < 2 || !strings.ContainsAny(phrase, "/|")):
		return phrase
	case len(marked) == 1:
		return marked[0]
	}
	return ""
}

// status returns the decision's status and a note on it. A record that states none is in
// force, and one whose words are not known may not be.
func (rec *record) status() (status, note string, known bool) {
	var phrase strings.Builder
	for _, stated := range rec.statuses {
		phrase.WriteString(text.Lower(text.Unmarked(quoted.re().ReplaceAllString(stated, ""))) + "\n")
	}
	if strings.Trim(phrase.String(), " \n-–?") == "" {
		return "accepted", "", true
	}
	for _, s := range words().Statuses {
		if s.Words.MatchString(phrase.String()) {
			return s.Status, s.Note, true
		}
	}
	return "proposed", "", false
}

// content returns the record as the content of a decision.
func (rec *record) content(f *file) schemas.Content {
	status, note, known := rec.status()
	for _, stated := range rec.statuses {
		if !known || len(strings.Fields(stated)) > 1 {
			rec.context = append(rec.context, "Status: "+stated)
		}
	}
	if rec.date != "" && (dateIn(rec.date).IsZero() || len(strings.Fields(rec.date)) > 3) {
		rec.context = append(rec.context, "Date: "+rec.date)
	}
	rationale, alternatives := rec.reasons()
	if len(rec.decision) == 0 {
		rec.decision, rec.summary = rec.summary, nil
	}
	decision := cmp.Or(strings.TrimSpace(rec.decided()), rec.titleOf(f.path))
	if len(rationale) == 0 {
		rationale = []string{"The record " + path.Base(f.path) + " gives no reasons beyond its context."}
	}
	if note != "" {
		rec.consequences = append(rec.consequences, note)
	}
	return &schemas.DecisionContent{
		Status: status, Context: apart(append(rec.summary, rec.context...)), Decision: decision,
		Alternatives: alternatives, Rationale: rationale, Consequences: rec.consequences,
	}
}

// reasons returns why the decision was made, and what else was considered. If no option is
// known to have been chosen, none is said to have been rejected: all go to the context.
func (rec *record) reasons() (rationale []string, alternatives []schemas.Alternative) {
	rationale = nonEmptyLines(rec.worded(rec.why))
	if rec.why == "" {
		for _, paragraph := range rec.decision {
			for _, sentence := range sentencesOf(unwrapped(paragraph)) {
				if words().Because.MatchString(sentence) {
					rationale = append(rationale, sentence)
				}
			}
		}
	}
	for _, driver := range rec.drivers {
		rationale = append(rationale, "Driver: "+driver)
	}
	for i, o := range rec.options {
		switch {
		case slices.Contains(rec.won, i):
			rationale = append(rationale, o.arguments...)
		case len(rec.won) > 0, o.other && !rec.mentions(o.name):
			name := cmp.Or(strings.TrimSpace(words().OptionLabel.ReplaceAllString(o.name, "")), o.name)
			alternatives = append(alternatives, schemas.Alternative{Option: name,
				RejectedReason: strings.Join(o.arguments, "; "),
				Rest:           schemas.Rest{"rejected_reason": ""}}) // required, but a record need not have one
		default:
			rec.context = append(rec.context, "Considered: "+strings.Join(append([]string{o.name}, o.arguments...),
				"; "))
		}
	}
	return rationale, alternatives
}

// chosenOption is the sentence of MADR, up to the reason. It may quote the option, or several.
var (
	quotedOption = expression{source: `["“”*]+([^"“”*]+)(?:["“”*]+|$)`}
)

// winners returns which of the options were chosen, none if that is not sure, and why.
func (rec *record) winners() (won []int, why string) {
	m := words().ChosenOption.FindStringSubmatch(rec.decided())
	if m == nil {
		won = rec.likest("", 100)
	} else {
		why = strings.Trim(m[2], " .,")
		won = rec.likest(optionWords(m[1]), 1)
		for _, q := range quotedOption.re().FindAllStringSubmatch(m[1], -1) {
			won = append(won, rec.likest(optionWords(q[1]), surely)...)
		}
	}
	if len(won) == 0 || m == nil && len(won) > 1 {
		if at := rec.numbered(); at >= 0 {
			return []int{at}, why
		}
	}
	if len(won) > 0 || m != nil {
		return won, why
	}
	for i, o := range rec.options {
		if rec.mentions(o.name) {
			won = append(won, i)
		}
	}
	if len(won) > 1 {
		won = nil // it may say why it is not the others
	}
	return won, why
}

// numbered returns the option that the decision names by its letter or number, -1 for none.
func (rec *record) numbered() int {
	if len(rec.decision) == 0 {
		return -1
	}
	first := strings.NewReplacer(`"`, "", "“", "").Replace(text.Unmarked(firstLine(rec.decision[0])))
	m := words().NamedNumber.FindStringSubmatch(first)
	if m == nil {
		return -1
	}
	return rec.optionOf(m[1] + m[2])
}

// optionOf returns the option with a letter or number, -1 for none.
func (rec *record) optionOf(label string) int {
	label = text.Lower(label)
	at := slices.IndexFunc(rec.options, func(o option) bool { return o.number == label })
	if n, err := strconv.Atoi(label); err == nil && at < 0 && n <= len(rec.options) &&
		!slices.ContainsFunc(rec.options, func(o option) bool { return o.number != "" }) {
		at = n - 1
	}
	return at
}

// worded returns a text with the options' own words in place of their letters and numbers, which say nothing
// to who has not read the list.
func (rec *record) worded(s string) string {
	if m := words().BareNumber.FindStringSubmatchIndex(s); m != nil {
		at, end := max(m[2], m[4]), max(m[3], m[5])
		return s[:at] + rec.wordsFor(s[at:end], s[at:end], s[end:]) + s[end:]
	}
	var b strings.Builder
	at := 0
	for _, m := range words().NamedNumber.FindAllStringSubmatchIndex(s, -1) {
		end := pick(m[2] >= 0, m[3], m[1])
		b.WriteString(s[at:m[0]] + rec.wordsFor(s[max(m[2], m[4]):max(m[3], m[5])], s[m[0]:end], s[end:]))
		at = end
	}
	return b.String() + s[at:]
}

// wordsFor returns the own words of a numbered option, and what the text has if there are none or if they follow.
func (rec *record) wordsFor(number, has, follows string) string {
	at := rec.optionOf(number)
	if at < 0 {
		return has
	}
	own := strings.TrimSpace(words().OptionLabel.ReplaceAllString(rec.options[at].name, ""))
	if own == "" && len(rec.options[at].arguments) > 0 { // its heading may say more than the list
		if argument := rec.options[at].arguments[0]; words().OptionNumber.MatchString(argument) {
			own = strings.TrimSpace(words().OptionLabel.ReplaceAllString(argument, ""))
		}
	}
	if own == "" || startsWith(optionWords(text.Truncate(follows, titleLength)), firstWords(optionWords(own), 2)) {
		return has
	}
	return own
}

// surely is the weight of an option that a phrase names.
const surely = 97

// likest returns the options that are marked as chosen, or are as like to a phrase as any,
// and weigh enough.
func (rec *record) likest(phrase string, best int) (list []int) {
	for i, o := range rec.options {
		switch weight := o.weight(phrase); {
		case weight > best:
			list, best = []int{i}, weight
		case weight == best:
			list = append(list, i)
		}
	}
	return list
}

// weight says how surely a phrase chose an option, in percent; 0 for hardly.
func (o option) weight(phrase string) int {
	name := optionWords(o.name)
	switch {
	case o.marked:
		return 100
	case phrase == "" || name == "":
		return 0
	case name == phrase:
		return 99
	case startsWith(phrase, name) || startsWith(name, phrase):
		return 98
	case strings.Contains(" "+phrase+" ", " "+name+" "):
		return surely
	}
	of, shared := strings.Fields(name), 0
	in := strings.Fields(phrase)
	for _, word := range of {
		if slices.Contains(in, word) {
			shared++
		}
	}
	if likeness := 200 * shared / (len(of) + len(in)); likeness >= 60 {
		return likeness * 96 / 100
	}
	return 0
}

// core is the name of an option, without its description.
var core = expression{source: `^[^(（:：,，–—]*`}

// mentions reports whether the decision begins by naming an option.
func (rec *record) mentions(name string) bool {
	phrase := rec.title
	if paragraphs := append(slices.Clone(rec.decision), rec.summary...); len(paragraphs) > 0 {
		phrase += "\n" + paragraphs[0]
	}
	name = optionWords(core.re().FindString(words().OptionLabel.ReplaceAllString(text.Unmarked(name), "")))
	return name != "" && strings.Contains(" "+optionWords(phrase)+" ", " "+name+" ")
}

// sameOption compares options, which are often shortened where they are named again.
func sameOption(a, b string) bool {
	a, b = optionWords(a), optionWords(b)
	return a != "" && b != "" && (startsWith(a, b) || startsWith(b, a))
}

func startsWith(words, first string) bool { return strings.HasPrefix(words+" ", first+" ") }

func optionWords(option string) string {
	between := func(r rune) bool { return !isWordRune(r) && !strings.ContainsRune("+#", r) }
	words := strings.FieldsFunc(text.Lower(text.Unmarked(option)), between)
	if len(words) > 1 && (words[0] == "option" || words[0] == "alternative" || words[0] == "use") {
		words = words[1:]
	}
	return strings.Join(words, " ")
}
