package schemas

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Form is the form of a category's memory, for a person to fill in. It says what the
// schema says.
type Form struct {
	Category    Category
	Description string
	Head        []Field // outside the content
	Content     []Field
}

// Field is a field of a form.
type Field struct {
	Name        string
	Description string
	Type        string   // string, boolean, number, array or object
	Choices     []string // the words that a string is one of; nil allows any text
	Default     any      // a string or a bool; nil for none
	Required    bool
	NotEmpty    bool    // for a list: it has at least one entry
	Fields      []Field // of an object, or of each object in a list
}

// headFields are the fields of the head that a person fills in. memctl sets the others.
var headFields = []string{"title", "tags", "related_files", "folder", "confidence"}

// FormOf returns the form of a category, empty for one that does not exist.
func FormOf(category Category) Form {
	set := memorySchemas()
	own, common := set[category.schemaName()], set[commonSchema]
	if own == nil {
		return Form{}
	}
	form := Form{Category: category, Description: own.Description, Content: own.Properties["content"].fields()}
	for _, field := range common.fields() {
		if slices.Contains(headFields, field.Name) {
			form.Head = append(form.Head, field)
		}
	}
	return form
}

// Field is the form as one field: an object with the head and, as the last field, the
// content.
func (f Form) Field() Field {
	content := Field{Name: "content", Type: "object", Required: true, Fields: f.Content}
	return Field{Type: "object", Required: true, Fields: append(slices.Clone(f.Head), content)}
}

// Item is the field of one entry of a list. A person leaves out an entry by leaving all
// of it blank.
func (f Field) Item() Field {
	item := Field{Name: f.Name, Type: "string"}
	for _, field := range f.Fields {
		field.Description, field.Required, item.Type = "", false, "object"
		item.Fields = append(item.Fields, field)
	}
	return item
}

// Inline reports whether a list is typed on one line, with commas between its entries.
func (f Field) Inline() bool { return f.Name == "tags" }

// fields returns the fields of an object in the order of its schema, without those that memctl alone sets.
func (s *schema) fields() []Field {
	fields := make([]Field, len(s.Properties))
	for name, property := range s.Properties {
		if !property.ReadOnly {
			fields[property.place] = property.field(name, slices.Contains(s.Required, name))
		}
	}
	return slices.DeleteFunc(fields, func(f Field) bool { return f.Name == "" })
}

func (s *schema) field(name string, required bool) Field {
	f := Field{Name: name, Description: s.Description, Choices: s.Enum, Required: required}
	f.NotEmpty = s.MinItems != nil && *s.MinItems > 0
	of := s
	for of.Type == "" && of.referred != nil {
		of = of.referred
	}
	f.Type = of.Type
	if s.Default != nil {
		_ = json.Unmarshal(s.Default, &f.Default) // was read from JSON
	}
	switch {
	case f.Type == "object":
		f.Fields = s.fields()
	case f.Type == "array" && of.Items.Type == "object":
		f.Fields = of.Items.fields()
	}
	return f
}

// Parse reads the value of a field as a person types it on one line. The field is no
// object, and a list only if it is Inline.
func (f Field) Parse(typed string) (any, error) {
	switch f.Type {
	case "array":
		list := []any{}
		for entry := range strings.SplitSeq(typed, ",") {
			if entry = strings.TrimSpace(entry); entry != "" {
				list = append(list, entry)
			}
		}
		return list, nil
	case "boolean":
		switch strings.ToLower(typed) {
		case "y", "yes", "true":
			return true, nil
		case "n", "no", "false":
			return false, nil
		}
		return nil, fmt.Errorf("expected yes or no, got %q", typed)
	case "number":
		if n, err := strconv.ParseFloat(typed, 64); err != nil || n < 0 || n > 1 {
			return nil, fmt.Errorf("expected a number from 0 to 1, got %q", typed)
		}
		return json.Number(typed), nil
	}
	if f.Choices != nil && !slices.Contains(f.Choices, typed) {
		return nil, fmt.Errorf("expected %s, got %q", oneOf(f.Choices), typed)
	}
	return typed, nil
}

// Template renders the form as a draft: JSON with a comment for each field. Required
// texts are null, so that a draft is refused as long as one of them is missing. The
// optional fields are comments too.
func (f Form) Template() string {
	var t template
	t.line(0, "{")
	t.line(1, "// %s", f.Description)
	t.line(1, "// Replace each null, then run: memctl create --category %s --input FILE", f.Category)
	t.line(1, "// memctl adds what is missing here. The title names the file, unless there is an id.")
	for _, field := range f.Head {
		t.line(0, "")
		t.field(1, field)
	}
	t.line(0, "")
	t.line(1, `"content": {`)
	for i, field := range f.Content {
		if i > 0 {
			t.line(0, "")
		}
		t.field(2, field)
	}
	t.line(1, "}")
	t.line(0, "}")
	return t.String()
}

type template struct{ strings.Builder }

func (t *template) line(depth int, format string, args ...any) {
	line := strings.Repeat("  ", depth) + fmt.Sprintf(format, args...)
	t.WriteString(strings.TrimRight(line, " ") + "\n")
}

func (t *template) field(depth int, f Field) {
	if f.Required {
		t.line(depth, "// %s", f.Help())
	} else {
		t.line(depth, "// %s Optional.", f.Help())
	}
	for _, line := range f.draft() {
		if !f.Required {
			line = "// " + line
		}
		t.line(depth, "%s", line)
	}
}

// Help says what the field is for and which words it takes.
func (f Field) Help() string {
	if f.Choices == nil {
		return f.Description
	}
	return f.Description + " One of " + strings.Join(f.Choices, ", ") + "."
}

// draft returns the lines of the field in a draft.
func (f Field) draft() []string {
	name := fmt.Sprintf("%q: ", f.Name)
	switch {
	case f.Type == "object":
		return f.draftWithin(name+"{", "},")
	case f.Type == "array" && f.Fields != nil:
		return f.draftWithin(name+"[{", "}],")
	case f.Type == "array" && f.Required:
		return []string{name + "[],"}
	case f.Type == "array":
		return []string{name + `[""],`}
	case f.Type == "number":
		return []string{name + "1,"}
	case f.Default != nil:
		value, _ := EncodeJSON(f.Default) // was decoded from JSON
		return []string{name + string(value) + ","}
	case f.Required:
		return []string{name + "null,"}
	}
	return []string{name + `"",`}
}

func (f Field) draftWithin(begin, end string) []string {
	lines := []string{begin}
	for _, field := range f.Fields {
		lines = append(lines, "  // "+field.Help())
		field.Required = false // an empty text, not null
		for _, line := range field.draft() {
			lines = append(lines, "  "+line)
		}
	}
	return append(lines, end)
}
