package hooks

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"memctl/memdir"
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
	PromptID       string          `json:"prompt_id"`
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
		Cwd:            usablePath(e.Cwd),
		Name:           e.Name,
		Source:         e.Source,
		Prompt:         cmp.Or(e.Prompt, e.UserPrompt),
		ToolName:       e.ToolName,
		ToolPath:       cmp.Or(input.FilePath, input.NotebookPath),
		TranscriptPath: usablePath(e.TranscriptPath),
		LastAnswer:     e.LastAnswer,
		StopHookActive: e.StopHookActive,
		PromptID:       e.PromptID,
	}, nil
}

// usablePath returns "" for a path that no system opens. A tool's path stays, because
// the tool may clean it first.
func usablePath(path string) string {
	if len(path) > memdir.MaxPath {
		return ""
	}
	return path
}

// claudeAnswer is an answer on stdout, with exit status 0. The client takes at most one
// JSON value.
type claudeAnswer struct {
	Message  string          `json:"systemMessage,omitempty"` // the client shows it to the person
	Decision string          `json:"decision,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Specific *claudeSpecific `json:"hookSpecificOutput,omitempty"`
}

type claudeSpecific struct {
	Event    string `json:"hookEventName"` // without it the client ignores the answer
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
}

// encodeAnswer renders a hook's answer as a line of JSON, "" for the zero Answer.
func encodeAnswer(hook string, a Answer) string {
	for _, s := range []*string{&a.Person, &a.Context, &a.Deny, &a.Block, &a.Ask} {
		*s = text.Paragraph(*s)
	}
	c := claudeAnswer{Message: a.Person}
	switch {
	case a.Deny != "":
		c.Specific = &claudeSpecific{Event: claudeEventName(hook), Decision: "deny", Reason: a.Deny}
	case a.Block != "":
		c.Decision, c.Reason = "block", a.Block
	case a.Ask != "" || a.Context != "":
		c.Specific = &claudeSpecific{Event: claudeEventName(hook), Context: cmp.Or(a.Ask, a.Context)}
	case a.Person == "":
		return ""
	}
	return jsonLine(c)
}

// claudeEventName returns the client's name for a hook's event, such as UserPromptSubmit
// for user-prompt-submit.
func claudeEventName(hook string) string {
	var name strings.Builder
	for word := range strings.SplitSeq(hook, "-") {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String()
}

// jsonLine renders a value that holds strings only, so encoding cannot fail.
func jsonLine(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return b.String()
}
