package hooks

import (
	"slices"

	"memctl/observe"
)

// Event is what a client tells a hook. A field is empty if the client does not send
// it, or sends another type than expected, or a path longer than memdir.MaxPath.
type Event struct {
	observe.Event // the session, the turn and what a tool did, by Claude Code's names of tools and members

	Cwd       string
	AgentType string // of a subagent that starts
	Name      string
	Source    string // of a session's start: startup, resume, clear, compact
	Prompt    string
	Paths     []string // the files that the tool writes, as the model gave them
	// TranscriptPath is where the client keeps the conversation. It writes late: at
	// a stop, LastAnswer is usually not in it yet.
	TranscriptPath string
	// TranscriptMark stands in the transcript once the client has written all that came
	// before the event; "" if the client says all that matters in the event.
	TranscriptMark string
	LastAnswer     string
	StopHookActive bool // the agent is going on because a stop hook asked it to
}

// WritesFile reports whether the event is about a tool that writes the files named in
// its input. An event without a tool's name counts as one.
func (e Event) WritesFile() bool {
	return slices.Contains([]string{"", "Write", "Edit", "MultiEdit", "NotebookEdit"}, e.ToolName)
}
