package schemas

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// MaxFileBytes bounds a memory file: what is larger is no memory and is never
// read into memory whole.
const MaxFileBytes = 4 << 20

// Decode reads a memory leniently: any JSON object is a memory, a field of the
// wrong type counts as absent. Errors are for what is no JSON object at all.
// Validate tells everything that is wrong with a file.
func Decode(data []byte) (Memory, error) {
	object, err := objectIn(data)
	if err != nil {
		return Memory{}, err
	}
	// A missing record_status means active; a present one counts as it stands.
	m := Memory{RecordStatus: Active}
	for key, value := range members(object) {
		m.set(key, value)
	}
	m.Content = bytes.Clone(m.Content) // data is the caller's
	return m, nil
}

func (m *Memory) set(key string, raw json.RawMessage) {
	switch key {
	case "schema_version":
		m.SchemaVersion = stringOf(raw)
	case "category":
		m.Category = Category(stringOf(raw))
	case "id":
		m.ID = stringOf(raw)
	case "title":
		m.Title = stringOf(raw)
	case "record_status":
		m.RecordStatus = Status(stringOf(raw))
	case "created_at":
		m.CreatedAt = stringOf(raw)
	case "updated_at":
		m.UpdatedAt = stringOf(raw)
	case "tags":
		m.Tags = stringsOf(raw)
	case "related_files":
		m.RelatedFiles = stringsOf(raw)
	case "confidence":
		m.Confidence = numberOf(raw)
	case "content":
		m.Content = raw
	case "changes":
		m.Changes = changesOf(raw)
	case "times_updated":
		if n := numberOf(raw); n != nil {
			m.TimesUpdated = int(math.Max(0, math.Min(*n, math.MaxInt32)))
		}
	case "retired_at":
		m.RetiredAt = stringOf(raw)
	case "retired_reason":
		m.RetiredReason = stringOf(raw)
	case "archived_at":
		m.ArchivedAt = stringOf(raw)
	case "archived_reason":
		m.ArchivedReason = stringOf(raw)
	}
}

// Complete fills in what the file's place says: the folder's category where the
// file names none, and the stem of the file name for a missing title. The id is
// always the stem, because that is how people and commands refer to the file.
func (m *Memory) Complete(folder Category, stem string) {
	if !m.Category.wellFormed() {
		m.Category = folder
	}
	if strings.TrimSpace(m.Title) == "" {
		m.Title = stem
	}
	m.ID = stem
}

// wellFormed tells whether c can stand in a context line; a category that
// memctl does not know is kept, it only ranks last.
func (c Category) wellFormed() bool {
	for _, r := range c {
		if (r < 'a' || r > 'z') && r != '_' {
			return false
		}
	}
	return c != "" && len(c) <= 40
}

// Text returns every string of the content, one a line, in file order: what a
// full-text search should find. The content is valid JSON, as Decode leaves it.
func (m *Memory) Text() string {
	var b strings.Builder
	for s := (scanner{data: m.Content}); s.nextString(); {
		raw := s.value()
		if s.isKey() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(stringOf(raw))
	}
	return b.String()
}

// stringsOf reads a list of strings; a single string counts as a list of one.
func stringsOf(raw json.RawMessage) []string {
	if s := stringOf(raw); s != "" {
		return []string{s}
	}
	var list []string
	for item := range items(raw) {
		if s := stringOf(item); s != "" {
			list = append(list, s)
		}
	}
	return list
}

func numberOf(raw json.RawMessage) *float64 {
	if kindOf(raw) != "a number" {
		return nil
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil { // out of range
		return nil
	}
	return &n
}

func changesOf(raw json.RawMessage) []Change {
	var changes []Change
	for item := range items(raw) {
		var c Change
		if json.Unmarshal(item, &c) == nil {
			changes = append(changes, c)
		}
	}
	return changes
}
