package remote

import (
	"bytes"
	"encoding/json"
	"fmt"

	"memctl/schemas"
)

const (
	maxRepositories = 100_000
	// maxRow is the size limit of one row of an answer in bytes, maxDetail that of a memory with its row.
	maxRow    = 64 << 10
	maxDetail = 6*schemas.MaxFileBytes + maxRow // a hub may write < as \u003c
)

// The answers below are decoded one element after the other, each bounded: a row takes a hundred times
// the bytes of "{},".

func (r *Results) UnmarshalJSON(data []byte) error {
	return decodeList(data, "results", MaxResults, maxRow, &r.Results)
}

func (d *Details) UnmarshalJSON(data []byte) error {
	return decodeList(data, "details", MaxIDs, maxDetail, &d.Details)
}

func (r *Repositories) UnmarshalJSON(data []byte) error {
	return decodeList(data, "repositories", maxRepositories, maxRow, &r.Repositories)
}

// decodeList decodes the list that a member of an object has, of at most so many elements of at most
// size bytes.
func decodeList[T any](object []byte, name string, most, size int, into *[]T) error {
	if !bytes.HasPrefix(object, []byte("{")) {
		return errNoHub
	}
	for member, value := range schemas.Members(object) {
		if member != name {
			continue
		}
		*into = nil
		dec := json.NewDecoder(bytes.NewReader(value))
		if first, err := dec.Token(); first == nil || err != nil {
			return err // null is none
		} else if first != json.Delim('[') {
			return errNoHub
		}
		for dec.More() {
			if len(*into) == most {
				return fmt.Errorf("%s: more than %d", name, most)
			}
			var raw json.RawMessage
			if err := dec.Decode(&raw); err != nil {
				return err
			}
			var element T
			if len(raw) > size {
				return fmt.Errorf("%s: an element has more than %d bytes", name, size)
			}
			if err := json.Unmarshal(raw, &element); err != nil {
				return err
			}
			*into = append(*into, element)
		}
	}
	return nil
}
