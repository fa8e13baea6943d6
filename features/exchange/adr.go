package exchange

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"memctl/schemas"
	"memctl/text"
)

// undecided is why a file is left out that has no decision.
const undecided = "no section with a decision: memctl import SOURCE makes an item of a work list of it"

// adr reads an architecture decision record as a decision: MADR 2 to 4, Nygard's form, which adr-tools writes,
// log4brains, and proposals such as Kubernetes' KEPs, which keep their status in kep.yaml. It takes what has a field or
// a section of its own. The rest goes to the context as it stands: no rule reads its sentences.
func (r *reader) adr(f *file) {
	stem, complete := recordStem(f.path), strings.TrimSpace(f.text)
	if templateFile().MatchString(stem) {
		r.leaveOut(f.origin, 0, complete, "a template")
		return
	}
	meta, body, _ := cutFront(f.text)
	rec := record{}
	rec.front(meta)
	if kep, _, err := r.src.read(path.Join(path.Dir(f.path), "kep.yaml")); err == nil && isReadme(f.path) {
		rec.front(decodeFront(r.filtered(string(kep))))
	}
	for _, s := range sections(uncommented(body), 1) {
		rec.add(s)
	}
	decision := text.Lower(strings.Trim(apart(rec.decision), " .:"))
	if slices.Contains(nothing, decision) || noRecordFile().MatchString(stem) {
		if !r.stays(f, f.text) { // an earlier version may have made a memory of it
			r.leaveOut(f.origin, 0, complete, undecided)
		}
		return
	}
	if comments := commentsIn(body); comments != "" {
		r.leaveOut(f.origin, 0, comments, "comments")
	}
	title := rec.titleOf(stem)
	for _, said := range []string{rec.title, rec.heading} {
		if !strings.Contains(optionKey(title), optionKey(unnumbered(said, stem))) {
			rec.context = append([]string{said}, rec.context...)
		}
	}
	for _, line := range meta.lines() {
		rec.context = append(rec.context, capital(line))
	}
	d := draft{category: schemas.Decision, title: title, tags: append(rec.tags, "adr"), raw: f.text,
		name: strings.Join(recordNames(f.path), "\n"), content: rec.content(), links: rec.links}
	d.created, d.when = rec.dates(f.path, r.dateIn)
	if related := r.src.inProject(f.path); related != "" {
		d.files = []string{related}
	}
	r.draft(f, "", 0, d)
}

var (
	// templateFile and noRecordFile are names of other files among records.
	templateFile = text.Pattern(`(?i)^(\d+|n+)?[-_ ]*((adr|madr|rfc|kep|decision|record|design|architecture|` +
		`short|long|minimal|bare|full)[-_ ]*)*templates?` +
		`([-_ .](adr|madr|rfc|bare|minimal|short|long|full|nygard|en|de|v\d).*)?$`)
	noRecordFile = text.Pattern(`(?i)^(readme|contributing|changelog|code[_-]of[_-]conduct|security|license|` +
		`index|governance|maintainers|support|faq|glossary|agents|claude)$`)
	// number stands before a title.
	number = text.Pattern(`(?i)^\s*(?:(?:architecture )?decision record\b\s*[:–-]?\s+|` +
		`(?:ADR|RFC|KEP|decision)\s*:\s*|\[?(?:[a-z]*(?:DR|RFC|KEP)[ #-]{0,2})?\d+\]?\s*[.:)–—-]+\s+|` +
		`\[?[a-z]*(?:DR|RFC|KEP)[ #-]{0,2}\d+\]?\s+|\d{4}-\d\d-\d\d\W+|0\d+\s+)`)
	fileNumber = text.Pattern(`(?:^|[^\d])0*(\d{1,5})(?:$|[^\d])`)
	fileDate   = text.Pattern(`^(\d{4})-?(\d\d)-?(\d\d)(?:[-_]|$)`)
	// anchor and tags of HTML are no words of a heading.
	anchor = text.Pattern("\\s*\\{#[^}]*\\}|<[a-zA-Z/][^>]*>|`")
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
	if m := fileNumber().FindStringSubmatch(stem); m != nil {
		names = append(names, "adr "+m[1])
	}
	return names
}

// titleOf returns the record's heading without its number, else the name of its file in words.
func (rec *record) titleOf(stem string) string {
	title := unnumbered(cmp.Or(rec.heading, rec.title), stem)
	if !strings.ContainsFunc(title, unicode.IsLetter) || number().MatchString(title+" ") {
		title = strings.NewReplacer("-", " ", "_", " ").Replace(fileDate().ReplaceAllString(stem, ""))
		title = capital(strings.TrimLeft(title, "0123456789 "))
	}
	return text.OneLine(cmp.Or(title, stem), titleLength)
}

// unnumbered returns a heading without marks and the number of the record.
func unnumbered(heading, stem string) string {
	heading = anchor().ReplaceAllString(text.Unmarked(heading), "")
	for range 2 {
		heading = number().ReplaceAllString(heading, "")
	}
	if m := fileNumber().FindStringSubmatch(stem); m != nil {
		heading = strings.TrimPrefix(heading, m[1]+" ")
	}
	return strings.TrimSpace(heading)
}

// dates returns when a record was made and last changed, by its own words or by its name; zero for neither.
func (rec *record) dates(name string, dateIn func(string) time.Time) (created, updated time.Time) {
	created, updated = dateIn(rec.date), dateIn(rec.updated)
	for _, phrase := range append(slices.Clone(rec.statuses), recordStem(name), path.Base(path.Dir(name))) {
		if m := fileDate().FindStringSubmatch(phrase); m != nil {
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

// content returns the record as the content of a decision.
func (rec *record) content() schemas.Content {
	var fields []string
	for _, stated := range rec.statuses { // whose words say more than the status of a decision
		if optionKey(stated) != rec.status() {
			fields = append(fields, "Status: "+stated)
		}
	}
	for name, date := range map[string]string{"Date": rec.date, "Updated": rec.updated} {
		if date != "" && (dateIn(date).IsZero() || len(strings.Fields(date)) > 3) {
			fields = append(fields, name+": "+date)
		}
	}
	slices.Sort(fields)
	reasons := rec.reasons
	alternatives, why := rec.chosen()
	if reasons = append(why, reasons...); len(reasons) == 0 {
		reasons = []string{""} // the schema wants one, but a record need not have it
	}
	return &schemas.DecisionContent{Status: rec.status(), Context: apart(append(rec.context, fields...)),
		Decision: apart(rec.decision), Alternatives: alternatives, Rationale: reasons, Consequences: rec.consequences}
}
