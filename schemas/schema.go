package schemas

import (
	"embed"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
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
