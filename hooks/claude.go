package hooks

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// This file is all that knows how Claude Code sends events and takes answers
// (docs/claude-code.md).

// claudeEvent is an event on stdin. Older clients send the prompt as user_prompt.
type claudeEvent struct {
	SessionID      lenient[string]          `json:"session_id"`
	Cwd            lenient[string]          `json:"cwd"`
	Name           lenient[string]          `json:"hook_event_name"`
	Source         lenient[string]          `json:"source"`
	Prompt         lenient[string]          `json:"prompt"`
	UserPrompt     lenient[string]          `json:"user_prompt"`
	ToolName       lenient[string]          `json:"tool_name"`
	ToolInput      lenient[claudeToolInput] `json:"tool_input"`
	TranscriptPath lenient[string]          `json:"transcript_path"`
	LastAnswer     lenient[string]          `json:"last_assistant_message"`
	StopHookActive lenient[bool]            `json:"stop_hook_active"`
}

type claudeToolInput struct {
	FilePath     lenient[string] `json:"file_path"`
	NotebookPath lenient[string] `json:"notebook_path"`
}

// lenient is a field that counts as absent if its value has another type.
type lenient[T any] struct{ value T }

func (l *lenient[T]) UnmarshalJSON(data []byte) error {
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		value = *new(T)
	}
	l.value = value
	return nil
}

func decodeEvent(raw json.RawMessage) (Event, error) {
	var e claudeEvent
	err := json.Unmarshal(raw, &e)
	if typeErr := new(json.UnmarshalTypeError); errors.As(err, &typeErr) {
		return Event{}, fmt.Errorf("expected a JSON object, got a JSON %s", typeErr.Value)
	}
	if err != nil {
		return Event{}, err
	}
	input := e.ToolInput.value
	return Event{
		SessionID:      e.SessionID.value,
		Cwd:            e.Cwd.value,
		Name:           e.Name.value,
		Source:         e.Source.value,
		Prompt:         cmp.Or(e.Prompt.value, e.UserPrompt.value),
		ToolName:       e.ToolName.value,
		ToolPath:       cmp.Or(input.FilePath.value, input.NotebookPath.value),
		TranscriptPath: e.TranscriptPath.value,
		LastAnswer:     e.LastAnswer.value,
		StopHookActive: e.StopHookActive.value,
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
