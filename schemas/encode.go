package schemas

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// encoder writes the values of a Document in the order of their schemas. It stops
// soon after the file has become too large: indentation would turn a hostile nest
// of lists into gigabytes.
type encoder struct {
	buf bytes.Buffer
	err error
}

func (e *encoder) full() bool { return e.buf.Len() > MaxFileBytes }

func (e *encoder) value(s *schema, v any, depth int) {
	if e.full() {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		e.object(s, v, depth)
	case []any:
		e.list(s.itemSchema(), v, depth)
	default:
		e.scalar(v)
	}
}

func (e *encoder) object(s *schema, object map[string]any, depth int) {
	e.buf.WriteByte('{')
	for i, name := range s.ordered(object) {
		e.line(i, depth+1)
		e.scalar(name)
		e.buf.WriteString(": ")
		e.value(s.property(name), object[name], depth+1)
	}
	e.end('}', len(object), depth)
}

func (e *encoder) list(s *schema, list []any, depth int) {
	e.buf.WriteByte('[')
	for i, item := range list {
		e.line(i, depth+1)
		e.value(s, item, depth+1)
	}
	e.end(']', len(list), depth)
}

// line starts the line of item i, counted from 0.
func (e *encoder) line(i, depth int) {
	if i > 0 {
		e.buf.WriteByte(',')
	}
	e.indent(depth)
}

// end closes a list or an object of n items. An empty one stays on its line.
func (e *encoder) end(bracket byte, n, depth int) {
	if n > 0 {
		e.indent(depth)
	}
	e.buf.WriteByte(bracket)
}

func (e *encoder) indent(depth int) {
	if !e.full() { // it may be on the way back out of a deep nest
		e.buf.WriteString("\n" + strings.Repeat("  ", depth))
	}
}

// scalar writes UTF-8 unescaped except for the line separators U+2028 and U+2029,
// which many editors break lines at.
func (e *encoder) scalar(v any) {
	data, err := EncodeJSON(v)
	if err != nil && e.err == nil {
		e.err = err
	}
	e.buf.Write(data)
}

// property returns the schema of a field, nil for an unknown one. A category's schema
// refers to the common one and adds rules for the content.
func (s *schema) property(name string) *schema {
	for ; s != nil; s = s.referred {
		if property := s.Properties[name]; property != nil {
			return property
		}
	}
	return nil
}

func (s *schema) itemSchema() *schema {
	for ; s != nil; s = s.referred {
		if s.Items != nil {
			return s.Items
		}
	}
	return nil
}

// ordered sorts the names of an object's fields as the schemas list them, unknown ones
// last.
func (s *schema) ordered(object map[string]any) []string {
	return slices.SortedFunc(maps.Keys(object), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.placeOf(a), s.placeOf(b)), cmp.Compare(a, b))
	})
}

// placeOf returns the place of a field in its object. The order of the common schema
// takes precedence.
func (s *schema) placeOf(name string) int {
	place := math.MaxInt
	for ; s != nil; s = s.referred {
		if property := s.Properties[name]; property != nil {
			place = property.place
		}
	}
	return place
}
