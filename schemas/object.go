package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"unicode/utf8"
)

// errNotObject reports valid JSON of another type.
var errNotObject = errors.New("expected a JSON object")

var byteOrderMark = []byte("\xef\xbb\xbf")

// decodeObject decodes the JSON object that a file holds, which may begin with a byte
// order mark. A member of another type than v has for it counts as absent.
func decodeObject(data []byte, v any) error {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if len(bytes.TrimSpace(data)) == 0 {
		return errors.New("the file is empty")
	}
	if !utf8.Valid(data) {
		return fmt.Errorf("invalid UTF-8 at byte %d", invalidOffset(data))
	}
	err := json.Unmarshal(data, v)
	if err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) {
		return errors.New(describeJSONError(data, err))
	}
	if kind := kindOf(data); kind != "an object" {
		return fmt.Errorf("%w, got %s", errNotObject, kind)
	}
	return nil
}

// Members yields the members of a JSON object in file order, repeated keys
// included. It yields nothing for any other value.
func Members(object []byte) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		dec := json.NewDecoder(bytes.NewReader(object))
		if first, _ := dec.Token(); first != json.Delim('{') {
			return
		}
		for dec.More() {
			key, _ := dec.Token()
			name, isKey := key.(string)
			var value json.RawMessage
			if !isKey || dec.Decode(&value) != nil {
				return
			}
			end := int(dec.InputOffset())
			value = object[end-len(value) : end : end] // frees the copy: it may be large
			if !yield(name, value) {
				return
			}
		}
	}
}

// ContentOf returns the content of a memory file as it stands there, nil for none.
func ContentOf(data []byte) (content json.RawMessage) {
	for name, value := range Members(bytes.TrimPrefix(data, byteOrderMark)) {
		if name == "content" {
			content = value
		}
	}
	return content
}

// String returns the text of a JSON string, "" for any other value.
func String(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// items returns the items of a JSON list, nil for any other value.
func items(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	_ = json.Unmarshal(raw, &list)
	return list
}

// DecodeAny decodes a value as encoding/json does, with numbers as json.Number.
func DecodeAny(raw []byte) (v any, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	err = dec.Decode(&v)
	return v, err
}

// maxLevels bounds the depth to which objects and lists may nest in a memory; the schemas need 4. Indented JSON
// is quadratic in the depth, and comparing two memories at each level of it cubic.
const maxLevels = 100

var errTooDeep = fmt.Errorf("objects and lists are nested more than %d deep", maxLevels)

// CheckDepth returns an error for a decoded value that is nested too deeply for a memory.
func CheckDepth(v any) error {
	if deeper(v, maxLevels) {
		return errTooDeep
	}
	return nil
}

// deeper reports whether a value has more levels of objects and lists than that.
func deeper(v any, levels int) bool {
	switch v := v.(type) {
	case []any:
		return levels == 0 || slices.ContainsFunc(v, func(item any) bool { return deeper(item, levels-1) })
	case map[string]any:
		for _, item := range v {
			if deeper(item, levels-1) {
				return true
			}
		}
		return levels == 0
	}
	return false
}

// EncodeJSON encodes a value on one line and leaves <, > and & as they are.
func EncodeJSON(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
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
