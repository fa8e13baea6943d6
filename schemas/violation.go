package schemas

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
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
	path  []string // where the walk is
	found []Violation
}

// at calls do one step further down the document.
func (r *report) at(name string, do func()) {
	r.path = append(r.path, name)
	do()
	r.path = r.path[:len(r.path)-1]
}

func (r *report) add(rule, expected, got string) {
	if !r.full() {
		r.found = append(r.found, Violation{dotted(r.path), rule, expected, got})
	}
}

func (r *report) full() bool { return len(r.found) >= maxViolations }

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
