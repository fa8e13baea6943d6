package schemas

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"memctl/privacy"
)

// Warning is one mistake in memory-config.json and what applies instead.
type Warning struct {
	Key     string `json:"key"` // dotted, e.g. "retrieval.max_inject"; "" is the whole file
	Problem string `json:"problem"`
	Used    string `json:"used"`
}

// ignored is used in place of a key that has no meaning.
const ignored = "nothing"

func (w Warning) String() string {
	where, used := "memory-config.json", "using "+w.Used
	if w.Key != "" {
		where += ": " + w.Key
	}
	if w.Used == ignored {
		used = "ignored"
	}
	return fmt.Sprintf("%s: %s; %s", where, w.Problem, used)
}

// DefaultConfig holds the settings that apply without memory-config.json.
func DefaultConfig() (c Config) {
	keep(fieldsOf(&c))
	return c
}

// withoutFile are the settings of a root without memory-config.json, which another tool made, or a person
// by hand: init's way to ask, but no hint that nobody asked for.
const withoutFile = `{
  "triage": {
    "strategy": "moments",
    "hint": false
  }
}
`

// DecodeConfig reads memory-config.json, nil for a root that has none. It cannot fail: whatever is wrong becomes
// a warning that names the key, and that key keeps its default. The warnings are in
// the order of the file.
func DecodeConfig(data []byte) (Config, []Warning) {
	if data == nil {
		data = []byte(withoutFile)
	}
	var object json.RawMessage
	if err := decodeObject(data, &object); err != nil {
		return DefaultConfig(), []Warning{{"", err.Error(), "the defaults"}}
	}
	r := configReader{object: object, dec: json.NewDecoder(bytes.NewReader(object)), fields: map[string]*field{}}
	fields := fieldsOf(&r.config)
	r.add(fields)
	r.section(r.fields[""])
	keep(fields)
	r.describe()
	if err := r.config.CheckVersion(); err != nil { // the other warnings are probably consequences
		return r.config, []Warning{{
			"schema_version", "a later version of memctl wrote the file", "the settings that this one knows",
		}}
	}
	return r.config, r.warnings
}

// configReader sets the fields of a configuration to what a file says. A setting keeps
// its default if its key is absent or wrong.
type configReader struct {
	object   json.RawMessage // valid JSON
	dec      *json.Decoder   // of object: one for all sections, because hooks wait for it
	config   Config
	fields   map[string]*field // by key, with those of unknown categories
	warnings []Warning
}

func (r *configReader) add(fields []field) {
	for i := range fields {
		r.fields[fields[i].key] = &fields[i]
	}
}

func (r *configReader) warn(key, problem, used string) {
	r.warnings = append(r.warnings, Warning{key, problem, used})
}

// section reads an object. Of a repeated key the last valid value counts.
func (r *configReader) section(section *field) {
	_, _ = r.dec.Token() // the opening brace
	for r.dec.More() {
		token, _ := r.dec.Token()
		name, _ := token.(string)
		if foldsCase(section.key) {
			name = strings.ToLower(name)
		}
		key := section.below(name)
		if r.fields[key] == nil || name == "" || strings.Contains(name, ".") {
			key = section.below(dotted([]string{name})) // a name that would read like a path is quoted
		}
		if r.fields[key] == nil && section.key == "categories" {
			if r.atObject() {
				r.warn(key, "unknown category", "its description only")
			}
			r.add(section.entry(Category(name)).withThoseBelow(nil))
		}
		if f := r.fields[key]; f != nil {
			r.field(f)
			continue
		}
		if !strings.HasPrefix(name, "$") { // "$schema" is for editors
			r.warn(key, "unknown key", ignored)
		}
		r.value()
	}
	_, _ = r.dec.Token() // the closing brace
}

// atObject reports whether the next value is an object.
func (r *configReader) atObject() bool {
	return bytes.HasPrefix(bytes.TrimLeft(r.object[r.dec.InputOffset():], ": \t\r\n"), []byte("{"))
}

// value reads the next value.
func (r *configReader) value() (raw json.RawMessage) {
	_ = r.dec.Decode(&raw)
	return raw
}

func (r *configReader) field(f *field) {
	if f.isSection() && r.atObject() {
		r.section(f)
		return
	}
	raw := r.value()
	switch f.value.Kind() {
	case reflect.Bool:
		r.bool(f, raw)
	case reflect.Int, reflect.Float64:
		r.number(f, raw)
	case reflect.String:
		r.text(f, raw)
	case reflect.Slice:
		r.texts(f, raw)
	default:
		r.warn(f.key, "expected an object, got "+kindOf(raw), "the defaults")
		r.config.Triage.NoDescriptions = r.config.Triage.NoDescriptions || f.key == "triage"
	}
}

// describe collects the descriptions of the categories. The prompt hook shows those of
// unknown categories too; nothing else of these counts.
func (r *configReader) describe() {
	for _, f := range r.fields {
		if c, ok := f.value.Addr().Interface().(*CategoryConfig); ok && c.Description != "" {
			r.config.Descriptions = append(r.config.Descriptions, Description{string(f.category), c.Description})
		}
	}
	slices.SortFunc(r.config.Descriptions, func(a, b Description) int { return cmp.Compare(a.Category, b.Category) })
}

func (r *configReader) bool(f *field, raw json.RawMessage) {
	switch string(raw) {
	case "true", "false":
		f.value.SetBool(string(raw) == "true")
	default:
		r.warn(f.key, "expected true or false, got "+kindOf(raw), fmt.Sprint(f.value))
	}
}

// number takes a number, also in quotes, and moves one outside the range to the
// nearer end.
func (r *configReader) number(f *field, raw json.RawMessage) {
	got, ok := parseNumber(raw)
	if !ok {
		kind := kindOf(raw)
		if kind == "a number" { // such as 1e999
			kind = "one that is out of range"
		}
		r.warn(f.key, "expected a number, got "+kind, fmt.Sprint(f.value))
		return
	}
	minimum, greatest := f.Range()
	n := max(minimum, min(got, greatest))
	switch {
	case n != got:
		ends := formatNumber(minimum) + " to " + formatNumber(greatest)
		r.warn(f.key, formatNumber(got)+" is outside "+ends, formatNumber(n))
	case raw[0] == '"':
		r.warn(f.key, "a number in quotes", formatNumber(n))
	}
	if integer := math.Trunc(n); f.value.Kind() == reflect.Int && integer != n {
		r.warn(f.key, "expected a whole number, got "+formatNumber(n), formatNumber(integer))
	}
	f.setNumber(n)
	r.config.Retrieval.LimitSet = r.config.Retrieval.LimitSet || f.key == "retrieval.max_inject"
}

func (r *configReader) text(f *field, raw json.RawMessage) {
	used := strconv.Quote(f.value.String())
	if kindOf(raw) != "a string" {
		r.warn(f.key, "expected a string, got "+kindOf(raw), used)
		return
	}
	got, words := String(raw), f.Values()
	folded := strings.ToLower(got)
	switch {
	case f.key == "schema_version": // CheckVersion
	case words == nil || slices.Contains(words, got):
	case len(words) == 1:
		r.warn(f.key, fmt.Sprintf("%q is not supported", got), used)
		return
	case f.tag.Get("case") == "any" && slices.Contains(words, folded):
		r.warn(f.key, fmt.Sprintf("%q in upper case", got), strconv.Quote(folded))
		got = folded
	default:
		r.warn(f.key, fmt.Sprintf("expected %s, got %q", oneOf(words), got), used)
		return
	}
	f.value.SetString(got)
}

// texts takes a list of strings without its invalid items. A list of nothing but
// invalid items counts as absent.
func (r *configReader) texts(f *field, raw json.RawMessage) {
	if kind := kindOf(raw); kind != "a list" {
		r.warn(f.key, "expected a list of strings, got "+kind, "the default")
		return
	}
	all, list := items(raw), []string{}
	if most := f.maxItems(); most > 0 && len(all) > most {
		r.warn(f.key, fmt.Sprintf("at most %d items, got %d", most, len(all)), fmt.Sprintf("the first %d", most))
		all = all[:most]
	}
	for _, item := range all {
		if problem := f.itemProblem(item); problem != "" {
			r.warn(f.key, problem, "the rest of it")
			continue
		}
		list = append(list, String(item))
	}
	if len(list) > 0 || len(all) == 0 {
		f.value.Set(reflect.ValueOf(list))
	}
}

// itemProblem says why a list of strings does not take an item, "" if it does.
func (r rules) itemProblem(item json.RawMessage) string {
	got, words := String(item), r.Values()
	switch {
	case kindOf(item) != "a string":
		return "expected a list of strings, found " + kindOf(item) + " in it"
	case words != nil && !slices.Contains(words, got):
		return fmt.Sprintf("expected some of %s, found %q", strings.Join(words, ", "), got)
	case r.tag.Get("format") == "regex":
		if err := privacy.CheckPattern(got); err != nil {
			return err.Error()
		}
	}
	return ""
}

func parseNumber(raw json.RawMessage) (float64, bool) {
	if kind := kindOf(raw); kind != "a number" && kind != "a string" {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(strings.Trim(string(raw), `"`)), 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

func formatNumber(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
