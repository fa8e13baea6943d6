package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// field is one member of a JSON object.
type field struct {
	key   string
	value json.RawMessage
}

// errNotObject says that a document is valid JSON of another type.
var errNotObject = errors.New("expected a JSON object")

// objectIn returns the JSON object that a file holds.
func objectIn(data []byte) (json.RawMessage, error) {
	data = bytes.TrimPrefix(data, utf8BOM)
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("the file is empty")
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("invalid UTF-8 at byte %d", invalidOffset(data))
	}
	if !Valid(data) {
		var none json.RawMessage
		return nil, errors.New(describeJSONError(data, json.Unmarshal(data, &none)))
	}
	if kind := kindOf(data); kind != "an object" {
		return nil, fmt.Errorf("%w, got %s", errNotObject, kind)
	}
	return data, nil
}

// Object holds the members of an object in file order, repeated ones too. A hook
// would pay more for a map than for looking through a few names.
type Object []field

// ObjectOf splits an object, which must have passed Valid; it is empty for another
// value.
func ObjectOf(raw json.RawMessage) Object {
	const usual = 16 // a new size of memory costs two page faults
	o := make(Object, 0, usual)
	for key, value := range members(raw) {
		o = append(o, field{key, value})
	}
	return o
}

// Get returns the value of a key, nil where there is none. The last one counts, as
// for every common JSON reader.
func (o Object) Get(key string) json.RawMessage {
	for _, f := range slices.Backward(o) {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

// kindOf names the JSON type of a value for an error message.
func kindOf(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
