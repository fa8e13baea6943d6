package answers

import "context"

// Hook answers events of one kind.
type Hook struct {
	Name, Usage string
	Answer      Func
}

// Func answers one event. What it writes to stdout reaches the client only if it
// returns nil or a *Blocked.
type Func func(context.Context, *Call) error

// The hooks after a tool.
const (
	AfterTool    = "post-tool-use"
	AfterFailure = "post-tool-use-failure"
)

// Unindexed are the hooks that need no index.
var Unindexed = []Hook{
	{"pre-tool-use", "keep a tool from writing memory files past memctl", guard},
	{AfterFailure, "record that a tool failed", failed},
	{"stop", "ask for what is worth a memory before the agent stops (exit status 2), once", stop},
}

// failed is for an event that recording could not read.
func failed(context.Context, *Call) error { return nil }
