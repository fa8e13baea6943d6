package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// ErrTooLarge reports a memory whose file would be larger than MaxFileBytes.
var ErrTooLarge = errors.New("too large for a memory file")

// Encode renders a memory as memctl writes it: its fields in the order of the schema,
// then all others by name; two-space indent, unescaped UTF-8, a final newline. Of one
// that is too large it returns the beginning.
func (m *Memory) Encode() ([]byte, error) {
	var e encoder
	e.value(reflect.ValueOf(m), 0)
	e.buf.WriteByte('\n')
	if e.full() {
		return e.buf.Bytes(), fmt.Errorf("%w: it holds at most %d MiB", ErrTooLarge, MaxFileBytes>>20)
	}
	return e.buf.Bytes(), e.err
}

// encoder writes indented JSON. It stops soon after the file has become too large:
// indentation would turn a hostile nest of lists into gigabytes.
type encoder struct {
	buf bytes.Buffer
	err error
}

func (e *encoder) full() bool { return e.buf.Len() > MaxFileBytes }

func (e *encoder) value(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		e.value(v.Elem(), depth)
	case reflect.Struct, reflect.Map:
		e.list('{', '}', depth, func(line func()) {
			for name, member := range members(v) {
				line()
				e.scalar(name)
				e.buf.WriteString(": ")
				e.value(member, depth+1)
			}
		})
	case reflect.Slice:
		if v.Type() == rawType {
			e.value(reflect.ValueOf(plain(v)), depth)
			return
		}
		e.list('[', ']', depth, func(line func()) {
			for i := range v.Len() {
				line()
				e.value(v.Index(i), depth+1)
			}
		})
	case reflect.Invalid:
		e.scalar(nil)
	default:
		e.scalar(v.Interface())
	}
}

// list writes the items of an object or a list, each on a line. One without items stays
// on its line.
func (e *encoder) list(open, end byte, depth int, items func(line func())) {
	if e.full() {
		return
	}
	e.buf.WriteByte(open)
	n := 0
	items(func() {
		if n++; n > 1 {
			e.buf.WriteByte(',')
		}
		e.indent(depth + 1)
	})
	if n > 0 {
		e.indent(depth)
	}
	e.buf.WriteByte(end)
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
