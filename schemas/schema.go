package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
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
