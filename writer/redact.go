package writer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

// Withheld is what a change removed before writing: numbers and kinds only.
type Withheld struct {
	privacy.Report
	Message string `json:"message"`
}

// maxTitle is the longest title, in code points.
const maxTitle = 120

// Filter returns the privacy filter that all text passes before it reaches the disk.
func (w *Writer) Filter() *privacy.Filter {
	if w.filter == nil {
		w.filter = privacy.New(privacy.Options(w.Config.Privacy))
	}
	return w.filter
}

// exempt reports whether a string of a memory stays as it is: a version, a name or a
// date in its proper form. None can hold a secret, except for the id, which is the name
// of the file, and a user's pattern could make them invalid. All other strings are
// filtered.
func exempt(path, s string) bool {
	switch path {
	case "schema_version":
		return s == schemaVersion
	case "category":
		_, known := schemas.Category(s).Info()
		return known
	case "id":
		return s != "" && s == text.Slug(s)
	case "record_status":
		return slices.Contains(schemas.Statuses, schemas.Status(s))
	case "created_at", "updated_at", "retired_at", "archived_at":
		return isTime(s)
	}
	return strings.HasPrefix(path, "changes[") && strings.HasSuffix(path, "].date") && isTime(s)
}

func isTime(s string) bool {
	_, ok := schemas.ParseTime(s)
	return ok
}

// Redact removes private text and secrets from a memory. All that memctl writes of one
// passes it.
func Redact(filter *privacy.Filter, doc *schemas.Memory) []privacy.Field {
	values := doc.Values()
	_, fields := filter.Value(values, exempt)
	*doc = *schemas.MemoryOf(values)
	return fields
}

// redact is RedactValid with the writer's filter.
func (w *Writer) redact(doc *schemas.Memory) []privacy.Field { return RedactValid(w.Filter(), doc) }

// RedactValid is Redact that also drops a tag that had any, and cuts titles and summaries
// that a marker made too long.
func RedactValid(filter *privacy.Filter, doc *schemas.Memory) []privacy.Field {
	title := doc.Title
	fields := Redact(filter, doc)
	if doc.Title != title && utf8.RuneCountInString(title) <= maxTitle {
		doc.Title = text.Truncate(doc.Title, maxTitle)
	}
	for i := range doc.Changes {
		if foundIn(fields, fmt.Sprintf("changes[%d].summary", i)) {
			doc.Changes[i].Summary = cut(doc.Changes[i].Summary)
		}
	}
	dropRedactedTags(doc, fields)
	return fields
}

// foundIn reports whether something was removed from the field of a path.
func foundIn(fields []privacy.Field, path string) bool {
	return slices.ContainsFunc(fields, func(f privacy.Field) bool { return f.Path == path && f.Report.Found() })
}

func dropRedactedTags(doc *schemas.Memory, fields []privacy.Field) {
	tags, _ := doc.Get("tags").([]any)
	var kept []any
	for i, tag := range tags {
		if !foundIn(fields, fmt.Sprintf("tags[%d]", i)) {
			kept = append(kept, tag)
		}
	}
	switch len(kept) {
	case len(tags):
		return
	case 0:
		kept = []any{untagged}
	}
	doc.Set("tags", kept)
}

// withheld reports what was removed, with prefix before the names of fields, and
// returns it for the answer; nil if nothing was.
func (w *Writer) withheld(prefix string, fields []privacy.Field) *Withheld {
	w.warnOfFields(prefix, fields)
	sum := privacy.Sum(fields)
	if !sum.Found() {
		return nil
	}
	for _, sentence := range sum.Sentences() {
		w.Notify("[PRIVACY] " + sentence)
	}
	return &Withheld{sum, sum.String()}
}

func (w *Writer) warnOfFields(prefix string, fields []privacy.Field) {
	for _, field := range fields {
		for _, warning := range field.Report.Warnings {
			w.warn("%s%s: %s", prefix, field.Path, warning)
		}
		if field.Emptied {
			w.warn("%s%s: nothing of it is left", prefix, field.Path)
		}
	}
}

// checkTitle refuses a memory whose whole title was removed.
func checkTitle(doc *schemas.Memory, fields []privacy.Field) error {
	if !slices.ContainsFunc(fields, func(f privacy.Field) bool { return f.Path == "title" && f.Emptied }) {
		return nil
	}
	return failed(ValidationError, "field", "title", "rule", "private", "expected", "words that may be stored",
		"got", fmt.Sprintf("nothing but %q", doc.Title), "fix", "give a title without what is private or secret")
}
