package schemas

import (
	"encoding/json"
	"iter"
	"slices"
)

// Items yields the items of a list; nothing for any other value.
func Items(list []byte) iter.Seq[json.RawMessage] { return slices.Values(items(list)) }

// Valid reports whether data is valid JSON.
func Valid(data []byte) bool { return json.Valid(data) }
