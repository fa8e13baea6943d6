package hooks

import (
	"encoding/json"
	"io"
)

// Deny answers a PreToolUse event: the tool is not run, and the agent reads the
// reason. Without hookEventName the client would drop the whole answer.
func Deny(out io.Writer, reason string) error {
	type output struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	}
	return answer(out, map[string]output{"hookSpecificOutput": {"PreToolUse", "deny", reason}})
}

// Block answers a PostToolUse event: what the tool did stays done, and the agent
// reads the reason.
func Block(out io.Writer, reason string) error {
	type output struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
	}
	return answer(out, output{"block", reason})
}

// answer writes one line: the client takes two JSON values for none.
func answer(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
