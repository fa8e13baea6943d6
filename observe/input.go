package observe

import (
	"encoding/json"
	"fmt"

	"memctl/schemas"
)

// maxMembers and maxInput bound the members of a tool's input that are kept, and
// their bytes.
const (
	maxMembers = 50
	maxInput   = 4 * maxText
)

// input is what is kept of a tool's input.
type input struct {
	value  any            // filtered and cut
	fields map[string]any // the same, of an object
	lines  *int           // of the text that is written
}

func newInput(e Event, f *filter) input {
	if len(e.Input) == 0 || e.Input[0] != '{' {
		return input{value: f.whole(e.Input)}
	}
	in := input{fields: map[string]any{}}
	size := 0
	for key, raw := range schemas.Members(e.Input) {
		if len(in.fields) == maxMembers || size > maxInput {
			in.fields["..."] = truncated
			break
		}
		if key = f.key(in.fields, key); writesText(e.ToolName, key) {
			in.take(key, e.ToolName, schemas.String(raw), f)
			continue
		}
		in.fields[key] = f.member(key, raw)
		size += min(len(raw), maxText)
	}
	in.value = in.fields
	return in
}

// writesText tells which member of a tool's input goes into a file.
func writesText(tool, key string) bool {
	switch tool {
	case "Write":
		return key == "content"
	case "Edit":
		return key == "new_string"
	case "NotebookEdit":
		return key == "new_source"
	}
	return false
}

// take counts the lines of what is written. What Write writes can be read in its
// file, so nothing of it is kept.
func (in *input) take(key, tool, s string, f *filter) {
	n := countLines(s)
	in.lines = &n
	if tool != "Write" {
		in.fields[key] = f.text(s, maxField)
		return
	}
	in.fields["content_bytes"] = len(s)
	in.fields["content_lines"] = n
}

func (f *filter) key(object map[string]any, key string) string {
	key, r := f.Key(object, key)
	f.add(r)
	return name(key)
}

// member is a member of the input. A string that is too long to be looked at whole
// keeps its beginning.
func (f *filter) member(key string, raw json.RawMessage) any {
	if len(raw) > window && raw[0] == '"' {
		return f.text(schemas.String(raw), maxField)
	}
	return bounded(f.value(key, raw))
}

// whole is an input that is no object.
func (f *filter) whole(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	return f.member("", raw)
}

// bounded replaces a value whose strings are short and whose number is large.
func bounded(v any) any {
	if _, isText := v.(string); isText {
		return v
	}
	if data := schemas.EncodeAny(v); len(data) > maxText {
		return fmt.Sprintf("[%d bytes]", len(data))
	}
	return v
}

// first is the first of the strings named that is there.
func (in input) first(names ...string) string {
	for _, name := range names {
		if s, _ := in.fields[name].(string); s != "" {
			return s
		}
	}
	return ""
}
