package schemas

import (
	"errors"
	"fmt"
)

// Document is a memory file field by field as it stands, fields that no schema
// knows included: what is to be written again must not lose what Memory has no
// place for. Numbers are json.Number, digits and all.
type Document map[string]any

// DecodeDocument reads a JSON object. A key that stands twice is an error: one
// of the two values would be lost in writing.
func DecodeDocument(data []byte) (Document, error) {
	object, err := objectIn(data)
	if err != nil {
		return nil, err
	}
	if twice := repeatedKeys(object); len(twice) > 0 {
		return nil, fmt.Errorf("the key %q stands twice", twice[0].Field)
	}
	d, _ := Any(object).(map[string]any)
	return d, nil
}

// ErrTooLarge says that a document would make a file larger than MaxFileBytes.
var ErrTooLarge = errors.New("too large for a memory file")

// Encode renders a document as memctl writes it: fields in the order of the
// schema of its category, then those that it does not know by name; two spaces
// of indentation, UTF-8 as it is, a final newline.
func (d Document) Encode() ([]byte, error) {
	set, err := ours()
	if err != nil {
		return nil, err
	}
	e := encoder{}
	e.value(set.schemaFor(map[string]any(d)), map[string]any(d), 0)
	e.buf.WriteByte('\n')
	if e.full() {
		return nil, fmt.Errorf("%w: it holds at most %d MiB", ErrTooLarge, MaxFileBytes>>20)
	}
	return e.buf.Bytes(), e.err
}
