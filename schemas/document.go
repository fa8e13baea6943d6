package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Document is a memory file field by field, including fields that no schema knows:
// a file that is written again must not lose what Memory has no place for. Numbers
// are json.Number, so that they keep their digits.
type Document map[string]any

// DecodeDocument reads a JSON object. A repeated key is an error: one of the two
// values would be lost in writing.
func DecodeDocument(data []byte) (Document, error) {
	var object json.RawMessage
	if err := decodeObject(data, &object); err != nil {
		return nil, err
	}
	if twice := repeatedKeys(object); len(twice) > 0 {
		return nil, fmt.Errorf("the key %q stands twice", twice[0].Field)
	}
	v, err := DecodeAny(object)
	d, _ := v.(map[string]any)
	return d, err
}

// ErrTooLarge reports a document whose file would be larger than MaxFileBytes.
var ErrTooLarge = errors.New("too large for a memory file")

// Encode renders a document as memctl writes it: the fields of the category's
// schema in its order, then all others by name; two-space indent, unescaped UTF-8,
// a final newline.
func (d Document) Encode() ([]byte, error) {
	set, err := memorySchemas()
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
