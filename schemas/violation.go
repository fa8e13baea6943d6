package schemas

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxViolations bounds a report: a longer list helps no one to repair a file, and a
// hostile file must not produce one.
const maxViolations = 100

// Violation is one broken rule of a memory file.
type Violation struct {
	// Field is a dotted path, e.g. "content.rationale.0"; "" is the document.
	Field string `json:"field"`
	// Rule is the schema keyword that is broken, e.g. "required" or "maxLength", or
	// "json" or "utf8" for rules that no schema can state.
	Rule string `json:"rule"`
	// Expected describes a valid value in words that a person can act on.
	Expected string `json:"expected"`
	// Got describes the value found: one line of at most 80 characters.
	Got string `json:"got"`
}

func (v Violation) String() string {
	switch v.Rule {
	case "file", "conflict", "twin": // Got says why it cannot be read, or what to do
		return v.Got
	case "utf8", "json", "line": // Got says where and why
		return fmt.Sprintf("expected %s: %s", v.Expected, v.Got)
	}
	return fmt.Sprintf("%s: expected %s, got %s", cmp.Or(v.Field, "document"), v.Expected, v.Got)
}

func compareViolations(a, b Violation) int {
	return cmp.Or(
		cmp.Compare(a.Field, b.Field),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Expected, b.Expected),
		cmp.Compare(a.Got, b.Got),
	)
}

// report collects violations during a walk through a document.
type report struct {
	path       []string // where the walk is
	violations []Violation
}

// at calls do one step further down the document.
func (r *report) at(name string, do func()) {
	r.path = append(r.path, name)
	do()
	r.path = r.path[:len(r.path)-1]
}

func (r *report) add(rule, expected, got string) {
	if !r.full() {
		r.violations = append(r.violations, Violation{dotted(r.path), rule, expected, got})
	}
}

func (r *report) full() bool { return len(r.violations) >= maxViolations }

// maxDepth bounds how many names of a path are shown; the schemas need 4.
const maxDepth = 20

// dotted joins a path. Keys may come from any file, so one that would break the
// line, be invisible in it or look like a path is quoted.
func dotted(path []string) string {
	if len(path) > maxDepth {
		return dotted(path[:maxDepth]) + "..."
	}
	names := make([]string, len(path))
	for i, name := range path {
		quoted := strconv.Quote(name)
		if name == "" || strings.Contains(name, ".") || quoted != `"`+name+`"` {
			name = quoted
		}
		names[i] = shorten(name)
	}
	return strings.Join(names, ".")
}

// Problem is a file that is not a memory, or a folder that cannot be read, and why.
type Problem struct {
	Path   string `db:"path" json:"path"`
	Reason string `db:"reason" json:"reason"`
}

// maxShown is the length limit of a value in a violation, in characters.
const maxShown = 80

// expectation describes the values that a field takes.
func (s *schema) expectation() string {
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
