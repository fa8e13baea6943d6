package observe

import (
	"cmp"
	"encoding/json"
	"fmt"

	"memctl/schemas"
)

// maxMembers and maxInput limit the members of a tool's input that are kept, and
// their bytes.
const (
	maxMembers = 50
	maxInput   = 4 * maxText
)

// arguments holds the members of the tools' inputs that memctl reads unfiltered.
type arguments struct {
	Command    string `json:"command"`     // Bash
	Path       string `json:"path"`        // Grep, Glob
	OutputMode string `json:"output_mode"` // Grep
}

// writtenMember names the member of a tool's input that goes into a file.
var writtenMember = map[string]string{"Write": "content", "Edit": "new_string", "NotebookEdit": "new_source"}

// input is what is kept of a tool's input.
type input struct {
	value  any            // filtered and cut
	fields map[string]any // the same for an object
	lines  *int           // of the text that is written
}

func newInput(e Event, f *filter) input {
	if len(e.Input) == 0 {
		return input{}
	}
	if e.Input[0] != '{' {
		return input{value: f.member("", e.Input)}
	}
	in := input{fields: map[string]any{}}
	size := 0
	for key, raw := range schemas.Members(e.Input) {
		if len(in.fields) == maxMembers || size > maxInput {
			in.fields["..."] = truncated
			break
		}
		if key = f.key(in.fields, key); key == writtenMember[e.ToolName] {
			in.addWritten(key, e.ToolName, schemas.String(raw), f)
			continue
		}
		in.fields[key] = f.member(key, raw)
		size += min(len(raw), maxText)
	}
	in.value = in.fields
	return in
}

// addWritten counts the lines of text that goes into a file. Of what Write writes
// nothing is kept: it can be read in the file.
func (in *input) addWritten(key, tool, s string, f *filter) {
	n := countLines(s)
	in.lines = &n
	if tool != "Write" {
		in.fields[key] = f.text(s, maxField)
		return
	}
	in.fields["content_bytes"] = len(s)
	in.fields["content_lines"] = n
}

// text returns a member of the kept input, "" unless it is a string.
func (in input) text(name string) string {
	s, _ := in.fields[name].(string)
	return s
}

// filePath returns the file that the kept input names.
func (in input) filePath() string { return cmp.Or(in.text("file_path"), in.text("notebook_path")) }

func (f *filter) key(object map[string]any, key string) string {
	key, r := f.Key(object, key)
	f.add(r)
	return name(key)
}

// member filters and cuts a member of the input. A string that is too long to be
// examined as a whole keeps its beginning.
func (f *filter) member(key string, raw json.RawMessage) any {
	if len(raw) > window && raw[0] == '"' {
		return f.text(schemas.String(raw), maxField)
	}
	v := f.value(key, raw)
	if _, isText := v.(string); isText {
		return v
	}
	if data := encode(v); len(data) > maxText { // many short strings
		return fmt.Sprintf("[%d bytes]", len(data))
	}
	return v
}
