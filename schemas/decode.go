package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// MaxFileBytes is the size limit of a memory file, of the configuration and of the
// synonyms.
const MaxFileBytes = 1 << 20

// Decode reads a memory leniently: any JSON object is a memory, and a field of the
// wrong type counts as absent. It fails only for data that is not a JSON object.
// Validate reports everything that is wrong with a file.
func Decode(data []byte) (Memory, error) {
	m, _, err := decodeMemory(data)
	if err != nil {
		return Memory{}, err
	}
	return m.Lenient(), nil
}

// Lenient returns a memory that DecodeExact read as Decode reads it.
func (m Memory) Lenient() Memory {
	m.Tags = readable(m.Tags, m.Rest["tags"])
	m.RelatedFiles = readable(m.RelatedFiles, m.Rest["related_files"])
	// A missing record_status means active; one of another type does not.
	if _, ok := m.Rest["record_status"]; !ok && m.RecordStatus == "" {
		m.RecordStatus = Active
	}
	if n, ok := number(m.Rest["confidence"]); ok {
		m.Confidence = &n
	}
	if n, ok := number(m.Rest["times_updated"]); ok {
		m.TimesUpdated = int(min(n, math.MaxInt32))
	}
	m.TimesUpdated = max(0, min(m.TimesUpdated, math.MaxInt32))
	entries, _ := m.Rest["changes"].([]any)
	for _, entry := range entries {
		if object, ok := entry.(map[string]any); ok {
			m.Changes = append(slices.Clip(m.Changes), MemoryOf(map[string]any{"changes": []any{object}}).Changes...)
		}
	}
	return m
}

// DecodeExact reads a memory so that writing it loses nothing: all that Decode would
// interpret or leave out stays in Rest. A repeated key is an error, because one of the
// two values would be lost.
func DecodeExact(data []byte) (*Memory, error) {
	m, object, err := decodeMemory(data)
	if err != nil {
		return nil, err
	}
	if twice := repeatedKeys(object); len(twice) > 0 {
		return nil, fmt.Errorf("the key %q occurs twice", twice[0].Field)
	}
	return m, nil
}

func decodeMemory(data []byte) (*Memory, json.RawMessage, error) {
	var object json.RawMessage
	if err := decodeObject(data, &object); err != nil {
		return nil, nil, err
	}
	v, err := DecodeAny(object)
	if err = errors.Join(err, CheckDepth(v)); err != nil {
		return nil, nil, err
	}
	values, _ := v.(map[string]any)
	return MemoryOf(values), object, nil
}

// readable returns the strings of a list. If the list did not fit its field, other is
// what the file has: a single string counts as a list of one.
func readable(list []string, other any) []string {
	switch other := other.(type) {
	case string:
		list = []string{other}
	case []any:
		for _, item := range other {
			if s, ok := item.(string); ok {
				list = append(list, s)
			}
		}
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// number returns the value of a number that is not out of range.
func number(value any) (float64, bool) {
	digits, _ := value.(json.Number)
	n, err := digits.Float64()
	return n, err == nil
}

// Complete fills in what the location of the file says: the folder's category if
// the file names none, and the stem of the file name for a missing title. The id
// is always the stem, because people and commands refer to the file by it.
func (m *Memory) Complete(folder Category, stem string) {
	if !m.Category.wellFormed() {
		m.SetCategory(folder)
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

// maxBrackets bounds the nesting of JSON with comments, whose parser has no bound.
const maxBrackets = 10_000

// DecodeDraft is DecodeExact for what a person writes: JSON that may have comments
// and trailing commas.
func DecodeDraft(data []byte) (*Memory, error) {
	plain, err := withoutComments(data)
	if err != nil {
		return nil, err
	}
	return DecodeExact(plain)
}

// withoutComments replaces comments and trailing commas by spaces, so that positions
// stay. It leaves what is JSON already, or cannot be made JSON.
func withoutComments(data []byte) ([]byte, error) {
	text := bytes.TrimPrefix(data, byteOrderMark)
	if json.Valid(text) || bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets {
		return data, nil
	}
	plain, err := hujson.Standardize(bytes.Clone(text))
	switch {
	case err == nil:
		return plain, nil
	case bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*")):
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return data, nil // DecodeExact says what is wrong
}

// LineOf returns the line of a field, a dotted path as in a Violation, in a document
// that DecodeDraft accepts. For a field that is not there it is the line of the
// innermost object or list around it, and 0 if nothing can be found.
func LineOf(data []byte, field string) int {
	plain, err := withoutComments(data)
	if err != nil || !json.Valid(bytes.TrimPrefix(plain, byteOrderMark)) {
		return 0
	}
	doc, err := hujson.Parse(bytes.TrimPrefix(plain, byteOrderMark))
	if err != nil {
		return 0
	}
	at := offsetOf(&doc, nil, field)
	return 1 + bytes.Count(plain[:min(at, len(plain))], []byte("\n"))
}

// offsetOf returns where the field begins below v, whose own path is given.
func offsetOf(v *hujson.Value, path []string, field string) int {
	at := v.StartOffset
	step := func(name string, start int, value *hujson.Value) {
		path := append(path[:len(path):len(path)], name)
		switch name := dotted(path); {
		case name == field:
			at = start
		case strings.HasPrefix(field, name+"."):
			at = offsetOf(value, path, field)
		}
	}
	switch v := v.Value.(type) {
	case *hujson.Object:
		for i := range v.Members {
			m := &v.Members[i]
			step(m.Name.Value.(hujson.Literal).String(), m.Name.StartOffset, &m.Value)
		}
	case *hujson.Array:
		for i := range v.Elements {
			step(strconv.Itoa(i), v.Elements[i].StartOffset, &v.Elements[i])
		}
	}
	return at
}
