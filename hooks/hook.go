// Package hooks answers what an agent's client tells memctl about: a prompt, a
// session that starts, a tool, a stop. It owns memctl's own Event and Answer, the
// run of a hook from stdin to stdout. A hook fails open: whatever goes wrong, the agent
// goes on.
package hooks

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"time"

	"memctl/files/gate"
	"memctl/observe"
	"memctl/triage"
)

// Hook answers events of one kind.
type Hook struct {
	Name, Usage string
	Answer      Func
	Deadline    time.Duration // of an answer, from the event's arrival; 0: defaultDeadline
	// Afterwards runs once the answer is out, for a short time; nil for nothing.
	Afterwards func(context.Context, *Call)
}

// Deadlines are shorter than the client's timeouts (hooks.json): a client that gives up
// waiting tells the person nothing.
const (
	defaultDeadline = 2 * time.Second
	sessionDeadline = 8 * time.Second // it may have to build the index
)

// Func answers one event. It returns an error if the hook cannot do its work, and a
// Silence if it has nothing to say; the answer is then ignored. The context ends at the
// hook's deadline, after which the answer is ignored too: a Func checks the context
// before it writes.
type Func func(context.Context, *Call) (Answer, error)

// All lists the hooks in the order of the help text.
var All = []Hook{
	{Name: "user-prompt-submit", Usage: "give the agent the memories that matter for a prompt", Answer: answerPrompt},
	{Name: "session-start", Usage: "bring the index up to date; say what needs the person, if anything",
		Answer: startSession, Deadline: sessionDeadline, Afterwards: noteRoot},
	{Name: "subagent-start", Usage: "give a subagent the memories that fit its prompt, and what stands",
		Answer: startSubagent},
	{Name: observe.AfterTool, Usage: "record what a tool did; check a memory file that it wrote past the guard",
		Answer: afterTool},
	{Name: "pre-tool-use", Usage: "keep a tool from writing memory files past memctl; give the agent what is about " +
		"the tool",
		Answer: beforeTool},
	{Name: observe.AfterFailure, Usage: "record that a tool failed", Answer: afterFailure},
	{Name: "stop", Usage: "ask for what is worth a memory before the agent stops, and to compare a change with its " +
		"rules, each once a turn", Answer: answerStop},
}

// Event is the input of a hook from its client. A field is empty if the client does not send
// it, or sends another type than expected, or a path longer than files.MaxPath.
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
	TranscriptPath gate.Named
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

// Answer is a hook's answer to the client. The zero Answer lets the agent go on
// and tells it nothing. Besides Person, at most one field is set, or Context
// and Confirm.
type Answer struct {
	Person  string // text for the person, which the agent does not get
	Context string // text for the agent
	Confirm string // why the person is to decide whether the tool runs
	Deny    string // the tool must not run, and why
	Block   string // the fault in the tool's work, which stays done
	Ask     string // a task for the agent before it stops
}

// blocks reports whether the answer holds the agent up.
func (a Answer) blocks() bool { return a.Confirm+a.Deny+a.Block+a.Ask != "" }

// Silence is the reason why a hook that works has nothing to say.
type Silence string

func (s Silence) Error() string { return string(s) }

// Client translates one client's events and answers. Package clients has an adapter for each.
type Client interface {
	// Decode reads an event and returns the client that sent it: some run the hooks of
	// another client's settings.
	Decode(raw json.RawMessage) (Event, Client, error)
	// Encode renders an answer for stdout. The zero Answer lets the agent go on.
	Encode(hook string, a Answer) string
	// LogName is the client's name in the log of the runs; "" for Claude Code.
	LogName() string
	// Home names the environment variable that moves the client's own folder, where its
	// transcripts are; "" for none.
	Home() string
	// AfterTool reports whether what the agent is to know before it uses a tool reaches it
	// only after the tool: the client drops it before.
	AfterTool() bool
	// Confirms reports whether a hook can have the client ask the person before a tool runs,
	// and there is one to ask.
	Confirms() bool
	// Loads reads the files that the client puts into every request by itself, of a session in
	// a folder of a project.
	Loads(project, cwd string) []Loaded
	// HasServer reports whether the client starts memctl's MCP server in a project, as far as its
	// files tell.
	HasServer(project string) bool
	// Messages reads a line of a transcript.
	Messages(line []byte) []triage.Message
	// ExitCode finds in a transcript of that size how the use of a tool ended.
	ExitCode(transcript io.ReaderAt, size int64, toolUse string) (code int, known bool)
}
