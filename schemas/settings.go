package schemas

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"memctl/privacy"
	"memctl/text/jsonedit"
)

// Setting is one key of memory-config.json. The fields of Config and their tags are the
// only statement of what the file takes: DecodeConfig, the config command and the
// generated files memory-config.schema.json and memory-config.default.json follow them.
type Setting struct {
	Key     string // dotted, e.g. "retrieval.max_inject"
	Purpose string // in one to three sentences
	// Default is the value in a new root: a bool, int, float64, string or []string, and its
	// type is that of the setting. It is nil for a section.
	Default any

	absent any // the value where the file lacks the key: of some settings that of claude-memory v5
	rules
}

// Settings lists every setting in the order of the schema.
func Settings() []Setting {
	return slices.DeleteFunc(settingsTable(), func(s Setting) bool { return s.Default == nil })
}

// settingsTable lists every setting. A section precedes the settings in it.
func settingsTable() []Setting {
	var table []Setting
	for _, f := range fieldsOf(&Config{}) {
		s := Setting{Key: f.key, Purpose: f.purpose(), rules: f.rules}
		if !f.isSection() {
			s.absent, s.Default = f.value.Interface(), f.value.Interface()
			if initial, ok := f.tag.Lookup("new"); ok {
				f.reset(initial)
				s.Default = f.value.Interface()
			}
		}
		table = append(table, s)
	}
	return table[1:] // without the whole
}

// rules say what a setting takes: the tags of its field, the category in whose section it stands,
// "" for none, and when it takes effect.
type rules struct {
	tag      reflect.StructTag
	category Category
	only     string // the tag of the field or of a section around it
}

// fallback is the default as the tags have it, lists divided by "|".
func (r rules) fallback() string {
	if own, ok := r.tag.Lookup(string(r.category)); ok && r.category != "" {
		return own
	}
	text, ok := r.tag.Lookup("default")
	switch {
	case text == "<model>":
		info, _ := r.category.Info()
		return info.Model
	case !ok && r.fixed():
		return r.Values()[0]
	}
	return text
}

// Values lists the only values of a string, or of the items of a list; nil for any. A
// setting with a single value cannot be changed.
func (r rules) Values() []string {
	words, ok := r.tag.Lookup("words")
	switch {
	case !ok:
		return nil
	case words == "<folder>":
		if info, known := r.category.Info(); known {
			return []string{info.Folder}
		}
		return []string{string(r.category)}
	}
	return strings.Split(words, "|")
}

// fixed reports whether the default is the only value.
func (r rules) fixed() bool { return len(r.Values()) == 1 }

// Range returns the least and the greatest value of a number.
func (r rules) Range() (minimum, greatest float64) {
	minimum, _ = strconv.ParseFloat(r.tag.Get("min"), 64) // 0 without the tag
	greatest, _ = strconv.ParseFloat(r.tag.Get("max"), 64)
	return minimum, greatest
}

// maxItems is how many items a list has at most, 0 for any number.
func (r rules) maxItems() int {
	n, _ := strconv.Atoi(r.tag.Get("items"))
	return n
}

// field is a setting or a section in a Config.
type field struct {
	key string // "" for all of it
	rules
	value  reflect.Value
	values reflect.Value // by category, where the value goes once it is read; invalid for none
}

// fieldsOf sets all of a configuration to its defaults and returns its fields in the
// order of the schema, a section before those in it. keep completes it.
func fieldsOf(c *Config) []field {
	return field{value: reflect.ValueOf(c).Elem()}.withThoseBelow(make([]field, 0, 128))
}

// withThoseBelow appends the field and those in it to a list.
func (f field) withThoseBelow(list []field) []field {
	list = append(list, f)
	switch f.value.Kind() {
	case reflect.Struct:
		for i := range f.value.NumField() {
			tag := f.value.Type().Field(i).Tag
			if name := tag.Get("json"); name != "-" {
				own := rules{tag, f.category, cmp.Or(tag.Get("only"), f.only)}
				member := field{key: f.below(name), rules: own, value: f.value.Field(i)}
				list = member.withThoseBelow(list)
			}
		}
	case reflect.Map:
		f.value.Set(reflect.MakeMap(f.value.Type()))
		for _, info := range Categories {
			list = f.entry(info.Category).withThoseBelow(list)
		}
	default:
		f.reset(f.fallback())
	}
	return list
}

// entry is the field of a category in a section that has one for each.
func (f field) entry(c Category) field {
	own := rules{f.tag, c, f.only}
	if f.tag.Get("always") == string(c) {
		own.only = ""
	}
	value := reflect.New(f.value.Type().Elem()).Elem()
	return field{f.below(dotted([]string{string(c)})), own, value, f.value}
}

// keep puts the values of the categories into the configuration.
func keep(fields []field) {
	for _, f := range fields {
		if f.values.IsValid() {
			f.values.SetMapIndex(reflect.ValueOf(f.category), f.value)
		}
	}
}

// isSection reports whether the field holds others: the members of a struct, or one for
// each category.
func (f field) isSection() bool {
	return f.value.Kind() == reflect.Struct || f.value.Kind() == reflect.Map
}

// below returns the key of a field in the section.
func (f field) below(name string) string {
	if f.key == "" {
		return name
	}
	return f.key + "." + name
}

// reset sets a setting to a value as the tags have it.
func (f field) reset(text string) {
	switch f.value.Kind() {
	case reflect.Bool:
		f.value.SetBool(text == "true")
	case reflect.Int, reflect.Float64:
		n, _ := strconv.ParseFloat(text, 64) // of a tag
		f.setNumber(n)
	case reflect.String:
		f.value.SetString(text)
	case reflect.Slice:
		list := []string{}
		if text != "" {
			list = strings.Split(text, "|")
		}
		f.value.Set(reflect.ValueOf(list))
	}
}

func (f field) setNumber(n float64) {
	if f.value.Kind() == reflect.Int {
		f.value.SetInt(int64(n))
		return
	}
	f.value.SetFloat(n)
}

//go:embed settings.txt
var settingsText string

// descriptions are those of settings.txt by key.
var descriptions = sync.OnceValue(func() map[string]string {
	byKey := map[string]string{}
	for line := range strings.Lines(settingsText) {
		if key, text, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			byKey[key] = text
		}
	}
	return byKey
})

// purpose describes the field.
func (f field) purpose() string {
	if own, ok := descriptions()[f.key]; ok || f.category == "" {
		return own
	}
	general := strings.Replace(f.key, "."+string(f.category), ".<category>", 1)
	return strings.ReplaceAll(descriptions()[general], "<category>", string(f.category))
}

// foldsCase reports whether the keys of a section are names of categories, which
// may be written in any case.
func foldsCase(section string) bool {
	return section == "categories" || section == "triage.thresholds"
}

// schema states the values of the setting as JSON Schema.
func (s Setting) schema() *schema {
	d := &schema{Description: s.Description(), Default: encoded(s.absent)}
	minimum, greatest := s.Range()
	switch value := s.Default.(type) {
	case bool:
		d.Type = "boolean"
	case int:
		d.Type, d.Minimum, d.Maximum = "integer", &minimum, &greatest
	case float64:
		d.Type, d.Minimum, d.Maximum = "number", &minimum, &greatest
	case string:
		if s.fixed() {
			d.Const = &value
			break
		}
		d.Type, d.Enum = "string", s.Values()
	case []string:
		d.Type, d.Items = "array", &schema{Type: "string", Enum: s.Values()}
		if s.tag.Get("format") == "regex" {
			longest := privacy.MaxPatternLength
			d.Items.Format, d.Items.MaxLength = "regex", &longest
		}
		if most := s.maxItems(); most > 0 {
			d.MaxItems = &most
		}
	}
	return d
}

// Presets are the named choices of the settings whose value in a new root differs from that of
// claude-memory v5.
var Presets = []string{"new", "v5"}

// Preset returns the value of a setting in a preset, nil if it has none.
func (s Setting) Preset(name string) json.RawMessage {
	old, initial := encoded(s.absent), encoded(s.Default)
	switch {
	case sameValue(old, initial):
	case name == "v5":
		return old
	case name == "new":
		return initial
	}
	return nil
}

// encoded returns a value of the tags as JSON.
func encoded(value any) json.RawMessage {
	data, _ := EncodeJSON(value) // cannot fail
	return data
}

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
	e := evaluator{ofSettings: true}
	e.value(s.schema(), value)
	if len(e.violations) > 0 {
		v := e.violations[0]
		return nil, fmt.Errorf("%s: expected %s, got %s", s.Key, v.Expected, v.Got)
	}
	return raw, nil
}

// Set puts a value that Parse returned into the bytes of memory-config.json, nil
// for no file: what applied without one goes into the new file. Every other byte stays as it is.
func (s Setting) Set(data []byte, value json.RawMessage) ([]byte, error) {
	return s.edit(data, value, func(f *jsonedit.File) { f.Put(s.pointer(f), value) })
}

// Unset removes the setting, so that its default applies. If a file without it means another value, Unset writes
// the default into the file.
func (s Setting) Unset(data []byte) ([]byte, error) {
	initial := encoded(s.Default)
	if c, _ := DecodeConfig(nil); data == nil && sameValue(s.In(c).Value, initial) {
		return nil, nil
	}
	edited, err := s.edit(data, initial, func(f *jsonedit.File) { f.Remove(s.pointer(f)) })
	if err != nil && s.Preset("new") != nil {
		return s.Set(data, initial)
	}
	return edited, err
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
