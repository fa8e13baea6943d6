package schemas

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Setting is one key of memory-config.json, as ConfigSchema states it.
type Setting struct {
	Key         string // dotted
	Description string
	Default     json.RawMessage
	schema      *schema
}

// Settings lists every setting in the order of the schema.
func Settings() ([]Setting, error) {
	root, err := decodeSchema(ConfigSchema)
	if err != nil {
		return nil, fmt.Errorf("decode the schema of the configuration: %w", err)
	}
	return root.settings(""), nil
}

func (s *schema) settings(path string) []Setting {
	if s.Properties == nil {
		return []Setting{{path, s.Description, s.Default, s}}
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		if !strings.HasPrefix(name, "$") { // "$schema" is for editors
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(s.Properties[a].place, s.Properties[b].place) })
	var list []Setting
	for _, name := range names {
		list = append(list, s.Properties[name].settings(strings.TrimPrefix(path+"."+name, "."))...)
	}
	return list
}

// Parse reads a value as it is typed: text stands without quotes.
func (s Setting) Parse(typed string) (json.RawMessage, error) {
	raw := json.RawMessage(strings.TrimSpace(typed))
	if s.takesText() || !json.Valid(raw) {
		raw = encodeText(typed)
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Key, err) // a number out of range
	}
	var e evaluator
	e.value(s.schema, value)
	if len(e.found) > 0 {
		v := e.found[0]
		return nil, fmt.Errorf("%s: expected %s, got %s", s.Key, v.Expected, v.Got)
	}
	return raw, nil
}

func (s Setting) takesText() bool {
	return s.schema.Type == "string" || s.schema.Enum != nil || s.schema.Const != nil
}

// In returns what a configuration says of the setting.
func (s Setting) In(c Config) (json.RawMessage, error) {
	value, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(s.Key, ".") {
		var inner json.RawMessage
		for key, member := range members(value) {
			if key == name {
				inner = member
			}
		}
		value = inner
	}
	if value == nil {
		return nil, errors.New("no value for " + s.Key)
	}
	return value, nil
}

// Set puts a value that Parse has read into the bytes of memory-config.json,
// nil for none yet. All else stays as it is, byte for byte.
func (s Setting) Set(data []byte, value json.RawMessage) ([]byte, error) {
	if data == nil {
		data = []byte("{}\n")
	}
	return s.edit(data, value, func(doc []byte, path []string) ([]byte, error) {
		return setValue(doc, path, value, inAnyCase)
	})
}

// Unset takes the setting out, so that its default holds.
func (s Setting) Unset(data []byte) ([]byte, error) {
	if data == nil {
		return nil, nil
	}
	return s.edit(data, s.Default, func(doc []byte, path []string) ([]byte, error) {
		return removeValue(doc, path, inAnyCase), nil
	})
}

// edit makes a change after which want is to hold.
func (s Setting) edit(data []byte, want json.RawMessage, edit func(doc []byte, path []string) ([]byte, error)) ([]byte, error) {
	doc, err := objectIn(data)
	if err != nil {
		return nil, err
	}
	if twice := repeatedKeys(doc); len(twice) > 0 {
		return nil, fmt.Errorf("the key %s stands twice", twice[0].Field)
	}
	edited, err := edit(doc, strings.Split(s.Key, "."))
	if err != nil {
		return nil, err
	}
	c, warnings := DecodeConfig(edited)
	if got, err := s.In(c); err != nil || !sameValue(got, want) {
		for _, w := range warnings {
			if w.Key == s.Key {
				return nil, fmt.Errorf("%s: %s", s.Key, w.Problem)
			}
		}
		return nil, fmt.Errorf("%s: the file says something else in another spelling of the key", s.Key)
	}
	return append(bytes.Clone(data[:len(data)-len(doc)]), edited...), nil // a byte order mark
}

func sameValue(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// inAnyCase tells which objects have names of categories for keys: DecodeConfig
// takes those in any case.
func inAnyCase(parents []string) bool {
	path := strings.Join(parents, ".")
	return path == "categories" || path == "triage.thresholds"
}
