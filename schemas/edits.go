package schemas

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"memctl/jsonedit"
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
// for no file: what applied without one goes into the new file. Every other byte stays as it is.
func (s Setting) Set(data []byte, value json.RawMessage) ([]byte, error) {
	return s.edit(data, value, func(f *jsonedit.File) { f.Put(s.pointer(f), value) })
}

// Unset removes the setting, so that its default applies.
func (s Setting) Unset(data []byte) ([]byte, error) {
	if c, _ := DecodeConfig(nil); data == nil && sameValue(s.In(c).Value, s.encodedDefault()) {
		return nil, nil
	}
	return s.edit(data, s.encodedDefault(), func(f *jsonedit.File) { f.Remove(s.pointer(f)) })
}

// edit makes a change and checks that the setting then has the value want.
func (s Setting) edit(data []byte, want json.RawMessage, change func(*jsonedit.File)) ([]byte, error) {
	if data == nil {
		data = []byte(withoutFile)
	}
	if _, err := DecodeExact(data); err != nil {
		return nil, err // in particular for a repeated key
	}
	f, err := jsonedit.Parse(data)
	if err != nil {
		return nil, err
	}
	change(f)
	edited := f.Bytes()
	c, warnings := DecodeConfig(edited)
	if f.Err() == nil && sameValue(s.In(c).Value, want) {
		return edited, nil
	}
	for _, w := range warnings {
		if w.Key == s.Key {
			return nil, fmt.Errorf("%s: %s", s.Key, w.Problem)
		}
	}
	return nil, cmp.Or(f.Err(), fmt.Errorf("%s: the file says something else in another spelling of the key", s.Key))
}

func sameValue(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// pointer names the place of the setting in a file. Of several spellings of a key the last
// one counts.
func (s Setting) pointer(f *jsonedit.File) (pointer string) {
	path := ""
	for name := range strings.SplitSeq(s.Key, ".") {
		key := name
		if section := f.At(pointer); section.IsObject() {
			for _, m := range section.Members() {
				if m.Name == name || foldsCase(path) && strings.EqualFold(m.Name, name) {
					key = m.Name
				}
			}
		}
		pointer, path = jsonedit.Pointer(pointer, key), strings.TrimPrefix(path+"."+name, ".")
	}
	return pointer
}
