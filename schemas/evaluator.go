package schemas

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// evaluator checks values against schemas and collects every violation.
type evaluator struct{ report }

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
			e.at(name, func() { e.add("required", s.Properties[name].wanted(), "missing") })
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
