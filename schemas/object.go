package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// fieldsOf splits an object into its members, in file order. Repeated keys
// stay: the caller decides (the last one wins, as in every common JSON reader).
func fieldsOf(object json.RawMessage) []field {
	var fields []field
	for key, value := range members(object) {
		fields = append(fields, field{key, value})
	}
	return fields
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
