package install

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

// byteOrderMark may open a settings file; the client skips it.
var byteOrderMark = []byte("\ufeff")

// document is a parsed file of the client. It keeps all white space.
type document struct {
	mark []byte // the byte order mark, if the file has one
	text []byte // the rest of the file
	root hujson.Value
	layout
}

// parse accepts what the client accepts: an object in strict JSON, without comments
// and trailing commas. An empty file is an empty object.
func parse(data []byte) (*document, error) {
	text, marked := bytes.CutPrefix(data, byteOrderMark)
	d := &document{text: text}
	if marked {
		d.mark = byteOrderMark
	}
	if len(bytes.TrimSpace(text)) == 0 {
		d.text = []byte("{}\n")
	}
	if err := d.checkStrict(); err != nil {
		return nil, err
	}
	root, err := hujson.Parse(d.text)
	if err != nil {
		return nil, err
	}
	d.root = root
	if _, err := d.object(&d.root, "the settings"); err != nil {
		return nil, err
	}
	d.layout = layoutOf(d.text, &d.root)
	return d, nil
}

// checkStrict also limits how deep values nest, which hujson does not.
func (d *document) checkStrict() error {
	var value json.RawMessage
	err := json.Unmarshal(d.text, &value)
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	return fmt.Errorf("%s: %w", d.position(int(syntax.Offset)-1), syntax) // of the last byte read
}

// bytes renders the document. An unchanged one has the bytes that were given.
func (d *document) bytes(given []byte) []byte {
	packed := d.root.Pack()
	if bytes.Equal(packed, d.text) {
		return given
	}
	return append(bytes.Clone(d.mark), packed...)
}

// position converts an offset to a line and a column, which counts characters.
func (d *document) position(offset int) string {
	before := d.text[:min(offset, len(d.text))]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("line %d, column %d", 1+bytes.Count(before, []byte("\n")), 1+utf8.RuneCount(before[lineStart:]))
}

// object returns a value that has to be an object. A duplicate member is an error:
// the client takes the last one, another program the first.
func (d *document) object(v *hujson.Value, name string) (*hujson.Object, error) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, d.typeError(v, name, "an object")
	}
	seen := make(map[string]bool, len(object.Members))
	for i := range object.Members {
		key := object.Members[i].Name
		if seen[nameOf(key)] {
			return nil, fmt.Errorf("%s: %s: %q is there twice", d.position(key.StartOffset), name, nameOf(key))
		}
		seen[nameOf(key)] = true
	}
	return object, nil
}

// array returns a value that has to be an array.
func (d *document) array(v *hujson.Value, name string) (*hujson.Array, error) {
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, d.typeError(v, name, "an array")
	}
	return array, nil
}

func (d *document) typeError(v *hujson.Value, name, expected string) error {
	return fmt.Errorf("%s: %s: expected %s, found %s", d.position(v.StartOffset), name, expected, kindOf(v))
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

func nameOf(key hujson.Value) string { return key.Value.(hujson.Literal).String() }

// member returns the value of an object's member, or nil. The pointer is valid until
// a member is added or removed.
func member(object *hujson.Object, name string) *hujson.Value {
	for i := range object.Members {
		if nameOf(object.Members[i].Name) == name {
			return &object.Members[i].Value
		}
	}
	return nil
}

func (d *document) top() *hujson.Object { return d.root.Value.(*hujson.Object) }

// section returns an object at the top of the file, or nil.
func (d *document) section(name string) (*hujson.Object, error) {
	v := member(d.top(), name)
	if v == nil {
		return nil, nil
	}
	return d.object(v, name)
}

// makeSection returns an object at the top of the file and adds it if it is missing.
func (d *document) makeSection(name string) (*hujson.Object, error) {
	object, err := d.section(name)
	if err == nil && object == nil {
		object = new(hujson.Object)
		d.addMember(d.top(), inSettings, name, object)
	}
	return object, err
}

// makeArray returns an array of a section and adds it if it is missing.
func (d *document) makeArray(section *hujson.Object, name, path string) (*hujson.Array, error) {
	if v := member(section, name); v != nil {
		return d.array(v, path)
	}
	array := new(hujson.Array)
	d.addMember(section, inSection, name, array)
	return array, nil
}

// pointer is the JSON pointer (RFC 6901) of a value. parts are names and indexes.
func pointer(parts ...any) string {
	var p strings.Builder
	for _, part := range parts {
		p.WriteByte('/')
		p.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(fmt.Sprint(part)))
	}
	return p.String()
}

// remove deletes values, given in the file's order, and every container that becomes
// empty. A group of hooks goes with its last hook.
func (d *document) remove(pointers []string) error {
	for _, p := range slices.Backward(pointers) {
		for p != "" {
			if err := d.root.Patch(fmt.Appendf(nil, `[{"op": "remove", "path": %s}]`, []byte(hujson.String(p)))); err != nil {
				return err
			}
			p = parent(p)
			if !isEmpty(d.root.Find(p).Value) {
				break
			}
			if strings.Count(p, "/") == hooksDepth {
				p = parent(p)
			}
		}
	}
	d.root.Standardize() // white space before a comma may have become a trailing comma
	return nil
}

// hooksDepth is the depth of the list in a group: /hooks/EVENT/0/hooks.
const hooksDepth = 4

func parent(pointer string) string { return pointer[:strings.LastIndexByte(pointer, '/')] }

func isEmpty(v hujson.ValueTrimmed) bool {
	switch v := v.(type) {
	case *hujson.Object:
		return len(v.Members) == 0
	case *hujson.Array:
		return len(v.Elements) == 0
	}
	return false
}

// decode unmarshals a value and reports whether it has the type of into.
func decode(v *hujson.Value, into any) bool {
	return v != nil && json.Unmarshal(v.Pack(), into) == nil
}
