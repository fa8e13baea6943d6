package writer

import (
	"fmt"
	"slices"
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

// structural fields hold dates, names and versions. The filter leaves them alone,
// because a user's pattern could make them invalid.
var structural = []string{"schema_version", "category", "id", "record_status", "created_at", "updated_at", "retired_at", "archived_at", "changes", "date", "field"}

// redact removes private text and secrets from every string of a document. It drops
// a tag that had any, and cuts titles and summaries that a marker made too long.
func (w *Writer) redact(doc schemas.Document) []privacy.Field {
	title := titleOf(doc)
	fields := w.Filter().Members("", doc, structural...)
	if now := titleOf(doc); now != title && utf8.RuneCountInString(title) <= maxTitle {
		doc["title"] = text.Truncate(now, maxTitle)
	}
	changes, _ := doc["changes"].([]any)
	for i, entry := range changes {
		entry, _ := entry.(map[string]any)
		summary, _ := entry["summary"].(string)
		fields = append(fields, w.Filter().Members(fmt.Sprintf("changes[%d]", i), entry, structural...)...)
		if now, _ := entry["summary"].(string); now != summary {
			entry["summary"] = cut(now)
		}
	}
	dropRedactedTags(doc, fields)
	return fields
}

func dropRedactedTags(doc schemas.Document, fields []privacy.Field) {
	tags, ok := doc["tags"].([]any)
	if !ok {
		return
	}
	var kept []any
	for i, tag := range tags {
		if !slices.ContainsFunc(fields, func(f privacy.Field) bool { return f.Path == fmt.Sprintf("tags[%d]", i) && f.Report.Found() }) {
			kept = append(kept, tag)
		}
	}
	switch len(kept) {
	case len(tags):
		return
	case 0:
		kept = []any{untagged}
	}
	doc["tags"] = kept
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
func checkTitle(doc schemas.Document, fields []privacy.Field) error {
	if !slices.ContainsFunc(fields, func(f privacy.Field) bool { return f.Path == "title" && f.Emptied }) {
		return nil
	}
	return failed(ValidationError, "field", "title", "rule", "private", "expected", "words that may be stored",
		"got", fmt.Sprintf("nothing but %q", titleOf(doc)), "fix", "give a title without what is private or secret")
}
