// Package hooks owns the agent's wire format: reading an event from stdin and
// writing what the client understands. It decides nothing.
package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/schemas"
)

// Event is what a hook is told. Fields of events that no hook of ours reads are
// left out.
type Event struct {
	SessionID string
	Cwd       string
	Name      string
	Source    string // of SessionStart: startup, resume, clear, compact
	Prompt    string
	ToolName  string
	ToolPath  string // the file that the tool's input names, as the model gave it
	// TranscriptPath is where the client keeps the conversation. It writes late: at
	// a stop, LastAnswer is usually not in it yet.
	TranscriptPath string
	LastAnswer     string
	StopHookActive bool // the agent goes on because a stop hook blocked
}

// ParseEvent reads a JSON object that ReadValue has read. It knows the field names of
// Claude Code and the older ones; a value of another type than expected counts as
// absent.
func ParseEvent(raw json.RawMessage) (Event, error) {
	if kind := kindOf(raw); kind != "object" && kind != "null" {
		return Event{}, fmt.Errorf("expected a JSON object, got a JSON %s", kind)
	}
	fields := object{schemas.ObjectOf(raw)}
	input := object{schemas.ObjectOf(fields.Get("tool_input"))}
	return Event{
		SessionID: fields.text("session_id"),
		Cwd:       fields.text("cwd"),
		Name:      fields.text("hook_event_name"),
		Source:    fields.text("source"),
		Prompt:    cmp.Or(fields.text("prompt"), fields.text("user_prompt")),
		ToolName:  fields.text("tool_name"),
		ToolPath:  cmp.Or(input.text("file_path"), input.text("notebook_path")),

		TranscriptPath: fields.text("transcript_path"),
		LastAnswer:     fields.text("last_assistant_message"),
		StopHookActive: string(fields.Get("stop_hook_active")) == "true",
	}, nil
}

// kindOf tells a valid value's kind by how it begins.
func kindOf(raw json.RawMessage) string {
	switch raw = bytes.TrimLeft(raw, " \t\r\n"); raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}

// object is what encoding/json would take a tenth of a millisecond longer for, at
// each start of a hook, to learn what a struct is.
type object struct{ schemas.Object }

// text has U+FFFD for each byte that is no UTF-8, as encoding/json has it.
func (o object) text(key string) string {
	s := schemas.String(o.Get(key))
	if utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune { return r }, s)
}

// WritesFile tells the client's tools that write the file named in their input. An
// event that names no tool is taken for one of theirs.
func WritesFile(tool string) bool {
	return slices.Contains([]string{"", "Write", "Edit", "MultiEdit", "NotebookEdit"}, tool)
}
