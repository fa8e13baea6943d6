package schemas

import (
	"embed"
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// schema is the part of JSON Schema 2020-12 that the schema files use. A test fails for
// another keyword, so that no rule is silently ignored. The tests compare the evaluator
// with a complete library, whose compilation of metaschemas would cost every process
// milliseconds.
type schema struct {
	Dialect     string `json:"$schema,omitempty"`
	ID          string `json:"$id,omitempty"`
	Title       string `json:"title,omitempty"`
	Type        string `json:"type,omitempty"`
	Description string `json:"description,omitempty"`

	Ref    string   `json:"$ref,omitempty"`
	Const  *string  `json:"const,omitempty"`
	Enum   []string `json:"enum,omitempty"`
	Format string   `json:"format,omitempty"`

	MinLength *int     `json:"minLength,omitempty"`
	MaxLength *int     `json:"maxLength,omitempty"`
	Pattern   string   `json:"pattern,omitempty"`
	Not       *schema  `json:"not,omitempty"` // has a pattern alone
	Minimum   *float64 `json:"minimum,omitempty"`
	Maximum   *float64 `json:"maximum,omitempty"`

	Items       *schema `json:"items,omitempty"`
	MinItems    *int    `json:"minItems,omitempty"`
	MaxItems    *int    `json:"maxItems,omitempty"`
	UniqueItems bool    `json:"uniqueItems,omitempty"`

	Additional *bool              `json:"additionalProperties,omitempty"`
	Required   []string           `json:"required,omitempty"`
	Properties properties         `json:"properties,omitempty"`
	Defs       map[string]*schema `json:"$defs,omitempty"`
	Default    json.RawMessage    `json:"default,omitempty"`
	ReadOnly   bool               `json:"readOnly,omitempty"` // a form does not have it

	referred *schema        // the target of Ref
	pattern  *regexp.Regexp // Pattern, compiled
	place    int            // position among its siblings, for a property
}

// properties are the fields of an object. The place of each in the schema file is
// its place in a memory file.
type properties map[string]*schema

func (p *properties) UnmarshalJSON(data []byte) error {
	*p = properties{}
	for name, raw := range Members(data) {
		s := &schema{place: len(*p)}
		if err := json.Unmarshal(raw, s); err != nil {
			return err
		}
		(*p)[name] = s
	}
	return nil
}

// within returns the schemas directly inside s.
func (s *schema) within() []*schema {
	all := slices.AppendSeq([]*schema{s.Items, s.Not}, maps.Values(s.Defs))
	all = slices.AppendSeq(all, maps.Values(s.Properties))
	return slices.DeleteFunc(all, func(inner *schema) bool { return inner == nil })
}

// closed reports whether s takes no fields except its properties.
func (s *schema) closed() bool { return s.Additional != nil }

const commonSchema = "memory.schema.json"

//go:embed memory.schema.json decision.schema.json session_summary.schema.json
//go:embed runbook.schema.json constraint.schema.json tech_debt.schema.json preference.schema.json
var schemaFiles embed.FS

// schemaSet holds schemas by file name.
type schemaSet map[string]*schema

func (c Category) schemaName() string { return string(c) + ".schema.json" }

// memorySchemas returns the schemas of memories, which are read once at first use. Tests
// hold that each of them loads and says nothing that the evaluator does not know.
var memorySchemas = sync.OnceValue(func() schemaSet {
	set := schemaSet{}
	entries, _ := schemaFiles.ReadDir(".")
	for _, entry := range entries {
		data, _ := schemaFiles.ReadFile(entry.Name())
		s := &schema{}
		_ = json.Unmarshal(data, s)
		set[entry.Name()] = s
	}
	for name, s := range set {
		set.link(s, name)
	}
	return set
})

// schemaFor returns the schema of the category that a document names, the common
// one if it names none.
func (set schemaSet) schemaFor(doc any) *schema {
	if own := set[categoryOf(doc).schemaName()]; own != nil {
		return own
	}
	return set[commonSchema]
}

// link prepares a schema of a file and all schemas within it for the evaluator.
func (set schemaSet) link(s *schema, file string) {
	if s.Ref != "" {
		s.referred = set.find(s.Ref, file)
	}
	if s.Pattern != "" {
		s.pattern = regexp.MustCompile(s.Pattern)
	}
	for _, within := range s.within() {
		set.link(within, file)
	}
}

// find resolves "file", "file#/$defs/name" and, within a file, "#/$defs/name". It
// returns nil for a reference that leads nowhere.
func (set schemaSet) find(ref, file string) *schema {
	name, pointer, _ := strings.Cut(ref, "#")
	if name != "" {
		file = name
	}
	s := set[file]
	if s == nil || pointer == "" {
		return s
	}
	definition, _ := strings.CutPrefix(pointer, "/$defs/")
	return s.Defs[definition]
}

// evaluator checks values against schemas and collects every violation.
type evaluator struct {
	report
	ofSettings bool // whose expressions package privacy checks
}

// value checks v, a value that encoding/json decoded. A mismatch is the only
// violation reported for it.
func (e *evaluator) value(s *schema, v any) {
	if rule, expected := mismatch(s, v); rule != "" {
		e.add(rule, expected, show(v))
		return
	}
	if s.referred != nil {
		e.value(s.referred, v)
	}
	switch v := v.(type) {
	case string:
		e.text(s, v)
	case float64:
		e.number(s, v)
	case []any:
		e.list(s, v)
	case map[string]any:
		e.object(s, v)
	}
}

// mismatch returns the rule by which v is a different kind of value altogether, ""
// if there is none.
func mismatch(s *schema, v any) (rule, expected string) {
	text, isText := v.(string)
	switch {
	case s.Type != "" && !hasType(v, s.Type):
		return "type", typeName(s.Type)
	case s.Const != nil && (!isText || text != *s.Const):
		return "const", show(*s.Const)
	case s.Enum != nil && (!isText || !slices.Contains(s.Enum, text)):
		return "enum", oneOf(s.Enum)
	case s.Format == "date-time" && isText && !isDateTime(text):
		return "format", s.form()
	}
	return "", ""
}

func hasType(v any, name string) bool {
	switch v := v.(type) {
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	case bool:
		return name == "boolean"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}

func (e *evaluator) text(s *schema, text string) {
	length := utf8.RuneCountInString(text)
	if s.MinLength != nil && length < *s.MinLength {
		e.add("minLength", "at least "+count(*s.MinLength, "character"), show(text))
	}
	if s.MaxLength != nil && length > *s.MaxLength {
		e.add("maxLength", "at most "+count(*s.MaxLength, "character"), count(length, "character"))
	}
	if s.Format == "regex" && !e.ofSettings {
		if why := badExpression(text); why != "" {
			e.add("format", "a regular expression", show(text)+": "+why)
		}
	}
	if _, isDate := EndOf(text); s.Format == "end-date" && text != "" && !isDate {
		e.add("format", "a date such as 2026-03-31, or a date and time", show(text))
	}
	if s.pattern != nil && !s.pattern.MatchString(text) {
		e.add("pattern", s.form(), show(text))
	}
	if s.Not != nil && s.Not.pattern.MatchString(text) {
		e.add("not", "anything but "+s.Not.form(), show(text))
	}
}

func (e *evaluator) number(s *schema, n float64) {
	if s.Minimum != nil && n < *s.Minimum {
		e.add("minimum", show(*s.Minimum)+" or more", show(n))
	}
	if s.Maximum != nil && n > *s.Maximum {
		e.add("maximum", show(*s.Maximum)+" or less", show(n))
	}
}

func (e *evaluator) list(s *schema, list []any) {
	if s.MinItems != nil && len(list) < *s.MinItems {
		e.add("minItems", "at least "+count(*s.MinItems, "item"), count(len(list), "item"))
	}
	if s.MaxItems != nil && len(list) > *s.MaxItems {
		e.add("maxItems", "at most "+count(*s.MaxItems, "item"), count(len(list), "item"))
	}
	if s.UniqueItems {
		if again, ok := firstRepeated(list); ok {
			e.add("uniqueItems", "no item twice", shorten(show(again)+" again"))
		}
	}
	for i := 0; s.Items != nil && i < len(list) && !e.full(); i++ {
		e.at(strconv.Itoa(i), func() { e.value(s.Items, list[i]) })
	}
}

// firstRepeated finds a string that occurs twice in a list.
func firstRepeated(list []any) (string, bool) {
	seen := map[string]bool{}
	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			continue
		}
		if seen[text] {
			return text, true
		}
		seen[text] = true
	}
	return "", false
}

func (e *evaluator) object(s *schema, object map[string]any) {
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			e.at(name, func() { e.add("required", s.Properties[name].expectation(), "missing") })
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if value, ok := object[name]; ok {
			e.at(name, func() { e.value(s.Properties[name], value) })
		}
	}
	if s.closed() {
		e.unknown(s, object)
	}
}

func (e *evaluator) unknown(s *schema, object map[string]any) {
	var names []string
	for name := range object {
		if s.Properties[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names[:min(len(names), maxViolations)] {
		e.at(name, func() { e.add("additionalProperties", s.fieldNames(), show(object[name])) })
	}
}
