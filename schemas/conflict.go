package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
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
