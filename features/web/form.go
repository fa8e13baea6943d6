package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"memctl/schemas"
	"memctl/writer"
)

// maxEntries is how many entries of a list a form may have.
const maxEntries = 500

// input is a field of a form with its value.
type input struct {
	schemas.Field
	Path     string   // dotted, as in a violation: content.rationale
	Value    any      // as schemas.DecodeAny decodes it, nil for none
	Parts    []*input // fields of an object; entries of a list, one more than there are, to fill in
	Problems []string
	Stored   *string // what the file says now, if that is something else
}

func inputOf(f schemas.Field, path string, value any) *input {
	if value == nil {
		value = f.Default
	}
	in := &input{Field: f, Path: path, Value: value}
	switch in.Kind() {
	case "group":
		object, _ := value.(map[string]any)
		for _, field := range f.Fields {
			in.Parts = append(in.Parts, inputOf(field, below(path, field.Name), object[field.Name]))
		}
	case "list", "records":
		entries, _ := value.([]any)
		for i, entry := range append(slices.Clone(entries), nil) {
			in.Parts = append(in.Parts, inputOf(f.Item(), below(path, strconv.Itoa(i)), entry))
		}
	}
	return in
}

func below(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// Kind says how the value is typed.
func (i *input) Kind() string {
	switch {
	case i.Choices != nil:
		return "choice"
	case i.Type == "boolean":
		return "yes"
	case i.Type == "object":
		return "group"
	case i.Type == "array" && i.Fields != nil:
		return "records"
	case i.Type == "array" && !i.Inline():
		return "list"
	case i.Type == "string" && !slices.Contains([]string{"title", "topic", "expires", "environment",
		"forbidden_command", "forbidden_lines", "instead"}, i.Name):
		return "text"
	}
	return "line"
}

// ID is the id of the input on the page.
func (i *input) ID() string { return "f-" + strings.ReplaceAll(i.Path, ".", "-") }

// Text is the value as it is typed.
func (i *input) Text() string { return typedText(i.Field, i.Value) }

func typedText(f schemas.Field, value any) string {
	if f.Inline() {
		return strings.ReplaceAll(plainValue(value), "\n", ", ")
	}
	return plainValue(value)
}

// Options are the words to choose from. A wrong one stays until another one is chosen.
func (i *input) Options() []string {
	if text := i.Text(); text != "" && !slices.Contains(i.Choices, text) {
		return append(slices.Clone(i.Choices), text)
	}
	return i.Choices
}

// at returns the input at a path, or the nearest one around it.
func (i *input) at(path string) *input {
	for _, part := range i.Parts {
		if path == part.Path || strings.HasPrefix(path, part.Path+".") {
			return part.at(path)
		}
	}
	return i
}

// mark puts each problem at its input, and returns those that belong to none.
func (i *input) mark(problems []writer.Problem) (rest []string) {
	for _, p := range problems {
		if in := i.at(p.Field); in.Path == "" || in.Path == "content" {
			rest = append(rest, p.String())
		} else {
			in.Problems = append(in.Problems, p.Message())
		}
	}
	return rest
}

// compare puts next to each field what the file says now, if that is something else.
func (i *input) compare(now map[string]any) {
	for _, part := range i.Parts {
		if part.Path == "content" {
			content, _ := now[part.Name].(map[string]any)
			part.compare(content)
		} else if text := typedText(part.Field, now[part.Name]); text != part.Text() {
			part.Stored = &text
		}
	}
}

// readForm puts what was sent into a memory. It returns what cannot be read.
func readForm(form schemas.Form, body url.Values, m *schemas.Memory) []writer.Problem {
	r, values := reader{values: body}, m.Values()
	r.value(form.Field(), "", values)
	*m = *schemas.MemoryOf(values)
	return r.problems
}

// reader reads the values of a form.
type reader struct {
	values   url.Values
	problems []writer.Problem
}

// value returns the value that was sent for a field, nil for none. What the form does not
// show stays as in the old value, and so does a text that was not changed.
func (r *reader) value(f schemas.Field, path string, old any) any {
	text := typed(r.values, path)
	switch {
	case f.Type == "boolean":
		return text != ""
	case f.Type == "object":
		object, _ := old.(map[string]any)
		if object == nil {
			object = map[string]any{}
		}
		for _, field := range f.Fields {
			object[field.Name] = r.value(field, below(path, field.Name), object[field.Name])
			if object[field.Name] == nil {
				delete(object, field.Name)
			}
		}
		if len(object) == 0 && !f.Required {
			return nil
		}
		return object
	case f.Type == "array" && !f.Inline():
		return r.list(f, path, old)
	case f.Inline(), f.Type == "number" && text != "":
		value, err := f.Parse(text)
		if err != nil {
			r.problems = append(r.problems, writer.Problem{Field: path, Reason: err.Error()})
			return text
		}
		return value
	}
	before, ok := old.(string)
	switch {
	case ok && asTyped(before) == text: // it may be empty
		return before
	case text == "":
		return nil
	}
	return text
}

func (r *reader) list(f schemas.Field, path string, old any) any {
	before, _ := old.([]any)
	list := []any{}
	for i := range maxEntries {
		var entry any
		if i < len(before) {
			entry = before[i]
		}
		if entry = r.value(f.Item(), below(path, strconv.Itoa(i)), entry); entry != nil {
			list = append(list, entry)
		}
	}
	if len(list) > 1 {
		list = slices.DeleteFunc(list, func(entry any) bool { return entry == "" })
	}
	if len(list) == 0 && !f.Required && len(before) == 0 {
		return nil
	}
	return list
}

// typed returns a text as it was typed.
func typed(values url.Values, name string) string { return asTyped(values.Get(name)) }

// asTyped returns a text as a form sends it, but for the ends of its lines, which have two
// characters there.
func asTyped(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
