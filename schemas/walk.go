package schemas

import (
	"encoding/json"
	"iter"
)

// For packages that read other JSON than memories, at the scanner's speed. The
// bytes must have passed Valid.

// Members yields the members of an object in file order, repeated ones too;
// nothing for another value.
func Members(object []byte) iter.Seq2[string, json.RawMessage] { return members(object) }

// Items yields the items of a list; nothing for another value.
func Items(list []byte) iter.Seq[json.RawMessage] { return items(list) }

// String returns the text of a string, "" for another value.
func String(raw json.RawMessage) string { return stringOf(raw) }
