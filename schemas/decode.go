package schemas

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// MaxFileBytes is the size limit of a memory file, of the configuration and of the
// synonyms.
const MaxFileBytes = 1 << 20

// Decode reads a memory leniently: any JSON object is a memory, and a field of the
// wrong type counts as absent. It fails only for data that is not a JSON object.
// Validate reports everything that is wrong with a file.
func Decode(data []byte) (Memory, error) {
	var fields map[string]json.RawMessage
	if err := decodeObject(data, &fields); err != nil {
		return Memory{}, err
	}
	text := func(name string) string { return String(fields[name]) }
	m := Memory{
		SchemaVersion:  text("schema_version"),
		Category:       Category(text("category")),
		ID:             text("id"),
		Title:          text("title"),
		RecordStatus:   Status(text("record_status")),
		CreatedAt:      text("created_at"),
		UpdatedAt:      text("updated_at"),
		Tags:           decodeStrings(fields["tags"]),
		RelatedFiles:   decodeStrings(fields["related_files"]),
		Confidence:     decodeNumber(fields["confidence"]),
		Content:        fields["content"],
		Changes:        decodeChanges(fields["changes"]),
		RetiredAt:      text("retired_at"),
		RetiredReason:  text("retired_reason"),
		ArchivedAt:     text("archived_at"),
		ArchivedReason: text("archived_reason"),
	}
	// A missing record_status means active; one of another type does not.
	if _, ok := fields["record_status"]; !ok {
		m.RecordStatus = Active
	}
	if n := decodeNumber(fields["times_updated"]); n != nil {
		m.TimesUpdated = int(max(0, min(*n, math.MaxInt32)))
	}
	return m, nil
}

// Complete fills in what the location of the file says: the folder's category if
// the file names none, and the stem of the file name for a missing title. The id
// is always the stem, because people and commands refer to the file by it.
func (m *Memory) Complete(folder Category, stem string) {
	if !m.Category.wellFormed() {
		m.Category = folder
	}
	if strings.TrimSpace(m.Title) == "" {
		m.Title = stem
	}
	m.ID = stem
}

// wellFormed reports whether c can appear in a context line. A category that
// memctl does not know is kept; it only ranks last.
func (c Category) wellFormed() bool {
	for _, r := range c {
		if (r < 'a' || r > 'z') && r != '_' {
			return false
		}
	}
	return c != "" && len(c) <= 40
}

// Text returns every string of the content, one per line, in file order: the text
// that a full-text search finds. Keys are not included.
func (m *Memory) Text() string {
	dec := json.NewDecoder(bytes.NewReader(m.Content))
	dec.UseNumber()
	var text strings.Builder
	_ = appendStrings(&text, dec) // stops at the first error in the JSON
	return text.String()
}

// appendStrings appends the strings of the next value of dec.
func appendStrings(text *strings.Builder, dec *json.Decoder) error {
	token, err := dec.Token()
	switch token := token.(type) {
	case string:
		if text.Len() > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(token)
	case json.Delim:
		for err == nil && dec.More() {
			if token == '{' {
				_, err = dec.Token() // the key
			}
			if err == nil {
				err = appendStrings(text, dec)
			}
		}
		if err == nil {
			_, err = dec.Token() // the closing bracket
		}
	}
	return err
}

// decodeStrings reads a list of strings and skips everything else in it. A single
// string counts as a list of one.
func decodeStrings(raw json.RawMessage) []string {
	var list []string
	if s := String(raw); s != "" {
		list = []string{s}
	} else {
		_ = json.Unmarshal(raw, &list)
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// decodeNumber returns nil for a value that is not a number or is out of range.
func decodeNumber(raw json.RawMessage) *float64 {
	var n *float64
	if json.Unmarshal(raw, &n) != nil {
		return nil
	}
	return n
}

// decodeChanges reads the entries of a memory's history and skips unreadable ones.
func decodeChanges(raw json.RawMessage) []Change {
	var changes []Change
	for _, item := range items(raw) {
		var c Change
		if json.Unmarshal(item, &c) == nil {
			changes = append(changes, c)
		}
	}
	return changes
}
