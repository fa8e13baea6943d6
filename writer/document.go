package writer

import (
	"encoding/json"
	"errors"
	"fmt"

	"memctl/schemas"
)

// encodeValid encodes a document and checks it against its schema.
func encodeValid(doc schemas.Document) ([]byte, error) {
	data, err := encode(doc)
	if err != nil {
		return nil, err
	}
	return data, invalid(schemas.Validate(data))
}

func encode(doc schemas.Document) ([]byte, error) {
	data, err := doc.Encode()
	if errors.Is(err, schemas.ErrTooLarge) {
		return nil, failed(LimitError, "error", err.Error(), "fix", "shorten the memory, or split it")
	}
	return data, err
}

func titleOf(doc schemas.Document) string {
	title, _ := doc["title"].(string)
	return title
}

// contentOf returns the content, never nil.
func contentOf(doc schemas.Document) map[string]any {
	content, ok := doc["content"].(map[string]any)
	if !ok {
		return map[string]any{}
	}
	return content
}

// statusOf returns the record_status, active for a document that has none.
func statusOf(doc schemas.Document) string {
	if status := doc["record_status"]; status != nil {
		return fmt.Sprint(status)
	}
	return string(schemas.Active)
}

// timesUpdated returns 0 if the field is absent or not a count.
func timesUpdated(doc schemas.Document) int64 {
	number, _ := doc["times_updated"].(json.Number)
	n, err := number.Int64()
	if err != nil || n < 0 {
		return 0
	}
	return n
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

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
