// Package jsonedit changes values in a JSON file and leaves every other byte as it is.
// What it adds follows the file's layout. It does not know what the values mean.
package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// byteOrderMark may open a file of another program.
var byteOrderMark = []byte("\ufeff")

// File is a parsed file. It keeps all white space. Values are named by JSON pointers
// (RFC 6901).
type File struct {
	data []byte // as it was given
	text []byte // without the byte order mark, never empty
	root hujson.Value
	layout
	err error
}

// Parse reads an object in strict JSON, without comments and trailing commas. An empty
// file is an empty object.
func Parse(data []byte) (*File, error) {
	f := &File{data: data, text: WithoutMark(data)}
	if len(bytes.TrimSpace(f.text)) == 0 {
		f.text = []byte("{}\n")
	}
	// hujson accepts comments, and does not limit how deep values nest.
	var syntax *json.SyntaxError
	if err := json.Unmarshal(f.text, new(json.RawMessage)); errors.As(err, &syntax) {
		return nil, fmt.Errorf("%s: %w", Position(f.text, int(syntax.Offset)-1), err) // of the last byte read
	}
	if !utf8.Valid(f.text) {
		return nil, errors.New("it is not UTF-8")
	}
	root, err := hujson.Parse(f.text)
	if err != nil {
		return nil, err
	}
	f.root, f.layout = root, layoutOf(f.text, &root)
	f.Root().Members()
	return f, f.err
}

// WithoutMark returns the bytes of a file without the byte order mark.
func WithoutMark(data []byte) []byte { return bytes.TrimPrefix(data, byteOrderMark) }

// Err is the first error of a method of the file or of its values.
func (f *File) Err() error { return f.err }

// Bytes renders the file. An unchanged one has the bytes that were given.
func (f *File) Bytes() []byte {
	packed := f.root.Pack()
	if bytes.Equal(packed, f.text) {
		return f.data
	}
	if bytes.HasPrefix(f.data, byteOrderMark) {
		packed = slices.Concat(byteOrderMark, packed)
	}
	return packed
}

// Position converts an offset in a text to a line and a column from 1. Columns count characters.
func Position(text []byte, offset int) string {
	before := text[:max(0, min(offset, len(text)))]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("line %d, column %d", 1+bytes.Count(before, []byte("\n")), 1+utf8.RuneCount(before[lineStart:]))
}

// fail keeps an error about the value at an offset.
func (f *File) fail(offset int, format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("%s: %w", Position(f.text, offset), fmt.Errorf(format, args...))
	}
}

// Put sets a value and adds the objects and arrays around it. An object is merged with
// the one that is there: its other members stay. The last part of the pointer is "-" for
// a new element of an array.
func (f *File) Put(pointer string, value any) {
	if v := f.encode(value); f.err == nil {
		f.put(pointer, v)
	}
}

// Strip removes the members of an object that a value does not have, and returns their names.
func (f *File) Strip(pointer string, value any) (names []string) {
	v := f.encode(value)
	for _, m := range slices.Backward(f.At(pointer).Members()) {
		if f.err == nil && v.Find(Pointer("", m.Name)) == nil {
			names = append(names, m.Name)
			f.Remove(m.Pointer)
		}
	}
	slices.Reverse(names)
	return names
}

func (f *File) put(pointer string, value hujson.Value) {
	existing := f.root.Find(pointer)
	if existing == nil {
		container, key := Cut(pointer)
		c := f.At(container)
		if !c.Exists() {
			f.put(container, within(key, value))
			return
		}
		if key == "-" {
			c.Elements() // fails if it is none
		} else {
			c.Members()
		}
		if f.err == nil {
			f.add(c.value, strings.Count(container, "/"), key, value)
		}
		return
	}
	object, ok := value.Value.(*hujson.Object)
	if !ok {
		if !equal(*existing, value) {
			existing.Value = value.Value
			f.arrange(existing, "", false)
		}
		return
	}
	for _, m := range object.Members {
		f.put(Pointer(pointer, nameOf(m)), m.Value)
	}
}

// within returns an object or an array that holds one value.
func within(key string, value hujson.Value) hujson.Value {
	if key == "-" {
		return hujson.Value{Value: &hujson.Array{Elements: []hujson.ArrayElement{value}}}
	}
	return hujson.Value{Value: &hujson.Object{Members: []hujson.ObjectMember{newMember(key, value)}}}
}

func newMember(key string, value hujson.Value) hujson.ObjectMember {
	return hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(unescape(key))}, Value: value}
}

// Remove deletes a value. The next one stands where the first stood.
func (f *File) Remove(pointer string) {
	container, _ := Cut(pointer)
	parent, v := f.root.Find(container), f.root.Find(pointer)
	if v == nil {
		return
	}
	before, values, after := parts(parent)
	at, space := slices.Index(values, v), *before[0]
	switch c := parent.Value.(type) {
	case *hujson.Object:
		c.Members = slices.Delete(c.Members, at, at+1)
	case *hujson.Array:
		c.Elements = slices.Delete(c.Elements, at, at+1)
	}
	switch n := len(before) - 1; {
	case n == 0:
		*after = nil
	case at == 0:
		*before[0] = space
	case at == n: // white space before the comma would make it a trailing comma
		last := values[n-1]
		*after, last.AfterExtra = append(last.AfterExtra, *after...), nil
	}
}

// Prune removes a value and every object or array that becomes empty.
func (f *File) Prune(pointer string) {
	for pointer != "" {
		f.Remove(pointer)
		if pointer, _ = Cut(pointer); !f.At(pointer).IsEmpty() {
			return
		}
	}
}
