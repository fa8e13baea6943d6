package schemas

import (
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// Validate checks a memory file's bytes against the schema of the category it
// names; a file that names none is checked against the rules all categories
// share. It returns nil when the file is valid, else what is wrong with it,
// sorted by field: everything, up to 100 violations.
func Validate(data []byte) []Violation {
	if !utf8.Valid(data) {
		at := lineColumn(data, invalidOffset(data))
		return []Violation{{Rule: "utf8", Expected: "UTF-8 text", Got: at + ": an invalid byte"}}
	}
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		return []Violation{{Rule: "json", Expected: "valid JSON", Got: shorten(describeJSONError(data, err))}}
	}
	found := append(repeatedKeys(data), breaches(doc)...)
	slices.SortFunc(found, compareViolations)
	// The type of content is stated twice: for all memories and for the category.
	found = slices.Compact(found)
	return found[:min(len(found), maxViolations)]
}

// breaches checks a decoded document against its schema.
func breaches(doc any) []Violation {
	set, err := ours()
	if err != nil {
		return []Violation{{Rule: "schema", Expected: "schemas that load", Got: shorten(err.Error())}}
	}
	var e evaluator
	e.value(set.schemaFor(doc), doc)
	return e.found
}

func categoryOf(doc any) Category {
	object, _ := doc.(map[string]any)
	name, _ := object["category"].(string)
	return Category(name)
}
