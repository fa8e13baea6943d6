package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"memctl/text"
	"memctl/text/jsonedit"
)

// Validate checks a memory file against the schema of the category that it names,
// or against the rules that all categories share if it names none. It returns nil
// for a valid file, else all violations sorted by field, 100 at most.
func Validate(data []byte) []Violation {
	violations, _ := validate(data)
	return violations
}

// validate is Validate that returns the decoded file, too.
func validate(data []byte) ([]Violation, any) {
	if !utf8.Valid(data) {
		at := jsonedit.Position(data, invalidOffset(data))
		return []Violation{{Rule: "utf8", Expected: "UTF-8 text", Got: at + ": an invalid byte"}}, nil
	}
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		return []Violation{{Rule: "json", Expected: "valid JSON", Got: shorten(describeJSONError(data, err))}}, nil
	}
	if err := CheckDepth(doc); err != nil {
		return []Violation{{Rule: "json", Expected: "valid JSON", Got: err.Error()}}, nil
	}
	var e evaluator
	e.value(memorySchemas().schemaFor(doc), doc)
	violations := append(repeatedKeys(data), e.violations...)
	slices.SortFunc(violations, compareViolations)
	// The common schema and the category's both state the type of content.
	violations = slices.Compact(violations)
	return violations[:min(len(violations), maxViolations)], doc
}

// ValidateAs is Validate of a file with a name in the folder of a category: its id and its
// category must be those. Of a file in which git left conflict markers it says only that.
func ValidateAs(name string, category Category, data []byte) []Violation {
	if line := ConflictLine(data); line > 0 {
		return []Violation{inConflict(strings.TrimSuffix(name, ".json"), line)}
	}
	violations, doc := validate(data)
	object, _ := doc.(map[string]any)
	id, _ := object["id"].(string)
	if stem := strings.TrimSuffix(name, ".json"); id != "" && id != stem {
		violations = append(violations, Violation{
			Field: "id", Rule: "file name",
			Expected: fmt.Sprintf("the name of the file, %q", stem), Got: fmt.Sprintf("%q", id),
		})
	}
	if c := categoryOf(doc); c != "" && c != category {
		violations = append(violations, Violation{
			Field: "category", Rule: "folder",
			Expected: fmt.Sprintf("%q, as the folder says", category), Got: fmt.Sprintf("%q", c),
		})
	}
	return violations
}

// Merged leaves out of violations the one that git may cause where it merges alone, because two sides each
// added a tag. The next update keeps the first MaxTags.
func Merged(violations []Violation) []Violation {
	return slices.DeleteFunc(violations, func(v Violation) bool { return v.Field == "tags" && v.Rule == "maxItems" })
}

func categoryOf(doc any) Category {
	object, _ := doc.(map[string]any)
	name, _ := object["category"].(string)
	return Category(name)
}

// describeJSONError turns an error of encoding/json into a position and a reason.
func describeJSONError(data []byte, err error) string {
	var syntax *json.SyntaxError
	var number *json.UnmarshalTypeError
	offset, why := int64(1), err.Error()
	switch {
	case bytes.HasPrefix(data, byteOrderMark):
		why = "a byte order mark"
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &number):
		offset, why = number.Offset, number.Value+" is out of range"
	}
	// The offset counts the bytes read, the offending one included.
	return jsonedit.Position(data, int(offset)-1) + ": " + why
}

// invalidOffset returns the offset of the first byte that is not UTF-8.
func invalidOffset(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}

// duplicates looks for keys that occur twice in one object, as a merge by hand
// leaves them: JSON readers silently drop all but one.
type duplicates struct {
	report
	dec *json.Decoder
}

// RepeatsKeys reports whether a key occurs twice in an object of a valid JSON document.
func RepeatsKeys(data []byte) bool { return len(repeatedKeys(data)) > 0 }

// repeatedKeys reports each repeated key of a valid JSON document once.
func repeatedKeys(data []byte) []Violation {
	d := duplicates{dec: json.NewDecoder(bytes.NewReader(data))}
	d.dec.UseNumber()
	d.value()
	return d.violations
}

func (d *duplicates) value() {
	switch token, _ := d.dec.Token(); token {
	case json.Delim('{'):
		d.object()
	case json.Delim('['):
		for i := 0; d.dec.More(); i++ {
			d.at(strconv.Itoa(i), d.value)
		}
		_, _ = d.dec.Token() // the closing bracket
	}
}

func (d *duplicates) object() {
	counts := map[string]int{}
	for d.dec.More() {
		token, _ := d.dec.Token()
		key, _ := token.(string)
		counts[key]++
		d.at(key, func() {
			if counts[key] == 2 {
				d.add("json", "each key once", shorten(shorten(strconv.Quote(key))+" again"))
			}
			d.value()
		})
	}
	_, _ = d.dec.Token() // the closing brace
}

// ConflictRule is the rule that a memory breaks while a merge of it is not finished.
const ConflictRule = "conflict"

// marker begins a line by which git parts the versions of a conflict. No line of a JSON
// document begins so.
var marker = text.Pattern(`^(<{7,}|\|{7,}|={7,}|>{7,})(?: .*)?\r?\n?$`)

// ConflictMarker returns the first character of a line that is a marker, else 0.
func ConflictMarker(line []byte) byte {
	if marker().Match(line) {
		return line[0]
	}
	return 0
}

// ConflictLine returns the line, from 1, on which git's first conflict in a file starts,
// 0 if there is none.
func ConflictLine(data []byte) int {
	if !bytes.Contains(data, []byte("<<<<<<<")) {
		return 0
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if ConflictMarker(line) == '<' {
			return number
		}
	}
	return 0
}

// inConflict is the violation of a file with git's conflict markers, which stand on a line.
func inConflict(stem string, line int) Violation {
	return Violation{
		Rule:     ConflictRule,
		Expected: "a memory without conflict markers",
		Got: fmt.Sprintf("line %d: git merged it line by line and left a conflict; run \"memctl resolve %s\", "+
			"and \"memctl install --git\" so that git merges memories field by field", line, text.ShellWord(stem)),
	}
}
