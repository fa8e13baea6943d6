package schemas

import (
	"fmt"
	"strings"
)

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
