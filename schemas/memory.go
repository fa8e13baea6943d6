// Package schemas owns what a memory and the configuration are: the Go types, the
// JSON Schema files that state the rules, the table of settings, and decoding and
// encoding. Bytes in, values out; it touches no files.
//
// There are two readers of a memory on purpose. Decode is lenient: a prompt can
// still find whatever a person or an older tool left in a readable JSON object.
// Validate is strict: it decides which files may be written.
package schemas

import (
	"encoding/json"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Status is a memory's record_status.
type Status string

// The life of a memory: active, then retired or archived.
const (
	Active   Status = "active"
	Retired  Status = "retired"
	Archived Status = "archived"
)

// Statuses lists every status in the order people read them.
var Statuses = []Status{Active, Retired, Archived}

// The limits of two lists, as memory.schema.json states them.
const (
	MaxTags    = 12
	MaxChanges = 50
)

// Memory is one memory file. The order of the fields is their order in the file, here
// and in every object within it.
type Memory struct {
	SchemaVersion  string   `json:"schema_version"`
	Category       Category `json:"category"`
	ID             string   `json:"id"`
	Title          string   `json:"title"`
	RecordStatus   Status   `json:"record_status"`
	CreatedAt      string   `json:"created_at"`
	UpdatedAt      string   `json:"updated_at"`
	Tags           []string `json:"tags"`
	RelatedFiles   []string `json:"related_files,omitzero"`
	Folder         string   `json:"folder,omitempty"`
	Confidence     *float64 `json:"confidence,omitempty"`
	Content        Content  `json:"content"`
	Changes        []Change `json:"changes,omitzero"`
	TimesUpdated   int      `json:"times_updated"`
	RetiredAt      string   `json:"retired_at,omitempty"`
	RetiredReason  string   `json:"retired_reason,omitempty"`
	ArchivedAt     string   `json:"archived_at,omitempty"`
	ArchivedReason string   `json:"archived_reason,omitempty"`
	Rest           `json:"-"`
}

// Change is one entry of a memory's history, oldest first.
type Change struct {
	Date     string          `json:"date"`
	Summary  string          `json:"summary"`
	Field    string          `json:"field,omitempty"`
	OldValue json.RawMessage `json:"old_value,omitempty"`
	NewValue json.RawMessage `json:"new_value,omitempty"`
	Rest     `json:"-"`
}

// Rest has what the fields of an object cannot hold, by name and as DecodeAny decodes
// it: members that memctl does not know, values of another type or with other digits
// than the field would write, and values that the field shows as absent, such as "". So
// a file that is written again loses nothing, and Validate finds what was wrong before.
// The value of a known member counts only as long as its field is empty.
type Rest map[string]any

func (r Rest) rest() Rest { return r }

// MemoryOf makes a memory of its members by name, as DecodeAny decodes them.
func MemoryOf(values map[string]any) *Memory {
	m := &Memory{}
	fill(reflect.ValueOf(m).Elem(), values)
	return m
}

// Values returns the members of a memory by name, as MemoryOf takes them: what treats
// all of them alike works on these.
func (m *Memory) Values() map[string]any {
	values, _ := plain(reflect.ValueOf(m)).(map[string]any)
	return values
}

// Before returns the memory as it was before an entry of its history, as far as the entries name
// fields with their old values.
func (m *Memory) Before(entry int) *Memory {
	values := m.Values()
	for _, c := range slices.Backward(m.Changes[entry:]) {
		object, name := values, c.Field
		if inner, nested := strings.CutPrefix(name, "content."); nested {
			object, _ = values["content"].(map[string]any)
			name = inner
		}
		old, err := DecodeAny(c.OldValue)
		if name == "" || object == nil || len(c.OldValue) == 0 || err != nil {
			continue
		}
		if object[name] = old; old == nil {
			delete(object, name)
		}
	}
	return MemoryOf(values)
}

// AsOf returns the memory as it was at a time, as far as its history tells, nil if it was not in use then.
func (m *Memory) AsOf(at time.Time) *Memory {
	created, known := ParseTime(m.CreatedAt)
	if !known || created.After(at) {
		return nil
	}
	then, entry := *m, m.entryAfter(at)
	if entry < len(m.Changes) {
		then = *m.Before(entry)
	}
	left := m.RetiredAt
	if m.RecordStatus == Archived {
		left = m.ArchivedAt
	}
	isRecorded := slices.ContainsFunc(m.Changes[entry:], func(c Change) bool { return c.Field == "record_status" })
	if end, known := ParseTime(left); known && end.After(at) && !isRecorded { // with git.history the time alone says so
		then.RecordStatus = Active
	}
	if then.RecordStatus != Active {
		return nil
	}
	then.RetiredAt, then.RetiredReason, then.ArchivedAt, then.ArchivedReason = "", "", "", ""
	if last, known := ParseTime(m.UpdatedAt); known && last.After(at) {
		then.UpdatedAt = m.CreatedAt
		if entry > 0 {
			then.UpdatedAt = m.Changes[entry-1].Date
		}
	}
	then.Changes = m.Changes[:entry]
	return &then
}

// ChangedSince reports whether the history has changes of the text after a time, and whether each names its field with
// the old value, so that AsOf knows it.
func (m *Memory) ChangedSince(at time.Time) (changed, known bool) {
	known = true
	for _, c := range m.Changes[m.entryAfter(at):] {
		if c.Field != "record_status" {
			changed, known = true, known && c.Field != ""
		}
	}
	return changed, known
}

// RecordedSince reports whether the history has an entry of any kind after a time.
func (m *Memory) RecordedSince(at time.Time) bool { return m.entryAfter(at) < len(m.Changes) }

// entryAfter returns the first entry of the history after a time, the number of entries if there is none.
func (m *Memory) entryAfter(at time.Time) int {
	i := slices.IndexFunc(m.Changes, func(c Change) bool {
		date, known := ParseTime(c.Date)
		return known && date.After(at)
	})
	if i < 0 {
		return len(m.Changes)
	}
	return i
}

// Get returns a member as DecodeAny decodes it, nil for none.
func (m *Memory) Get(name string) any {
	for member, v := range members(reflect.ValueOf(m).Elem()) {
		if member == name {
			return plain(v)
		}
	}
	return nil
}

// Set replaces a member by what DecodeAny decoded, and removes it for nil.
func (m *Memory) Set(name string, value any) {
	values := m.Values()
	if values[name] = value; value == nil {
		delete(values, name)
	}
	*m = *MemoryOf(values)
}

// ContentFields yields the fields of the content in their order, as DecodeAny decodes
// them.
func (m *Memory) ContentFields() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for name, v := range members(m.content()) {
			if !yield(name, plain(v)) {
				return
			}
		}
	}
}

// ContentValues returns the fields of the content by name. It is empty, not nil, if
// there are none.
func (m *Memory) ContentValues() map[string]any { return maps.Collect(m.ContentFields()) }

// SetContent replaces the content by that of the memory's category with these fields.
func (m *Memory) SetContent(values map[string]any) {
	m.Content = NewContent(m.Category)
	fill(reflect.ValueOf(m.Content).Elem(), values)
	delete(m.Rest, "content")
}

// SetCategory changes the category, and with it the type of the content.
func (m *Memory) SetCategory(c Category) {
	m.Category = c
	if m.Content != nil {
		m.SetContent(m.ContentValues())
	}
}

// content returns the content, of whatever type it is.
func (m *Memory) content() reflect.Value {
	if m.Content == nil {
		return reflect.ValueOf(m.Rest["content"])
	}
	return reflect.ValueOf(m.Content).Elem()
}

// Text returns every string of the content but those of a check, one per line, in the order of its fields:
// the text that a full-text search finds. Names of fields are not included.
func (m *Memory) Text() string {
	var text strings.Builder
	appendStrings(&text, m.unchecked())
	return text.String()
}

// unsaid are the fields of a content that hold a choice of words, or a name for what the others say.
var unsaid = map[string]bool{
	"status": true, "outcome": true, "kind": true, "severity": true, "strength": true, "priority": true, "topic": true,
}

// Prose returns the lines of the content that say something: not a choice of words, such as a status, nor the topic
// of a preference.
func (m *Memory) Prose() (lines []string) {
	for name, value := range members(m.unchecked()) {
		var b strings.Builder
		if appendStrings(&b, value); !unsaid[name] {
			lines = append(lines, strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\n' })...)
		}
	}
	return lines
}

// Rename is the new name of a related file.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Difference is a field that two memories do not have alike. A value is as DecodeAny
// decodes it, nil for none.
type Difference struct {
	Field    string // dotted: content.rule
	Old, New any
}

// Routine reports whether every update changes the field.
func (d Difference) Routine() bool {
	return slices.Contains([]string{"changes", "updated_at", "times_updated"}, d.Field)
}

// Differences lists the fields of the head that differ, and then those of the content,
// each by name.
func Differences(before, after *Memory) (list []Difference) {
	compare := func(prefix string, a, b map[string]any) {
		all := maps.Clone(a)
		maps.Copy(all, b)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !reflect.DeepEqual(a[name], b[name]) {
				list = append(list, Difference{prefix + name, a[name], b[name]})
			}
		}
	}
	a, b := before.Values(), after.Values()
	delete(a, "content")
	delete(b, "content")
	compare("", a, b)
	compare("content.", before.ContentValues(), after.ContentValues())
	return list
}
