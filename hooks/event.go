package hooks

import "slices"

// Event is what a client tells a hook. A field is empty if the client does not send
// it, or sends another type than expected, or a path longer than memdir.MaxPath.
type Event struct {
	SessionID string
	Cwd       string
	Name      string
	Source    string // of a session's start: startup, resume, clear, compact
	Prompt    string
	ToolName  string
	ToolPath  string // the file that the tool's input names, as the model gave it
	// TranscriptPath is where the client keeps the conversation. It writes late: at
	// a stop, LastAnswer is usually not in it yet.
	TranscriptPath string
	LastAnswer     string
	StopHookActive bool   // the agent is going on because a stop hook asked it to
	PromptID       string // of the turn
}

// writesFile reports whether the event is about a tool that writes the file named in
// its input. An event without a tool's name counts as one.
func (e Event) writesFile() bool {
	return slices.Contains([]string{"", "Write", "Edit", "MultiEdit", "NotebookEdit"}, e.ToolName)
}
