// Package hooks answers what an agent's client tells memctl about: a prompt, a
// session that starts, a tool, a stop. It owns memctl's own Event and Answer, the
// run of a hook from stdin to stdout. A hook fails open: whatever goes wrong, the agent
// goes on.
package hooks

import (
	"context"
	"time"

	"memctl/observe"
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
	{Name: "subagent-start", Usage: "give a subagent the memories that fit its prompt, and what stands", Answer: startSubagent},
	{Name: observe.AfterTool, Usage: "record what a tool did; check a memory file that it wrote past the guard",
		Answer: afterTool},
	{Name: "pre-tool-use", Usage: "keep a tool from writing memory files past memctl; give the agent what is about the tool",
		Answer: beforeTool},
	{Name: observe.AfterFailure, Usage: "record that a tool failed", Answer: afterFailure},
	{Name: "stop", Usage: "ask for what is worth a memory before the agent stops, once a turn", Answer: askBeforeStop},
}
