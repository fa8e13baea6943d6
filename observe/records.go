package observe

import (
	"encoding/json"
	"strings"

	"memctl/memdir"
	"memctl/schemas"
)

// appendRecord adds a line to a record in the user's state folder. The record starts over
// at a size, in bytes.
func appendRecord(name string, limit int64, entry any) error {
	line, err := schemas.EncodeJSON(entry)
	if err != nil {
		return err
	}
	return memdir.AppendState(name, append(line, '\n'), limit)
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
