package writer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

const maxTags = schemas.MaxTags

// lifecycleFields are set by transitions only.
var lifecycleFields = []string{"retired_at", "retired_reason", "archived_at", "archived_reason"}

// autofix removes private text and secrets from a draft, fixes what has only one
// right answer, and reports the fixes. A fix can join the parts of a secret, so
// autofix repeats until nothing more is removed.
func (w *Writer) autofix(doc *schemas.Memory) []privacy.Field {
	removed := w.redact(doc)
	for range 3 {
		w.fixFields(doc)
		more := slices.DeleteFunc(w.redact(doc), func(f privacy.Field) bool { return !f.Report.Found() })
		if len(more) == 0 {
			break
		}
		removed = append(removed, more...)
	}
	return removed
}

// fixFields leaves values of another type for the schema to refuse.
func (w *Writer) fixFields(doc *schemas.Memory) {
	for _, optional := range []string{"related_files", "folder", "confidence", "changes"} {
		if doc.Rest[optional] == nil {
			delete(doc.Rest, optional) // many programs write null for an absent field
		}
	}
	if doc.SchemaVersion != schemas.Version {
		doc.SchemaVersion = schemas.Version
		w.fixed("schema_version", "set to %q", schemas.Version)
	}
	for _, field := range []string{"created_at", "updated_at"} {
		if value := doc.Get(field); value == nil || value == "" {
			doc.Set(field, w.now())
			w.fixed(field, "set to now")
		}
	}
	w.fixTitle(doc)
	w.fixTags(doc)
	w.fixConfidence(doc)
	w.fixFolder(doc)
	if c, ok := doc.Content.(*schemas.ConstraintContent); ok {
		if ends, isDate := schemas.EndOf(c.Expires); isDate && !w.Now().Before(ends) {
			w.warnOf("content.expires", "%s is past, so the rule no longer holds", c.Expires)
		}
	}
}

// fixFolder writes a folder as the schema wants it, and warns of one that is not there: no session would be in it.
func (w *Writer) fixFolder(doc *schemas.Memory) {
	clean := strings.Trim(strings.TrimPrefix(strings.ReplaceAll(doc.Folder, `\`, "/"), "./"), " ")
	if clean = strings.TrimSuffix(clean, "/"); clean != doc.Folder {
		doc.Folder = clean
		w.fixed("folder", "written as %q", clean)
	}
	if clean != "" && w.Root.Gone(clean) {
		w.warnOf("folder", "%s is not a folder of this project, so no session gets the memory", clean)
	}
}

func (w *Writer) fixTitle(doc *schemas.Memory) {
	fixed := withoutMarkers(dropControl(strings.TrimSpace(doc.Title)))
	if text.Line(fixed) == "" { // all of it is invisible
		fixed = ""
	}
	if fixed != doc.Title {
		doc.Set("title", fixed)
		w.fixed("title", "removed outer white space, control characters and the markers of a context line")
	}
}

// withoutMarkers removes the two markers of a line of retrieve.Block, in one pass.
// text.Line removes what the rest may join to when it is shown.
func withoutMarkers(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, " -> ", " - "), "#tags:", "")
}

func dropControl(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}

func (w *Writer) fixTags(doc *schemas.Memory) {
	value := doc.Get("tags")
	list, isList := value.([]any)
	values := strs(value)
	switch _, isString := value.(string); {
	case isString:
		w.fixed("tags", "made a list of one")
	case !isList:
		return
	case len(values) < len(list):
		w.warnOf("tags", "dropped values that are not strings (%d of %d)", len(list)-len(values), len(list))
	}
	tags := cleanTags(values)
	if len(tags) == 0 {
		tags = []string{schemas.Untagged}
		w.fixed("tags", "none was left, set to %q", schemas.Untagged)
	}
	if len(tags) > maxTags {
		w.fixed("tags", "kept the first %d, left out %s", maxTags, strings.Join(tags[maxTags:], ", "))
		tags = tags[:maxTags]
	}
	doc.Tags = tags
}

// cleanTags returns tags in lower case, without commas and the markers of a context
// line, sorted, each once.
func cleanTags(raw []string) []string {
	var tags []string
	for _, tag := range raw {
		if tag = cleanTag(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

func cleanTag(tag string) string {
	for {
		clean := strings.ReplaceAll(dropControl(text.Lower(tag)), ",", " ")
		if clean = strings.TrimSpace(withoutMarkers(clean)); clean == tag {
			return clean
		}
		tag = clean
	}
}

func (w *Writer) fixConfidence(doc *schemas.Memory) {
	number, ok := doc.Get("confidence").(json.Number)
	if !ok {
		return
	}
	n, err := number.Float64()
	if clamped := min(max(n, 0), 1); err == nil && clamped != n {
		doc.Confidence = &clamped
		w.fixed("confidence", "%s brought into 0 to 1", number)
	}
}

// fixIdentity sets the fields that a new memory's place decides.
func (w *Writer) fixIdentity(doc *schemas.Memory, p place) {
	if doc.Category != p.category {
		doc.SetCategory(p.category)
		w.fixed("category", "set to %q", p.category)
	}
	id := doc.ID
	if slug := text.Slug(id); slug != id {
		w.fixed("id", "%q made %q", id, slug)
		id = slug
	}
	if id != p.stem {
		w.fixed("id", "set to the name of the file, %q", p.stem)
	}
	doc.ID, doc.RecordStatus = p.stem, schemas.Active
	clearLifecycle(doc)
}

func clearLifecycle(doc *schemas.Memory) {
	for _, field := range lifecycleFields {
		doc.Set(field, nil)
	}
}

// Withheld reports the text that a change removed before writing: numbers and kinds only.
type Withheld struct {
	privacy.Report
	Message string `json:"message"`
}

// Filter returns the privacy filter that all text passes before it reaches the disk.
func (w *Writer) Filter() *privacy.Filter {
	if w.filter == nil {
		w.filter = w.Config.Privacy.Filter()
	}
	return w.filter
}

// redact is schemas.Memory.RedactValid with the writer's filter.
func (w *Writer) redact(doc *schemas.Memory) []privacy.Field { return doc.RedactValid(w.Filter()) }

// withheld reports what was removed, with prefix before the names of fields, and
// returns it for the answer; nil if nothing was.
func (w *Writer) withheld(prefix string, fields []privacy.Field) *Withheld {
	w.warnOfFields(prefix, fields)
	sum := privacy.Sum(fields)
	if !sum.Found() {
		return nil
	}
	for _, sentence := range sum.Sentences() {
		w.notify(Removed, "", "%s", sentence)
	}
	return &Withheld{sum, sum.String()}
}

func (w *Writer) warnOfFields(prefix string, fields []privacy.Field) {
	for _, field := range fields {
		for _, warning := range field.Report.Warnings {
			w.warnOf(prefix+field.Path, "%s", warning)
		}
		if field.Emptied {
			w.warnOf(prefix+field.Path, "no text is left")
		}
	}
}

// checkTitle refuses a memory whose whole title was removed.
func checkTitle(doc *schemas.Memory, fields []privacy.Field) error {
	if !slices.ContainsFunc(fields, func(f privacy.Field) bool { return f.Path == "title" && f.Emptied }) {
		return nil
	}
	return &Error{Code: ValidationError, Problems: []Problem{{
		Field: "title", Rule: "private", Expected: "words that may be stored",
		Got: fmt.Sprintf("nothing but %q", doc.Title),
		Fix: "give a title without what is private or secret",
	}}}
}
