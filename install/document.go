package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// byteOrderMark may open a settings file; the client skips it.
var byteOrderMark = []byte("\ufeff")

// document is a parsed file of the client. It keeps all white space. Values are named
// by JSON pointers (RFC 6901).
type document struct {
	data []byte // the file as it was given
	text []byte // without the byte order mark, never empty
	root hujson.Value
	layout
	err error // the first error of a method below
}

// parse accepts what the client accepts: an object in strict JSON, without comments
// and trailing commas. An empty file is an empty object.
func parse(data []byte) (*document, error) {
	d := &document{data: data, text: bytes.TrimPrefix(data, byteOrderMark)}
	if len(bytes.TrimSpace(d.text)) == 0 {
		d.text = []byte("{}\n")
	}
	// hujson accepts comments, and does not limit how deep values nest.
	var syntax *json.SyntaxError
	if err := json.Unmarshal(d.text, new(json.RawMessage)); errors.As(err, &syntax) {
		return nil, fmt.Errorf("%s: %w", d.position(int(syntax.Offset)-1), err) // of the last byte read
	}
	if !utf8.Valid(d.text) {
		return nil, errors.New("it is not UTF-8")
	}
	root, err := hujson.Parse(d.text)
	if err != nil {
		return nil, err
	}
	d.root, d.layout = root, layoutOf(d.text, &root)
	d.object(&d.root, "the settings")
	return d, d.err
}

// bytes renders the document. An unchanged one has the bytes that were given.
func (d *document) bytes() []byte {
	packed := d.root.Pack()
	if bytes.Equal(packed, d.text) {
		return d.data
	}
	if bytes.HasPrefix(d.data, byteOrderMark) {
		packed = slices.Concat(byteOrderMark, packed)
	}
	return packed
}

// fail keeps an error about the value at an offset.
func (d *document) fail(offset int, format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%s: %w", d.position(offset), fmt.Errorf(format, args...))
	}
}

// position converts an offset to a line and a column, which counts characters.
func (d *document) position(offset int) string {
	before := d.text[:min(offset, len(d.text))]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("line %d, column %d", 1+bytes.Count(before, []byte("\n")), 1+utf8.RuneCount(before[lineStart:]))
}

// object returns a value that has to be an object, an empty one for nil. A duplicate
// member is an error: the client takes the last one, another program the first.
func (d *document) object(v *hujson.Value, name string) *hujson.Object {
	if v == nil {
		return new(hujson.Object)
	}
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		d.fail(v.StartOffset, "%s: expected an object, found %s", name, kindOf(v))
		return new(hujson.Object)
	}
	seen := make(map[string]bool, len(object.Members))
	for _, m := range object.Members {
		if seen[nameOf(m)] {
			d.fail(m.Name.StartOffset, "%s: %q is there twice", name, nameOf(m))
		}
		seen[nameOf(m)] = true
	}
	return object
}

// array returns a value that has to be an array, an empty one for nil.
func (d *document) array(v *hujson.Value, name string) *hujson.Array {
	if v == nil {
		return new(hujson.Array)
	}
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		d.fail(v.StartOffset, "%s: expected an array, found %s", name, kindOf(v))
		return new(hujson.Array)
	}
	return array
}

func kindOf(v *hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	}
	return v.Value.(hujson.Literal).String()
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// member returns the value of an object's member, or nil. The pointer is valid until
// a member is added or removed.
func member(object *hujson.Object, name string) *hujson.Value {
	for i := range object.Members {
		if nameOf(object.Members[i]) == name {
			return &object.Members[i].Value
		}
	}
	return nil
}

// section returns an object at the top of the file, an empty one if it is missing.
func (d *document) section(name string) *hujson.Object {
	return d.object(d.root.Find("/"+name), name)
}

// put sets a value and adds the objects and arrays around it. An object is merged with
// the one that is there: its other members stay. The last part of the pointer is "-" for
// a new element of an array.
func (d *document) put(pointer string, value hujson.Value) {
	existing := d.root.Find(pointer)
	if existing == nil {
		container, key := cutLast(pointer)
		if c := d.root.Find(container); c != nil {
			d.add(c, strings.Count(container, "/"), key, value)
		} else {
			d.put(container, within(key, value))
		}
		return
	}
	object, ok := value.Value.(*hujson.Object)
	if !ok {
		if !equal(*existing, value) {
			existing.Value = value.Value
			d.arrange(existing, "", false)
		}
		return
	}
	for _, m := range object.Members {
		d.put(pointer+"/"+nameOf(m), m.Value)
	}
}

// within returns an object or an array that holds one value.
func within(key string, value hujson.Value) hujson.Value {
	if key == "-" {
		return hujson.Value{Value: &hujson.Array{Elements: []hujson.ArrayElement{value}}}
	}
	return hujson.Value{Value: &hujson.Object{Members: []hujson.ObjectMember{newMember(key, value)}}}
}

func newMember(name string, value hujson.Value) hujson.ObjectMember {
	return hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(name)}, Value: value}
}

// remove deletes a value and every object or array that becomes empty. A group of hooks
// goes with its last hook.
func (d *document) remove(pointer string) {
	for pointer != "" {
		patch := fmt.Appendf(nil, `[{"op": "remove", "path": %s}]`, []byte(hujson.String(pointer)))
		if err := d.root.Patch(patch); err != nil {
			d.err = err
			return
		}
		pointer, _ = cutLast(pointer)
		if !isEmpty(d.root.Find(pointer)) {
			break
		}
		if strings.Count(pointer, "/") == hooksDepth {
			pointer, _ = cutLast(pointer)
		}
	}
	d.root.Standardize() // white space before a comma may have become a trailing comma
}

func isEmpty(v *hujson.Value) bool {
	before, _, _ := parts(v)
	return len(before) == 0
}

// hooksDepth is the depth of the list in a group: /hooks/EVENT/0/hooks.
const hooksDepth = 4

// cutLast splits a pointer into that of the container and the key in it.
func cutLast(pointer string) (container, key string) {
	at := strings.LastIndexByte(pointer, '/')
	return pointer[:at], pointer[at+1:]
}

// escapePointer makes a name part of a pointer.
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// decode unmarshals a value. It skips what has another type than its place in into.
func decode(v *hujson.Value, into any) {
	if v != nil {
		_ = json.Unmarshal(v.Pack(), into)
	}
}

// encode converts strings and numbers, and structs of them, to JSON.
func encode(value any) hujson.Value {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // people read the commands
	_ = encoder.Encode(value)    // these always encode
	v, _ := hujson.Parse(bytes.TrimSpace(text.Bytes()))
	return v
}

func equal(a, b hujson.Value) bool {
	var left, right any
	decode(&a, &left)
	decode(&b, &right)
	return reflect.DeepEqual(left, right)
}
