package writer

import (
	"encoding/json"
	"errors"
	"fmt"

	"memctl/schemas"
)

// encodeValid renders a document that keeps every rule of its schema.
func encodeValid(doc schemas.Document) ([]byte, error) {
	data, err := encode(doc)
	if err != nil {
		return nil, err
	}
	if found := schemas.Validate(data); len(found) > 0 {
		return nil, invalid(found)
	}
	return data, nil
}

func encode(doc schemas.Document) ([]byte, error) {
	data, err := doc.Encode()
	if errors.Is(err, schemas.ErrTooLarge) {
		return nil, failed(LimitError, Detail{"error", err.Error()}, Detail{"fix", "shorten the memory, or split it"})
	}
	return data, err
}

func titleOf(doc schemas.Document) string {
	title, _ := doc["title"].(string)
	return title
}

// statusOf is a document's record_status: active where it has none.
func statusOf(doc schemas.Document) string {
	if status := doc["record_status"]; status != nil {
		return fmt.Sprint(status)
	}
	return string(schemas.Active)
}

// timesUpdated is 0 where the field is absent or no whole number.
func timesUpdated(doc schemas.Document) int64 {
	number, _ := doc["times_updated"].(json.Number)
	n, err := number.Int64()
	if err != nil || n < 0 {
		return 0
	}
	return n
}
