package schemas

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Validate checks a memory file against the schema of the category that it names,
// or against the rules that all categories share if it names none. It returns nil
// for a valid file, else all violations sorted by field, 100 at most.
func Validate(data []byte) []Violation {
	if !utf8.Valid(data) {
		at := lineColumn(data, invalidOffset(data))
		return []Violation{{Rule: "utf8", Expected: "UTF-8 text", Got: at + ": an invalid byte"}}
	}
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		return []Violation{{Rule: "json", Expected: "valid JSON", Got: shorten(describeJSONError(data, err))}}
	}
	if err := CheckDepth(doc); err != nil {
		return []Violation{{Rule: "json", Expected: "valid JSON", Got: err.Error()}}
	}
	found := append(repeatedKeys(data), schemaViolations(doc)...)
	slices.SortFunc(found, compareViolations)
	// The common schema and the category's both state the type of content.
	found = slices.Compact(found)
	return found[:min(len(found), maxViolations)]
}

// ValidateAs is Validate of a file with a name in the folder of a category: its id and its
// category must be those.
func ValidateAs(name string, category Category, data []byte) []Violation {
	found := Validate(data)
	m, err := Decode(data)
	if err != nil {
		return found // which says why
	}
	if stem := strings.TrimSuffix(name, ".json"); m.ID != "" && m.ID != stem {
		found = append(found, Violation{
			Field: "id", Rule: "file name",
			Expected: fmt.Sprintf("the name of the file, %q", stem), Got: fmt.Sprintf("%q", m.ID),
		})
	}
	if m.Category != "" && m.Category != category {
		found = append(found, Violation{
			Field: "category", Rule: "folder",
			Expected: fmt.Sprintf("%q, as the folder says", category), Got: fmt.Sprintf("%q", m.Category),
		})
	}
	return found
}

// schemaViolations checks a decoded document against its schema.
func schemaViolations(doc any) []Violation {
	set, err := memorySchemas()
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
