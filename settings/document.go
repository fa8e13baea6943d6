// Package settings owns the client's settings.json: which hooks and permission
// rules stand in it, and adding and removing those of memctl. Bytes in, bytes
// out: whatever else a file holds stays as it is, byte for byte. It touches no
// files.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// byteOrderMark may open a settings file: the client passes over it.
var byteOrderMark = []byte("\ufeff")

// document is a settings file taken apart, white space and all.
type document struct {
	mark []byte // the byte order mark, if there is one
	text []byte // what follows it
	root hujson.Value
	layout
}

// parse takes what the client takes: strict JSON, so no comments and no trailing
// commas, and an object. A file without a value in it is an empty object.
func parse(data []byte) (*document, error) {
	text, marked := bytes.CutPrefix(data, byteOrderMark)
	d := &document{text: text}
	if marked {
		d.mark = byteOrderMark
	}
	if len(bytes.TrimSpace(text)) == 0 {
		d.text = []byte("{}\n")
	}
	if err := d.strict(); err != nil {
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

// strict also bounds how deep values nest, which hujson does not.
func (d *document) strict() error {
	var value json.RawMessage
	err := json.Unmarshal(d.text, &value)
	var wrong *json.SyntaxError
	if !errors.As(err, &wrong) {
		return err
	}
	return fmt.Errorf("%s: %w", d.place(int(wrong.Offset)-1), wrong) // at the byte read last
}

// bytes renders the document: where nothing was changed, as it was given.
func (d *document) bytes(given []byte) []byte {
	packed := d.root.Pack()
	if bytes.Equal(packed, d.text) {
		return given
	}
	return append(bytes.Clone(d.mark), packed...)
}

// place is where in the file an offset is, as editors count: in characters.
func (d *document) place(offset int) string {
	before := d.text[:min(offset, len(d.text))]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("line %d, column %d", 1+bytes.Count(before, []byte("\n")), 1+utf8.RuneCount(before[lineStart:]))
}

// object takes a value for an object. One that names a member twice is refused:
// the client takes the last, another program the first.
func (d *document) object(v *hujson.Value, name string) (*hujson.Object, error) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, d.mistaken(v, name, "an object")
	}
	seen := make(map[string]bool, len(object.Members))
	for i := range object.Members {
		key := object.Members[i].Name
		if seen[nameOf(key)] {
			return nil, fmt.Errorf("%s: %s: %q is there twice", d.place(key.StartOffset), name, nameOf(key))
		}
		seen[nameOf(key)] = true
	}
	return object, nil
}

func (d *document) array(v *hujson.Value, name string) (*hujson.Array, error) {
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, d.mistaken(v, name, "an array")
	}
	return array, nil
}

func (d *document) mistaken(v *hujson.Value, name, expected string) error {
	return fmt.Errorf("%s: %s: expected %s, found %s", d.place(v.StartOffset), name, expected, kindOf(v))
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

// member returns the value of an object's member, nil where there is none. It
// points into the object, until a member is added or removed.
func member(object *hujson.Object, name string) *hujson.Value {
	for i := range object.Members {
		if nameOf(object.Members[i].Name) == name {
			return &object.Members[i].Value
		}
	}
	return nil
}

func (d *document) top() *hujson.Object { return d.root.Value.(*hujson.Object) }

// section is an object at the top of the file, nil where there is none.
func (d *document) section(name string) (*hujson.Object, error) {
	v := member(d.top(), name)
	if v == nil {
		return nil, nil
	}
	return d.object(v, name)
}

// decode reads a value as Go's JSON decoder does; false where it is of another
// type.
func decode(v *hujson.Value, into any) bool {
	return v != nil && json.Unmarshal(v.Pack(), into) == nil
}
