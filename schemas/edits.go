package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Parse reads a value as a person types it, text without quotes, and returns it as
// JSON. A value that the setting does not take is an error.
func (s Setting) Parse(typed string) (json.RawMessage, error) {
	raw := json.RawMessage(strings.TrimSpace(typed))
	if _, isText := s.Default.(string); isText || !json.Valid(raw) {
		raw, _ = EncodeJSON(typed) // a string: cannot fail
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Key, err) // a number out of range
	}
	var e evaluator
	e.value(s.schema(), value)
	if len(e.found) > 0 {
		v := e.found[0]
		return nil, fmt.Errorf("%s: expected %s, got %s", s.Key, v.Expected, v.Got)
	}
	return raw, nil
}

// Set puts a value that Parse returned into the bytes of memory-config.json, nil
// for no file. Every other byte stays as it is.
func (s Setting) Set(data []byte, value json.RawMessage) ([]byte, error) {
	if data == nil {
		data = []byte("{}\n")
	}
	return s.edit(data, value, func(doc *hujson.Value) error {
		section, i, names := locate(doc, s.Key)
		if i < 0 {
			return s.insert(doc, section, names, value)
		}
		parsed, err := hujson.Parse(value)
		section.Value.(*hujson.Object).Members[i].Value.Value = parsed.Value
		return err
	})
}

// Unset removes the setting, so that its default applies.
func (s Setting) Unset(data []byte) ([]byte, error) {
	if data == nil {
		return nil, nil
	}
	return s.edit(data, s.encodedDefault(), func(doc *hujson.Value) error {
		section, i, _ := locate(doc, s.Key)
		if i < 0 {
			return nil
		}
		object := section.Value.(*hujson.Object)
		space := object.Members[0].Name.BeforeExtra
		object.Members = slices.Delete(object.Members, i, i+1)
		if len(object.Members) > 0 {
			object.Members[0].Name.BeforeExtra = space
		} else {
			object.AfterExtra = nil
		}
		return nil
	})
}

// edit makes a change and checks that the setting then has the value want.
func (s Setting) edit(data []byte, want json.RawMessage, change func(*hujson.Value) error) ([]byte, error) {
	if _, err := DecodeDocument(data); err != nil {
		return nil, err // in particular for a repeated key
	}
	object := bytes.TrimPrefix(data, byteOrderMark)
	doc, err := hujson.Parse(object)
	if err != nil {
		return nil, err
	}
	if err := change(&doc); err != nil {
		return nil, err
	}
	edited := doc.Pack()
	c, warnings := DecodeConfig(edited)
	if !sameValue(s.In(c).Value, want) {
		for _, w := range warnings {
			if w.Key == s.Key {
				return nil, fmt.Errorf("%s: %s", s.Key, w.Problem)
			}
		}
		return nil, fmt.Errorf("%s: the file says something else in another spelling of the key", s.Key)
	}
	mark := data[:len(data)-len(object)] // a byte order mark
	return slices.Concat(mark, edited), nil
}

func sameValue(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// locate follows a dotted key as far as the document has it. It returns the innermost
// value on the way, the names that lead on from there, and the index of the first of
// them in that section, -1 if it is missing.
func locate(doc *hujson.Value, key string) (section *hujson.Value, i int, names []string) {
	section, names = doc, strings.Split(key, ".")
	for path := ""; ; names = names[1:] {
		i = lastMember(section, names[0], foldsCase(path))
		if i < 0 || len(names) == 1 {
			return section, i, names
		}
		path = strings.TrimPrefix(path+"."+names[0], ".")
		section = &section.Value.(*hujson.Object).Members[i].Value
	}
}

// lastMember returns the index of the last member of that name, which is the one that
// counts, -1 for none.
func lastMember(section *hujson.Value, name string, anyCase bool) int {
	object, ok := section.Value.(*hujson.Object)
	if !ok {
		return -1
	}
	for i, m := range slices.Backward(object.Members) {
		if got := m.Name.Value.(hujson.Literal).String(); got == name || anyCase && strings.EqualFold(got, name) {
			return i
		}
	}
	return -1
}

// insert adds the value below a section, with the sections that are missing on the way
// to it. The new member looks like the last one of the section.
func (s Setting) insert(doc, v *hujson.Value, names []string, value json.RawMessage) error {
	section, ok := v.Value.(*hujson.Object)
	if !ok {
		path := strings.TrimSuffix(s.Key, "."+strings.Join(names, "."))
		return fmt.Errorf("%s: expected an object, got %s", path, kindOf(v.Pack()))
	}
	for _, name := range slices.Backward(names[1:]) {
		value = fmt.Appendf(nil, "{%q:%s}", name, value)
	}
	space := spaceBeforeNext(doc, v, section)
	if at := strings.LastIndexByte(space, '\n'); at >= 0 {
		var indented bytes.Buffer
		if err := json.Indent(&indented, value, space[at+1:], "  "); err != nil {
			return err
		}
		value = indented.Bytes()
	}
	added, err := hujson.Parse(value)
	if err != nil {
		return err
	}
	added.BeforeExtra = hujson.Extra(" ")
	section.Members = append(section.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: hujson.Extra(space), Value: hujson.String(names[0])},
		Value: added,
	})
	return nil
}

// spaceBeforeNext returns the white space to put before a new member of a section.
// In an empty one it also sets the space before the closing brace.
func spaceBeforeNext(doc, v *hujson.Value, section *hujson.Object) string {
	if n := len(section.Members); n > 0 {
		return string(section.Members[n-1].Name.BeforeExtra)
	}
	text := doc.Pack()
	section.AfterExtra = nil
	if v != doc && !bytes.ContainsRune(bytes.TrimSpace(text), '\n') {
		return ""
	}
	line := text[bytes.LastIndexByte(text[:v.StartOffset], '\n')+1 : v.StartOffset]
	indent := "\n" + string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	section.AfterExtra = hujson.Extra(indent)
	return indent + "  "
}
