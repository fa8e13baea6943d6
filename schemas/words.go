package schemas

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxShown is the length limit of a value in a violation, in characters.
const maxShown = 80

// wanted describes what a field takes.
func (s *schema) wanted() string {
	for ; s != nil; s = s.referred {
		switch {
		case s.Enum != nil:
			return oneOf(s.Enum)
		case s.Const != nil:
			return show(*s.Const)
		case s.Type != "":
			return typeName(s.Type)
		}
	}
	return "a value"
}

// form describes a format or a pattern in words: the schema's description.
func (s *schema) form() string { return strings.TrimSuffix(s.Description, ".") }

func (s *schema) fieldNames() string {
	return "one of the fields " + strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", ")
}

// typeName describes a JSON Schema type, "" for one that the schemas do not use.
func typeName(name string) string {
	switch name {
	case "array":
		return "a list"
	case "boolean":
		return "true or false"
	case "integer":
		return "a whole number"
	case "number", "string":
		return "a " + name
	case "object":
		return "an object"
	}
	return ""
}

func oneOf(values []string) string {
	shown := slices.Clone(values)
	for i, v := range shown {
		if v == "" {
			shown[i] = `""`
		}
	}
	return "one of " + strings.Join(shown, ", ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// show describes a value in one short line.
func show(value any) string {
	switch v := value.(type) {
	case string:
		return shorten(strconv.Quote(v))
	case float64:
		return formatNumber(v)
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	case nil:
		return "null"
	}
	return fmt.Sprint(value)
}

func shorten(s string) string {
	if utf8.RuneCountInString(s) <= maxShown {
		return s
	}
	runes := []rune(s)
	return string(runes[:maxShown-3]) + "..."
}
