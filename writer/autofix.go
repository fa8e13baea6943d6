package writer

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

const (
	schemaVersion = "1.0"
	maxTags       = 12
	// untagged stands where no tag is left.
	untagged = "untagged"
)

// lifecycleFields belong to retire and archive; no input sets them.
var lifecycleFields = []string{"retired_at", "retired_reason", "archived_at", "archived_reason"}

// mend takes out what is private and fixes what has one right answer, and tells of
// the fixes. Mending can piece together what then has to go too.
func (w *Writer) mend(doc schemas.Document) []privacy.Field {
	taken := w.protect(doc)
	for range 3 {
		w.mendFields(doc)
		more := slices.DeleteFunc(w.protect(doc), func(f privacy.Field) bool { return !f.Report.Found() })
		if len(more) == 0 {
			break
		}
		taken = append(taken, more...)
	}
	return taken
}

// mendFields leaves what is of another type altogether for the schema to refuse.
func (w *Writer) mendFields(doc schemas.Document) {
	for _, optional := range []string{"related_files", "confidence", "changes"} {
		if value, ok := doc[optional]; ok && value == nil {
			delete(doc, optional) // null is how many programs say absent
		}
	}
	if doc["schema_version"] != schemaVersion {
		doc["schema_version"] = schemaVersion
		w.fixed("schema_version", "set to %q", schemaVersion)
	}
	for _, field := range []string{"created_at", "updated_at"} {
		if doc[field] == nil || doc[field] == "" {
			doc[field] = w.now()
			w.fixed(field, "set to now")
		}
	}
	w.mendTitle(doc)
	w.mendTags(doc)
	w.mendConfidence(doc)
}

func (w *Writer) mendTitle(doc schemas.Document) {
	title, ok := doc["title"].(string)
	if !ok {
		return
	}
	mended := defused(dropControl(strings.TrimSpace(title)))
	if text.Line(mended) == "" { // all of it is invisible: the schema refuses what is empty
		mended = ""
	}
	if mended != title {
		doc["title"] = mended
		w.fixed("title", "removed outer white space, control characters and the markers of a context line")
	}
}

// defused breaks the two markers of a context line, once each. What is pieced
// together from the rest is defused when it is shown (text.Line).
func defused(s string) string {
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

func (w *Writer) mendTags(doc schemas.Document) {
	if tag, ok := doc["tags"].(string); ok {
		doc["tags"] = []any{tag}
		w.fixed("tags", "made a list of one")
	}
	list, ok := doc["tags"].([]any)
	if !ok {
		return
	}
	given := strs(list)
	if n := len(list) - len(given); n > 0 {
		w.warnOf("tags", "dropped what is no string (%d of %d)", n, len(list))
	}
	tags := cleanTags(given)
	if len(tags) == 0 {
		tags = []string{untagged}
		w.fixed("tags", "none was left, set to %q", untagged)
	}
	if len(tags) > maxTags {
		w.fixed("tags", "kept the first %d, left out %s", maxTags, strings.Join(tags[maxTags:], ", "))
		tags = tags[:maxTags]
	}
	doc["tags"] = anys(tags)
}

// cleanTags returns tags as they are written: lower case, without what a context
// line is parted by, sorted, each once.
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
		if clean = strings.TrimSpace(defused(clean)); clean == tag {
			return clean
		}
		tag = clean
	}
}

func (w *Writer) mendConfidence(doc schemas.Document) {
	number, ok := doc["confidence"].(json.Number)
	if !ok {
		return
	}
	n, err := number.Float64()
	if clamped := min(max(n, 0), 1); err == nil && clamped != n {
		doc["confidence"] = json.Number(strconv.FormatFloat(clamped, 'f', -1, 64))
		w.fixed("confidence", "%s brought into 0 to 1", number)
	}
}

// mendID makes the id what the file is called; told is whether to say so.
func (w *Writer) mendID(doc schemas.Document, stem string) {
	id, ok := doc["id"].(string)
	if slug := text.Slug(id); ok && slug != id {
		w.fixed("id", "%q made %q", id, slug)
		id = slug
	}
	if id != stem {
		w.fixed("id", "set to the name of the file, %q", stem)
	}
	doc["id"] = stem
}

// strs returns the strings of a list; a string counts as a list of one.
func strs(v any) []string {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
