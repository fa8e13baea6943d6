package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// maxBrackets bounds the nesting of JSON with comments, whose parser has no bound.
const maxBrackets = 10_000

// DecodeDraft is DecodeExact for what a person writes: JSON that may have comments
// and trailing commas.
func DecodeDraft(data []byte) (*Memory, error) {
	plain, err := withoutComments(data)
	if err != nil {
		return nil, err
	}
	return DecodeExact(plain)
}

// withoutComments replaces comments and trailing commas by spaces, so that positions
// stay. It leaves what is JSON already, or cannot be made JSON.
func withoutComments(data []byte) ([]byte, error) {
	text := bytes.TrimPrefix(data, byteOrderMark)
	if json.Valid(text) || bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets {
		return data, nil
	}
	plain, err := hujson.Standardize(bytes.Clone(text))
	switch {
	case err == nil:
		return plain, nil
	case bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*")):
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return data, nil // DecodeExact says what is wrong
}

// LineOf returns the line of a field, a dotted path as in a Violation, in a document
// that DecodeDraft accepts. For a field that is not there it is the line of the
// innermost object or list around it, and 0 if nothing can be found.
func LineOf(data []byte, field string) int {
	plain, err := withoutComments(data)
	if err != nil || !json.Valid(bytes.TrimPrefix(plain, byteOrderMark)) {
		return 0
	}
	doc, err := hujson.Parse(bytes.TrimPrefix(plain, byteOrderMark))
	if err != nil {
		return 0
	}
	at := offsetOf(&doc, nil, field)
	return 1 + bytes.Count(plain[:min(at, len(plain))], []byte("\n"))
}

// offsetOf returns where the field begins below v, whose own path is given.
func offsetOf(v *hujson.Value, path []string, field string) int {
	at := v.StartOffset
	step := func(name string, start int, value *hujson.Value) {
		path := append(path[:len(path):len(path)], name)
		switch found := dotted(path); {
		case found == field:
			at = start
		case strings.HasPrefix(field, found+"."):
			at = offsetOf(value, path, field)
		}
	}
	switch v := v.Value.(type) {
	case *hujson.Object:
		for i := range v.Members {
			m := &v.Members[i]
			step(m.Name.Value.(hujson.Literal).String(), m.Name.StartOffset, &m.Value)
		}
	case *hujson.Array:
		for i := range v.Elements {
			step(strconv.Itoa(i), v.Elements[i].StartOffset, &v.Elements[i])
		}
	}
	return at
}
