package hooks

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"memctl/text"
)

// Only this file knows how Claude Code sends events and takes answers
// (docs/claude-code.md).

// claudeEvent is an event on stdin. Older clients send the prompt as user_prompt.
type claudeEvent struct {
	SessionID      string          `json:"session_id"`
	Cwd            string          `json:"cwd"`
	Name           string          `json:"hook_event_name"`
	Source         string          `json:"source"`
	Prompt         string          `json:"prompt"`
	UserPrompt     string          `json:"user_prompt"`
	ToolName       string          `json:"tool_name"`
	ToolInput      claudeToolInput `json:"tool_input"`
	TranscriptPath string          `json:"transcript_path"`
	LastAnswer     string          `json:"last_assistant_message"`
	StopHookActive bool            `json:"stop_hook_active"`
}

type claudeToolInput struct {
	FilePath     string `json:"file_path"`
	NotebookPath string `json:"notebook_path"`
}

// decodeEvent treats a member of another type than expected as absent.
func decodeEvent(raw json.RawMessage) (Event, error) {
	var e claudeEvent
	err := json.Unmarshal(raw, &e) // skips such members and decodes the rest
	var typeErr *json.UnmarshalTypeError
	switch wrongType := errors.As(err, &typeErr); {
	case wrongType && typeErr.Field == "":
		return Event{}, fmt.Errorf("expected a JSON object, got a JSON %s", typeErr.Value)
	case err != nil && !wrongType:
		return Event{}, err
	}
	input := e.ToolInput
	return Event{
		SessionID:      e.SessionID,
		Cwd:            e.Cwd,
		Name:           e.Name,
		Source:         e.Source,
		Prompt:         cmp.Or(e.Prompt, e.UserPrompt),
		ToolName:       e.ToolName,
		ToolPath:       cmp.Or(input.FilePath, input.NotebookPath),
		TranscriptPath: e.TranscriptPath,
		LastAnswer:     e.LastAnswer,
		StopHookActive: e.StopHookActive,
	}, nil
}

// The exit statuses of a hook.
const (
	exitDone  = 0
	ExitBlock = 2 // of the stop hook: the agent goes on and reads stderr
)

// output is how a hook's process answers its client.
type output struct {
	stdout, stderr string
	exit           int
}

func encodeAnswer(a Answer) output {
	for _, s := range []*string{&a.Deny, &a.Block, &a.Ask, &a.Context} {
		*s = text.Paragraph(*s)
	}
	switch {
	case a.Deny != "":
		type decision struct {
			Event    string `json:"hookEventName"` // without it the client ignores the answer
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		}
		return output{stdout: jsonLine(map[string]decision{"hookSpecificOutput": {"PreToolUse", "deny", a.Deny}})}
	case a.Block != "":
		type decision struct {
			Decision string `json:"decision"`
			Reason   string `json:"reason"`
		}
		return output{stdout: jsonLine(decision{"block", a.Block})}
	case a.Ask != "":
		return output{stderr: a.Ask, exit: ExitBlock}
	}
	return output{stdout: a.Context}
}

// jsonLine renders a value that holds strings only, so encoding cannot fail.
func jsonLine(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return b.String()
}
