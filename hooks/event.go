// Package hooks owns the agent's wire format: reading an event from stdin and
// writing what the client understands. It decides nothing.
package hooks

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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

// ParseEvent reads a JSON object. It knows the field names of Claude Code and the
// older ones; a value of another type than expected counts as absent.
func ParseEvent(raw json.RawMessage) (Event, error) {
	var fields object
	if err := json.Unmarshal(raw, &fields); err != nil {
		if other := new(json.UnmarshalTypeError); errors.As(err, &other) {
			err = errors.New("got a JSON " + other.Value)
		}
		return Event{}, fmt.Errorf("expected a JSON object, %w", err)
	}
	input := fields.object("tool_input")
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
		StopHookActive: string(fields["stop_hook_active"]) == "true",
	}, nil
}

// object holds the fields of a JSON object. Decoding into a struct would cost each
// start of a hook a tenth of a millisecond more: encoding/json would have to learn
// the struct first.
type object map[string]json.RawMessage

func (o object) text(key string) string {
	var value string
	if raw, ok := o[key]; !ok || json.Unmarshal(raw, &value) != nil {
		return ""
	}
	return value
}

func (o object) object(key string) object {
	var value object
	if raw, ok := o[key]; !ok || json.Unmarshal(raw, &value) != nil {
		return nil
	}
	return value
}

// WritesFile tells the client's tools that write the file named in their input. An
// event that names no tool is taken for one of theirs.
func WritesFile(tool string) bool {
	return slices.Contains([]string{"", "Write", "Edit", "MultiEdit", "NotebookEdit"}, tool)
}
