package observe

import (
	"encoding/json"
	"fmt"
	"time"
)

// Event is what a client reports after a tool.
type Event struct {
	SessionID   string
	ToolName    string
	Input       json.RawMessage // any value, nil for none
	Output      json.RawMessage // any value, nil for none
	Failed      bool
	Unsettled   bool // the client does not say whether the tool failed
	Error       string
	Interrupted bool
	ToolUseID   string
	PromptID    string
	AgentID     string // "" unless a subagent used the tool
	EndedAt     time.Time
	Duration    time.Duration // negative if unknown
}

// Exited makes the event that of a command that failed.
func (e *Event) Exited(code int, printed string) {
	e.Failed, e.Output = true, nil
	e.Error = fmt.Sprintf("Exit code %d\n%s", code, printed)
}

// decode reads a client's JSON. A member of another type than expected counts as
// absent.
func decode[T any](raw json.RawMessage) (v T) {
	_ = json.Unmarshal(raw, &v) // skips such members and decodes the rest
	return v
}

// The hooks after a tool, which record it.
const (
	AfterTool    = "post-tool-use"
	AfterFailure = "post-tool-use-failure"
)
