package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"memctl/text"
)

// Conflict is a value that both sides of a merge changed. A version that lacks it has nil.
type Conflict struct {
	Field  string `json:"field"` // dotted: content.decision
	Base   any    `json:"base,omitempty"`
	Ours   any    `json:"ours,omitempty"`
	Theirs any    `json:"theirs,omitempty"`
}

// ConflictFields names the fields of conflicts: "title, content.decision".
func ConflictFields(conflicts []Conflict) string {
	names := make([]string, len(conflicts))
	for i, c := range conflicts {
		names[i] = c.Field
	}
	return strings.Join(names, ", ")
}

// ConflictRecord is the content of ID.conflict: the values of both sides for each field in conflict.
// The memory itself has ours.
type ConflictRecord struct {
	Memory    string     `json:"memory"` // below the root: decisions/use-kafka.json
	Conflicts []Conflict `json:"conflicts"`
}

// Encode renders the record for its file.
func (r ConflictRecord) Encode() ([]byte, error) {
	var indented bytes.Buffer
	enc := json.NewEncoder(&indented)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(r)
	return indented.Bytes(), err
}

// DecodeConflictRecord reads the file of a record.
func DecodeConflictRecord(data []byte) (ConflictRecord, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var r ConflictRecord
	err := dec.Decode(&r)
	for _, c := range r.Conflicts {
		err = errors.Join(err, CheckDepth(c.Base), CheckDepth(c.Ours), CheckDepth(c.Theirs))
	}
	return r, err
}

// Texts are the versions of a file, nil for one that does not exist.
type Texts struct{ Base, Ours, Theirs []byte }

// Sides returns the versions between the markers that git left in a file. The base is
// nil unless git's conflict style is diff3.
func Sides(data []byte) Texts {
	var base, ours, theirs []byte
	hasBase, in := false, byte(0)
	for line := range bytes.Lines(data) {
		switch kind := ConflictMarker(line); {
		case kind == '>' && in == '=':
			in = 0
		case kind == '<' && in == 0, kind == '|' && in == '<', kind == '=' && (in == '<' || in == '|'):
			in = kind
			hasBase = hasBase || kind == '|'
		case in == '<':
			ours = append(ours, line...)
		case in == '|':
			base = append(base, line...)
		case in == '=':
			theirs = append(theirs, line...)
		default:
			base, ours, theirs = append(base, line...), append(ours, line...), append(theirs, line...)
		}
	}
	if !hasBase {
		base = nil
	}
	return Texts{base, ours, theirs}
}

// MarkedConflicts returns the fields that differ between the markers that git left in a file, as far as both sides can
// be read. A merge of the two, field by field, may leave fewer.
func MarkedConflicts(data []byte) (list []Conflict) {
	sides := Sides(data)
	ours, err := DecodeExact(sides.Ours)
	theirs, theirErr := DecodeExact(sides.Theirs)
	if err != nil || theirErr != nil {
		return nil
	}
	for _, d := range Differences(ours, theirs) {
		if !d.Routine() {
			list = append(list, Conflict{Field: d.Field, Ours: d.Old, Theirs: d.New})
		}
	}
	return list
}

// Side is a value of a side in one line.
func Side(value any) string {
	if value == nil {
		return "(absent)"
	}
	if s, ok := value.(string); ok {
		return text.Printable(s)
	}
	data, _ := EncodeJSON(value) // was decoded from JSON
	return text.Printable(string(data))
}
