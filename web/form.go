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

// input is a field of a form, made from the schema of the category.
type input struct {
	Name     string // dotted, as in a violation: content.rationale
	Label    string
	Help     string
	Type     string // line, text, choice, yes, list, records or group
	Value    string
	Checked  bool
	Choices  []choice
	Required bool
	Entries  [][]input // of a list, one more than there are, to fill in
	Fields   []input   // of a group
	Problems []string
	// Theirs is what the file says now, if it changed meanwhile.
	Theirs  string
	Differs bool
	Codes   string // the value with its invisible characters as codes, "" without any
}

// ID is the id of the input on the page.
func (i input) ID() string { return "f-" + strings.ReplaceAll(i.Name, ".", "-") }

// isShort reports whether a text is one line.
func isShort(field string) bool {
	return slices.Contains([]string{"title", "topic", "expires", "environment"}, field)
}

// inputs makes the inputs of fields whose names begin with prefix.
func inputs(lang string, fields []schemas.Field, prefix string, values map[string]any) []input {
	var list []input
	for _, f := range fields {
		list = append(list, inputOf(lang, f, prefix, values[f.Name]))
	}
	return list
}

func inputOf(lang string, f schemas.Field, prefix string, value any) input {
	in := input{Name: prefix + f.Name, Label: fieldName(lang, f.Name), Help: f.Description, Required: f.Required, Value: plainValue(value)}
	in.Codes = codes(in.Value)
	switch {
	case f.Name == "tags" && prefix == "":
		in.Type = "line"
		in.Value = strings.ReplaceAll(in.Value, "\n", ", ")
	case f.Choices != nil:
		in.Type = "choice"
		chosen := false
		if !f.Required {
			in.Choices = append(in.Choices, choice{})
		}
		for _, word := range f.Choices {
			c := choice{Value: word, Label: word, Chosen: word == in.Value || value == nil && f.Default == word}
			chosen = chosen || c.Chosen
			in.Choices = append(in.Choices, c)
		}
		if !chosen && in.Value != "" { // it is wrong and stays until another one is chosen
			in.Choices = append(in.Choices, choice{Value: in.Value, Label: in.Value, Chosen: true})
		}
	case f.Type == "boolean":
		in.Type = "yes"
		in.Checked = value == true || value == nil && f.Default == true
	case f.Type == "object":
		in.Type = "group"
		object, _ := value.(map[string]any)
		in.Fields = inputs(lang, f.Fields, in.Name+".", object)
	case f.Type == "array":
		in.Type = "list"
		if f.Fields != nil {
			in.Type = "records"
		}
		entries, _ := value.([]any)
		for i, entry := range append(entries[:len(entries):len(entries)], nil) {
			in.Entries = append(in.Entries, entryInputs(lang, f, in, strconv.Itoa(i), entry))
		}
	case f.Type == "number" || isShort(f.Name):
		in.Type = "line"
	default:
		in.Type = "text"
	}
	return in
}

// entryInputs makes the inputs of one entry of a list.
func entryInputs(lang string, f schemas.Field, in input, place string, entry any) []input {
	name := in.Name + "." + place
	if f.Fields != nil {
		object, _ := entry.(map[string]any)
		fields := inputs(lang, f.Fields, name+".", object)
		for i := range fields {
			fields[i].Help, fields[i].Required = "", false // a blank entry is left out
		}
		return fields
	}
	value := plainValue(entry)
	return []input{{Name: name, Label: in.Label, Type: "text", Value: value, Codes: codes(value)}}
}

// problems are what is wrong with a form, by the name of the input.
type problems map[string][]string

// problemsOf returns what a refusal says about the fields of a draft.
func problemsOf(err error, draft []byte) problems {
	found := problems{}
	for _, p := range writer.Problems(err, draft) {
		found[p.Field] = append(found[p.Field], p.Message())
	}
	return found
}

// mark puts each problem at its input, or at the nearest one around it, and returns
// those that belong to none.
func (p problems) mark(list []input) []string {
	var rest []string
	for _, field := range sortedNames(p) {
		at := field
		for at != "" && !markInput(list, at, p[field]) {
			at = at[:max(0, strings.LastIndex(at, "."))]
		}
		if at == "" {
			for _, message := range p[field] {
				rest = append(rest, strings.TrimPrefix(field+": "+message, ": "))
			}
		}
	}
	return rest
}

func sortedNames(p problems) []string {
	object := map[string]any{}
	for name := range p {
		object[name] = nil
	}
	return sortedKeys(object)
}

func markInput(list []input, name string, messages []string) bool {
	for i := range list {
		in := &list[i]
		if in.Name == name {
			in.Problems = append(in.Problems, messages...)
			return true
		}
		if markInput(in.Fields, name, messages) {
			return true
		}
		for _, entry := range in.Entries {
			if markInput(entry, name, messages) {
				return true
			}
		}
	}
	return false
}

// compare puts next to each input what the file says now, if that is something else.
func compare(list []input, now map[string]any, prefix string) {
	for i := range list {
		in := &list[i]
		name, direct := strings.CutPrefix(in.Name, prefix)
		if !direct || strings.Contains(name, ".") {
			continue
		}
		theirs := plainValue(now[name])
		if in.Name == "tags" {
			theirs = strings.ReplaceAll(theirs, "\n", ", ")
		}
		in.Theirs, in.Differs = theirs, theirs != in.mine()
	}
}

// mine is what the form says, in the form of plainValue.
func (i input) mine() string {
	switch i.Type {
	case "yes":
		return strconv.FormatBool(i.Checked)
	case "choice":
		for _, c := range i.Choices {
			if c.Chosen {
				return c.Value
			}
		}
	}
	return i.Value
}

// readForm puts what was sent into a memory. It returns what cannot be read.
func readForm(form schemas.Form, sent url.Values, doc *schemas.Memory) problems {
	found := problems{}
	values, content := doc.Values(), doc.ContentValues()
	readFields(form.Head, "", sent, values, found)
	readFields(form.Content, "content.", sent, content, found)
	values["content"] = content
	*doc = *schemas.MemoryOf(values)
	return found
}

func readFields(fields []schemas.Field, prefix string, sent url.Values, into map[string]any, found problems) {
	for _, f := range fields {
		name := prefix + f.Name
		value, err := readField(f, name, sent, into[f.Name], found)
		switch {
		case err != nil:
			found[name] = append(found[name], err.Error())
			into[f.Name] = typed(sent, name)
		case value == nil:
			delete(into, f.Name)
		default:
			into[f.Name] = value
		}
	}
}

// readField returns the value that was sent for a field, nil for none. A text that was
// not changed stays as it was stored.
func readField(f schemas.Field, name string, sent url.Values, old any, found problems) (any, error) {
	switch {
	case f.Name == "tags" && name == f.Name:
		tags := []any{}
		for tag := range strings.SplitSeq(typed(sent, name), ",") {
			if tag = strings.TrimSpace(tag); tag != "" {
				tags = append(tags, tag)
			}
		}
		return tags, nil
	case f.Type == "boolean":
		return sent.Get(name) != "", nil
	case f.Type == "object":
		object := map[string]any{}
		readFields(f.Fields, name+".", sent, object, found)
		if len(object) == 0 && !f.Required {
			return nil, nil
		}
		return object, nil
	case f.Type == "array":
		return readList(f, name, sent, old, found), nil
	}
	said := typed(sent, name)
	switch {
	case said == "":
		return nil, nil
	case f.Type == "number":
		return f.Parse(said)
	}
	return unchanged(old, said), nil
}

func readList(f schemas.Field, name string, sent url.Values, old any, found problems) any {
	before, _ := old.([]any)
	list := []any{}
	for i := range maxEntries {
		place := name + "." + strconv.Itoa(i)
		var was any
		if i < len(before) {
			was = before[i]
		}
		if f.Fields == nil {
			if said := typed(sent, place); said != "" {
				list = append(list, unchanged(was, said))
			}
			continue
		}
		entry := map[string]any{}
		if object, ok := was.(map[string]any); ok {
			for key, value := range object {
				entry[key] = value
			}
		}
		readFields(f.Fields, place+".", sent, entry, found)
		if len(entry) > 0 {
			list = append(list, entry)
		}
	}
	if len(list) == 0 && !f.Required && len(before) == 0 {
		return nil
	}
	return list
}

// typed returns a text as it was typed. Browsers end lines with two characters.
func typed(sent url.Values, name string) string {
	return strings.TrimSpace(strings.ReplaceAll(sent.Get(name), "\r\n", "\n"))
}

// unchanged returns the old value if it looks in a form as what was typed.
func unchanged(old any, said string) any {
	if was, ok := old.(string); ok && strings.TrimSpace(strings.ReplaceAll(was, "\r\n", "\n")) == said {
		return was
	}
	return said
}
