package git

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"memctl/schemas"
)

// Record is the content of ID.conflict: the values of both sides for each field in conflict.
// The memory itself has ours.
type Record struct {
	Memory    string     `json:"memory"` // below the root: decisions/use-kafka.json
	Conflicts []Conflict `json:"conflicts"`
}

// Encode renders the record for its file.
func (r Record) Encode() ([]byte, error) {
	var indented bytes.Buffer
	enc := json.NewEncoder(&indented)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(r)
	return indented.Bytes(), err
}

// DecodeRecord reads the file of a record.
func DecodeRecord(data []byte) (Record, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var r Record
	err := dec.Decode(&r)
	for _, c := range r.Conflicts {
		err = errors.Join(err, schemas.CheckDepth(c.Base), schemas.CheckDepth(c.Ours), schemas.CheckDepth(c.Theirs))
	}
	return r, err
}

// Fields names the fields in conflict.
func (r Record) Fields() string { return Fields(r.Conflicts) }

// Fields names the fields of conflicts: "title, content.decision".
func Fields(conflicts []Conflict) string {
	names := make([]string, len(conflicts))
	for i, c := range conflicts {
		names[i] = c.Field
	}
	return strings.Join(names, ", ")
}

// TakeTheirs gives a memory the value that theirs had.
func (c Conflict) TakeTheirs(m *schemas.Memory) error {
	values := m.Values()
	object, name := values, c.Field
	for {
		first, rest, found := strings.Cut(name, ".")
		within, isObject := object[first].(map[string]any)
		if !found || !isObject {
			break
		}
		object, name = within, rest
	}
	if strings.Contains(name, ".") {
		return fmt.Errorf("the memory has no %s", c.Field)
	}
	if c.Theirs == nil {
		delete(object, name)
	} else {
		object[name] = c.Theirs
	}
	*m = *schemas.MemoryOf(values)
	return nil
}

// Texts are the versions of a file, nil for one that does not exist.
type Texts struct{ Base, Ours, Theirs []byte }

// Sides returns the versions between the markers that git left in a file. The base is
// nil unless git's conflict style is diff3.
func Sides(data []byte) Texts {
	var base, ours, theirs []byte
	hasBase, in := false, byte(0)
	for line := range bytes.Lines(data) {
		switch kind := schemas.ConflictMarker(line); {
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
