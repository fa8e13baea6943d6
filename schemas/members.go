package schemas

import (
	"encoding/json"
	"iter"
	"slices"
)

// Object holds the members of an object in file order, repeated ones too.
type Object []struct {
	key   string
	value json.RawMessage
}

// ObjectOf splits an object; it is empty for any other value.
func ObjectOf(raw json.RawMessage) (o Object) {
	for key, value := range Members(raw) {
		o = append(o, struct {
			key   string
			value json.RawMessage
		}{key, value})
	}
	return o
}

// Get returns the last value of a key, nil for none.
func (o Object) Get(key string) json.RawMessage {
	for _, f := range slices.Backward(o) {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

// Items yields the items of a list; nothing for any other value.
func Items(list []byte) iter.Seq[json.RawMessage] { return slices.Values(items(list)) }

// Valid reports whether data is valid JSON.
func Valid(data []byte) bool { return json.Valid(data) }
