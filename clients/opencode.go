package clients

import (
	"encoding/json"

	"memctl/hooks"
)

// OpenCode does not run commands as hooks: its plugin runs memctl's with events and answers in
// Claude Code's form, and OpenCode's tools as they are. It also writes the transcripts.
var OpenCode = &Client{
	Name: "opencode",
	tools: names{
		{"bash", "Bash"}, {"write", "Write"}, {"edit", "Edit"}, {"read", "Read"}, {"glob", "Glob"}, {"grep", "Grep"},
		{"webfetch", "WebFetch"}, {"task", "Task"}, {"todowrite", "TodoWrite"}, {"todoread", "TodoRead"},
	},
	members:  names{{"filePath", "file_path"}, {"oldString", "old_string"}, {"newString", "new_string"}},
	ownTools: "memctl_",
	adapt:    adaptOpenCode,
	form:     form{blockStop: true},
	messages: claudeMessages,
}

// openCodeResponse is the output of the plugin's hook after a tool.
type openCodeResponse struct {
	Output   *string         `json:"output"`
	Content  json.RawMessage `json:"content"` // of an MCP tool
	Metadata struct {
		Exit int `json:"exit"`
	} `json:"metadata"`
}

// adaptOpenCode reads an event. A command that fails is an ordinary run with another exit
// status than 0.
func adaptOpenCode(w *wire, e *hooks.Event) error {
	var r openCodeResponse
	switch {
	case !decodeObject(w.ToolResponse, &r):
	case r.Metadata.Exit != 0 && r.Output != nil:
		e.Exited(r.Metadata.Exit, *r.Output)
	case r.Output != nil:
		e.Output = quoted(*r.Output)
	case r.Content != nil:
		e.Output = r.Content
	}
	return nil
}
