package observe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"strings"

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

// input filters and cuts a tool's input, and notes what it says about the run.
func (f *filter) input(e Event, m *schemas.ToolMetadata) any {
	if len(e.Input) == 0 {
		return nil
	}
	if e.Input[0] != '{' {
		return f.member("", e.Input)
	}
	members := map[string]any{}
	member, writes := writtenMember[e.ToolName]
	size := 0
	for key, raw := range schemas.Members(e.Input) {
		if len(members) == maxMembers || size > maxInput {
			members["..."] = truncated
			break
		}
		key = f.key(members, key)
		if writes && key == member {
			m.LineCount = f.addText(members, key, e.ToolName, schemas.String(raw))
			continue
		}
		members[key] = f.member(key, raw)
		size += min(len(raw), maxText)
	}
	describe(m, e.ToolName, members)
	return members
}

// addText adds a text that goes into a file to the members, and counts its lines. The text of Write
// is left out: it can be read in the file.
func (f *filter) addText(members map[string]any, key, tool, s string) *int {
	n := countLines(s)
	if tool == "Write" {
		members["content_bytes"], members["content_lines"] = len(s), n
	} else {
		members[key] = f.text(s, maxField)
	}
	return &n
}

// describe notes what the kept input says about the run.
func describe(m *schemas.ToolMetadata, tool string, members map[string]any) {
	text := func(name string) string {
		s, _ := members[name].(string)
		return s
	}
	switch tool {
	case "Read", "Write", "Edit", "MultiEdit", "NotebookEdit":
		m.FilePath = cmp.Or(text("file_path"), text("notebook_path"))
		m.FileType = strings.TrimPrefix(strings.ToLower(path.Ext(m.FilePath)), ".")
	case "Bash":
		m.Command = text("command")
	case "Grep", "Glob":
		m.Pattern, m.FilePath = text("pattern"), text("path")
	case "WebFetch":
		m.URL = text("url")
	case "Task", "Agent":
		m.SubagentType = text("subagent_type")
	}
}

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
