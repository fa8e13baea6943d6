package schemas

import (
	"slices"
	"strings"
	"testing"
)

// breaker walks a schema together with a full document and breaks every rule
// it meets, one at a time.
type breaker struct {
	t     *testing.T
	doc   any
	times map[string]int // how often each rule was broken
}

func TestEveryRuleIsChecked(t *testing.T) {
	times := map[string]int{}
	for _, info := range Categories {
		t.Run(string(info.Category), func(t *testing.T) {
			b := breaker{t, decodeAny(t, fullMemory(info.Category)), times}
			b.walk(ourSchema(t, info.Category.schemaName()), nil)
		})
	}
	for _, rule := range strings.Fields("type enum const minimum maximum minLength maxLength pattern format" +
		" minItems maxItems uniqueItems required additionalProperties") {
		if times[rule] == 0 {
			t.Errorf("nothing breaks %s", rule)
		}
	}
}

func (b *breaker) try(field []string, value any, rule string) {
	b.t.Helper()
	b.times[rule]++
	wantOne(b.t, validateValue(b.t, changed(b.doc, field, value)), dotted(field), rule)
}

func (b *breaker) walk(s *schema, field []string) {
	for ; s != nil; s = s.referred {
		b.breakValue(s, field)
		b.breakString(s, field)
		b.breakList(s, field)
		b.breakObject(s, field)
	}
}

func (b *breaker) breakValue(s *schema, field []string) {
	// At the root a wrong type is not a changed field; TestUnreadable has it.
	if s.Type != "" && len(field) > 0 {
		wrong := any(7)
		if s.Type == "number" || s.Type == "integer" {
			wrong = "seven"
		}
		b.try(field, wrong, "type")
		b.try(field, nil, "type")
	}
	if s.Enum != nil {
		b.try(field, "bogus", "enum")
	}
	// The category's const only says which schema this is.
	if s.Const != nil && s.Type != "" {
		b.try(field, "bogus", "const")
	}
	if s.Minimum != nil {
		b.try(field, *s.Minimum-1, "minimum")
	}
	if s.Maximum != nil {
		b.try(field, *s.Maximum+1, "maximum")
	}
}

func (b *breaker) breakString(s *schema, field []string) {
	if s.MinLength != nil {
		b.try(field, strings.Repeat("x", *s.MinLength-1), "minLength")
	}
	if s.MaxLength != nil {
		b.try(field, strings.Repeat("x", *s.MaxLength+1), "maxLength")
	}
	if s.Pattern != "" {
		b.try(field, "/No Match!", "pattern")
	}
	if s.Format != "" {
		b.try(field, "yesterday (", "format")
	}
}

func (b *breaker) breakList(s *schema, field []string) {
	items, _ := at(b.doc, field).([]any)
	if s.MinItems != nil {
		b.try(field, items[:*s.MinItems-1], "minItems")
	}
	if s.MaxItems != nil && s.UniqueItems {
		b.try(field, numbered(*s.MaxItems+1), "maxItems")
	} else if s.MaxItems != nil {
		b.try(field, slices.Repeat(items[:1], *s.MaxItems+1), "maxItems")
	}
	if s.UniqueItems {
		b.try(field, []any{items[0], items[0]}, "uniqueItems")
	}
	if s.Items != nil {
		b.walk(s.Items, append(slices.Clone(field), "0"))
	}
}

func (b *breaker) breakObject(s *schema, field []string) {
	object, _ := at(b.doc, field).(map[string]any)
	if s.closed() {
		b.try(append(slices.Clone(field), "extra"), 1, "additionalProperties")
	}
	for _, name := range s.Required {
		b.try(append(slices.Clone(field), name), absent, "required")
	}
	for name, property := range s.Properties {
		if _, ok := object[name]; !ok {
			b.t.Errorf("the full document lacks %s.%s", dotted(field), name)
			continue
		}
		b.walk(property, append(slices.Clone(field), name))
	}
}
