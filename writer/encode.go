package writer

import (
	"errors"
	"fmt"

	"memctl/schemas"
)

// encodeValid encodes a memory and checks it against its schema.
func encodeValid(doc *schemas.Memory) ([]byte, error) {
	data, err := encode(doc)
	if err != nil {
		return nil, err
	}
	return data, invalid(schemas.Validate(data))
}

func encode(doc *schemas.Memory) ([]byte, error) {
	data, err := doc.Encode()
	if errors.Is(err, schemas.ErrTooLarge) {
		return nil, refuse(LimitError, "", err.Error(), "shorten the memory, or split it")
	}
	return data, err
}

// statusOf returns the record_status, active for a memory that has none.
func statusOf(doc *schemas.Memory) string {
	if status := doc.Get("record_status"); status != nil {
		return fmt.Sprint(status)
	}
	return string(schemas.Active)
}

// strs returns the strings of a list. A string counts as a list of one.
func strs(v any) []string {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
