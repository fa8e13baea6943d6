package schemas

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"sync"
)

// schema is the part of JSON Schema 2020-12 that the schema files use. A file with
// another keyword fails to load, so that no rule is silently ignored. The tests
// compare the evaluator with a complete library, whose compilation of metaschemas
// would cost every process milliseconds.
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
		s, err := decodeSchema(raw)
		if err != nil {
			return err
		}
		s.place = len(*p)
		(*p)[name] = s
	}
	return nil
}

func decodeSchema(data []byte) (*schema, error) {
	s := &schema{}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return s, dec.Decode(s)
}

// within yields the schemas directly inside s.
func (s *schema) within() iter.Seq[*schema] {
	return func(yield func(*schema) bool) {
		for _, group := range []map[string]*schema{s.Defs, s.Properties} {
			for _, member := range group {
				if !yield(member) {
					return
				}
			}
		}
		for _, inner := range []*schema{s.Items, s.Not} {
			if inner != nil && !yield(inner) {
				return
			}
		}
	}
}

// checkSupported rejects values of the keywords that the evaluator does not
// implement.
func (s *schema) checkSupported() error {
	switch {
	case s.Type != "" && typeName(s.Type) == "":
		return fmt.Errorf("unknown type %q", s.Type)
	case s.Format != "" && s.Format != "date-time":
		return fmt.Errorf("unknown format %q", s.Format)
	case s.Additional != nil && *s.Additional:
		return errors.New("additionalProperties can only be false")
	case s.Not != nil && s.Not.Pattern == "":
		return errors.New("not is for patterns")
	case s.UniqueItems && (s.Items == nil || s.Items.Type != "string"):
		return errors.New("uniqueItems is for lists of strings")
	}
	return nil
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

// memorySchemas returns the schemas of memories, which are read once at first use.
var memorySchemas = sync.OnceValues(readSchemas)

func readSchemas() (schemaSet, error) {
	files := map[string][]byte{}
	entries, err := schemaFiles.ReadDir(".")
	for _, entry := range entries {
		if err == nil {
			files[entry.Name()], err = schemaFiles.ReadFile(entry.Name())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read schemas: %w", err)
	}
	return loadSchemas(files)
}

// schemaFor returns the schema of the category that a document names, the common
// one if it names none.
func (set schemaSet) schemaFor(doc any) *schema {
	if own := set[categoryOf(doc).schemaName()]; own != nil {
		return own
	}
	return set[commonSchema]
}

func loadSchemas(files map[string][]byte) (schemaSet, error) {
	set := schemaSet{}
	for name, data := range files {
		s, err := decodeSchema(data)
		if err != nil {
			return nil, fmt.Errorf("decode %s: %w", name, err)
		}
		set[name] = s
	}
	for name, s := range set {
		if err := set.link(s, name); err != nil {
			return nil, fmt.Errorf("load %s: %w", name, err)
		}
	}
	return set, nil
}

// link prepares a schema of a file and all schemas within it for the evaluator.
func (set schemaSet) link(s *schema, file string) error {
	if err := s.checkSupported(); err != nil {
		return err
	}
	if s.Ref != "" {
		if s.referred = set.find(s.Ref, file); s.referred == nil {
			return fmt.Errorf("$ref %q leads nowhere", s.Ref)
		}
	}
	if s.Pattern != "" {
		var err error
		if s.pattern, err = regexp.Compile(s.Pattern); err != nil {
			return err
		}
	}
	for within := range s.within() {
		if err := set.link(within, file); err != nil {
			return err
		}
	}
	return nil
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
