package schemas

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/privacy"
	"memctl/text"
)

const (
	// Untagged is the tag of a memory that would have none. It says nothing to a reader.
	Untagged = "untagged"
	// MaxTitle and MaxSummary are the longest title, and the longest summary of a change, in
	// code points.
	MaxTitle   = 120
	MaxSummary = 300
	// Version is the schema_version of every memory.
	Version = "1.0"
)

// RealTags are tags without Untagged.
func RealTags(tags []string) []string {
	return slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return tag == Untagged })
}

// exempt reports whether a string of a memory stays as it is: a version, a name or a
// date in its proper form. None can hold a secret, except for the id, which is the name
// of the file, and a user's pattern could make them invalid. All other strings are
// filtered.
func exempt(path, s string) bool {
	switch path {
	case "schema_version":
		return s == Version
	case "category":
		_, known := Category(s).Info()
		return known
	case "id":
		return s != "" && s == text.Slug(s)
	case "record_status":
		return slices.Contains(Statuses, Status(s))
	case "created_at", "updated_at", "retired_at", "archived_at":
		return isTime(s)
	}
	return strings.HasPrefix(path, "changes[") && strings.HasSuffix(path, "].date") && isTime(s)
}

func isTime(s string) bool {
	_, ok := ParseTime(s)
	return ok
}

// Redact removes private text and secrets from a memory. All that memctl writes of one
// passes it.
func (m *Memory) Redact(filter *privacy.Filter) []privacy.Field {
	values := m.Values()
	_, fields := filter.Value(values, exempt)
	*m = *MemoryOf(values)
	return fields
}

// RedactValid is Redact that also drops a tag that had any, and cuts titles and summaries
// that a marker made too long.
func (m *Memory) RedactValid(filter *privacy.Filter) []privacy.Field {
	title := m.Title
	fields := m.Redact(filter)
	if m.Title != title && utf8.RuneCountInString(title) <= MaxTitle {
		m.Title = text.Truncate(m.Title, MaxTitle)
	}
	for i := range m.Changes {
		if foundIn(fields, fmt.Sprintf("changes[%d].summary", i)) {
			m.Changes[i].Summary = text.Truncate(m.Changes[i].Summary, MaxSummary)
		}
	}
	m.dropRedactedTags(fields)
	return fields
}

// foundIn reports whether something was removed from the field of a path.
func foundIn(fields []privacy.Field, path string) bool {
	return slices.ContainsFunc(fields, func(f privacy.Field) bool { return f.Path == path && f.Report.Found() })
}

// Withheld reports the text that a filter removes from a memory.
func (m Memory) Withheld(filter *privacy.Filter) privacy.Report { return privacy.Sum(m.Redact(filter)) }

// MarkRemoved replaces the markers of text removed from a text, and reports whether there
// were any.
func MarkRemoved(s string, mark func(marker string) string) (marked string, found bool) {
	for _, marker := range []string{privacy.PrivateMarker, privacy.RedactedMarker} {
		found = found || strings.Contains(s, marker)
		s = strings.ReplaceAll(s, marker, mark(marker))
	}
	return s, found
}

func (m *Memory) dropRedactedTags(fields []privacy.Field) {
	tags, _ := m.Get("tags").([]any)
	var rest []any
	for i, tag := range tags {
		if !foundIn(fields, fmt.Sprintf("tags[%d]", i)) {
			rest = append(rest, tag)
		}
	}
	switch len(rest) {
	case len(tags):
		return
	case 0:
		rest = []any{Untagged}
	}
	m.Set("tags", rest)
}
