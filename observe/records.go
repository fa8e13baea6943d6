package observe

import (
	"encoding/json"
	"strings"

	"memctl/memdir"
	"memctl/schemas"
)

// appendRecord adds a line for each entry to a record in the user's state folder. The record
// starts over at a size, in bytes.
func appendRecord[T any](name string, limit int64, entries ...T) error {
	var lines []byte
	for _, entry := range entries {
		line, err := schemas.EncodeJSON(entry)
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	return memdir.AppendState(name, lines, limit)
}

// readRecord returns the entries of a record that are wanted, oldest first. It skips
// lines that are no entries.
func readRecord[T any](name string, limit int64, wanted func(T) bool) ([]T, error) {
	data, err := memdir.ReadState(name, limit)
	var list []T
	for line := range strings.Lines(string(data)) {
		var entry T
		if json.Unmarshal([]byte(line), &entry) == nil && wanted(entry) {
			list = append(list, entry)
		}
	}
	return list, err
}
