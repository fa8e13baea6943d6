// Package hooks answers what an agent's client tells memctl about: a prompt, a
// session that starts, a tool, a stop. It owns memctl's own Event and Answer, the
// run of a hook from stdin to exit status, and the log of the runs. A hook fails
// open: whatever goes wrong, the agent goes on.
package hooks

import "context"

// Hook answers events of one kind.
type Hook struct {
	Name, Usage string
	Answer      Func
}

// Func answers one event. It returns an error if the hook cannot do its work, and a
// Silence if it has nothing to say; the answer is then ignored.
type Func func(context.Context, *Call) (Answer, error)

// The hooks after a tool.
const (
	AfterTool    = "post-tool-use"
	AfterFailure = "post-tool-use-failure"
)

// All lists the hooks in the order of the help text.
var All = []Hook{
	{"user-prompt-submit", "print the memories that matter for a prompt", answerPrompt},
	{"session-start", "bring the index up to date; say what needs the user, if anything", startSession},
	{AfterTool, "record what a tool did; check a memory file that it wrote past the guard", afterTool},
	{"pre-tool-use", "keep a tool from writing memory files past memctl", guardFiles},
	{AfterFailure, "record that a tool failed", afterFailure},
	{"stop", "ask for what is worth a memory before the agent stops (exit status 2), once", askBeforeStop},
}
