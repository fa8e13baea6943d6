package clients

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/gate"
	"memctl/hooks"
	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

// failureEvent is the name of the event after a tool that failed.
const failureEvent = "PostToolUseFailure"

// Decode reads an event. It treats a member of another type than expected as absent.
func (c *Client) Decode(raw json.RawMessage) (hooks.Event, hooks.Client, error) {
	w, err := decodeWire(raw)
	if err != nil {
		return hooks.Event{}, c, err
	}
	if c == Claude {
		c = claimant(&w)
	}
	e := w.event()
	if e.ToolName != "" {
		e.ToolName = c.toolName(e.ToolName)
	}
	if e.WritesFile() || e.ToolName == "Read" {
		e.Input = c.renamed(e.Input)
	}
	if c.Adapt != nil {
		err = c.Adapt(&w, &e)
	}
	if e.WritesFile() && e.Paths == nil {
		e.Paths = inputPaths(e.Input)
	}
	return e, c, err
}

// claimant returns the client that sent an event which a hook of Claude Code's got.
func claimant(w *Wire) *Client {
	for _, c := range Others {
		if c.Claims != nil && c.Claims(w) {
			return c
		}
	}
	return Claude
}

func decodeWire(raw json.RawMessage) (w Wire, err error) {
	err = json.Unmarshal(raw, &w) // skips such members and decodes the rest
	var wrongType *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &wrongType):
		return w, err
	case wrongType.Field == "":
		return w, fmt.Errorf("expected a JSON object, got a JSON %s", wrongType.Value)
	}
	return w, nil
}

// event returns the event of a client that sends what Claude Code does.
func (w *Wire) event() hooks.Event {
	tool := observe.Event{
		SessionID:   w.SessionID,
		PromptID:    w.PromptID,
		ToolName:    w.ToolName,
		Input:       Present(w.ToolInput),
		Output:      Present(w.ToolResponse),
		Error:       cmp.Or(w.Error, w.ToolError),
		Interrupted: w.IsInterrupt,
		ToolUseID:   w.ToolUseID,
		AgentID:     w.AgentID,
		EndedAt:     Moment(w.EndedAt),
		Duration:    w.duration(),
	}
	if tool.Output == nil {
		tool.Output = Present(w.ToolOutput)
	}
	tool.Failed = w.Name == failureEvent || tool.Error != ""
	return hooks.Event{
		Event:          tool,
		Cwd:            usablePath(w.Cwd),
		AgentType:      w.AgentType,
		Name:           w.Name,
		Source:         w.Source,
		Prompt:         cmp.Or(w.Prompt, w.UserPrompt),
		TranscriptPath: gate.Name(usablePath(w.TranscriptPath)),
		LastAnswer:     w.LastAnswer,
		StopHookActive: w.StopHookActive,
	}
}

func inputPaths(input json.RawMessage) []string {
	var in struct {
		FilePath     string `json:"file_path"`
		NotebookPath string `json:"notebook_path"`
	}
	if !DecodeObject(input, &in) {
		return nil
	}
	if path := cmp.Or(in.FilePath, in.NotebookPath); path != "" {
		return []string{path}
	}
	return nil
}

// usablePath returns "" for a path that no system opens. A tool's path stays, because
// the tool may clean it first.
func usablePath(path string) string {
	if len(path) > files.MaxPath {
		return ""
	}
	return path
}

// Wire is an event on stdin, with the members of all clients. Most have the names that
// Claude Code gave them.
type Wire struct {
	Name           string `json:"hook_event_name"`
	SessionID      string `json:"session_id"`
	Cwd            string `json:"cwd"`
	TranscriptPath string `json:"transcript_path"`
	PromptID       string `json:"prompt_id"`
	Source         string `json:"source"`
	Prompt         string `json:"prompt"`
	UserPrompt     string `json:"user_prompt"` // older
	LastAnswer     string `json:"last_assistant_message"`
	StopHookActive bool   `json:"stop_hook_active"`

	ToolName     string          `json:"tool_name"`
	ToolInput    json.RawMessage `json:"tool_input"`
	ToolResponse json.RawMessage `json:"tool_response"`
	ToolOutput   json.RawMessage `json:"tool_output"` // older
	Error        string          `json:"error"`
	ToolError    string          `json:"tool_error"` // older
	IsInterrupt  bool            `json:"is_interrupt"`
	ToolUseID    string          `json:"tool_use_id"`
	AgentID      string          `json:"agent_id"`
	AgentType    string          `json:"agent_type"`
	DurationMS   json.RawMessage `json:"duration_ms"`
	StartedAt    json.RawMessage `json:"started_at"` // older
	EndedAt      json.RawMessage `json:"ended_at"`   // older

	TurnID         string          `json:"turn_id"`         // Codex
	PromptResponse string          `json:"prompt_response"` // Gemini CLI: the last answer
	MCP            mcpContext      `json:"mcp_context"`     // Gemini CLI
	Timestamp      string          `json:"timestamp"`       // Gemini CLI, Qwen Code, Copilot CLI
	ToolResult     json.RawMessage `json:"tool_result"`     // Copilot CLI: the response
	StopReason     string          `json:"stop_reason"`     // Copilot CLI
	CopilotSession string          `json:"sessionId"`       // Copilot CLI, of a subagent's start
}

type mcpContext struct {
	Server string `json:"server_name"`
	Tool   string `json:"tool_name"`
}

// duration is the time that the client measured, else the time between its two clock
// readings. It is negative if there is neither or the clock went back.
func (w *Wire) duration() time.Duration {
	ms, err := strconv.ParseFloat(string(w.DurationMS), 64)
	if err == nil && ms >= 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	started, ended := Moment(w.StartedAt), Moment(w.EndedAt)
	if started.IsZero() || ended.IsZero() {
		return -1
	}
	return max(-1, ended.Sub(started))
}

// Moment reads a timestamp, or seconds or milliseconds since 1970. It returns the
// zero time for any other value.
func Moment(raw json.RawMessage) time.Time {
	if t, ok := schemas.ParseTime(schemas.String(raw)); ok {
		return t
	}
	const secondsEnd = 1e11 // in the year 5138
	number, err := strconv.ParseFloat(string(raw), 64)
	switch {
	case err != nil || number <= 0 || number >= 1000*secondsEnd:
		return time.Time{}
	case number < secondsEnd:
		number *= 1000
	}
	return time.UnixMilli(int64(number))
}

// Present returns nil for null.
func Present(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

func Quoted(s string) json.RawMessage {
	data, _ := schemas.EncodeJSON(s) // of a string: cannot fail
	return data
}

// AnswerForm is the form in which a client wants its answers. The zero form is Claude Code's: a
// hookSpecificOutput.
type AnswerForm struct {
	FlatContext bool   // additionalContext stands at the top
	FlatDenial  bool   // a tool is denied by a decision
	BlockStop   bool   // the agent is asked by blocking the stop
	GoOn        string // the answer that says nothing
}

// answer is an answer on stdout, with exit status 0. Clients take at most one JSON value.
type answer struct {
	Message  string    `json:"systemMessage,omitempty"` // the client shows it to the person
	Context  string    `json:"additionalContext,omitempty"`
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Specific *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	Event    string `json:"hookEventName"` // without it Claude Code ignores the answer
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
}

// Encode renders a hook's answer as a line of JSON.
func (c *Client) Encode(hook string, a hooks.Answer) string {
	for _, s := range []*string{&a.Person, &a.Context, &a.Confirm, &a.Deny, &a.Block, &a.Ask} {
		*s = text.Paragraph(*s)
	}
	if c.OwnTools != "" {
		for _, s := range []*string{&a.Context, &a.Deny, &a.Block, &a.Ask} {
			*s = strings.ReplaceAll(*s, triage.OwnTools, c.OwnTools)
		}
	}
	out := answer{Message: a.Person}
	switch {
	case a.Deny != "" && c.Answers.FlatDenial:
		out.Decision, out.Reason = "deny", a.Deny
	case a.Deny != "":
		out.Specific = &specific{Event: c.Event(hook), Decision: "deny", Reason: a.Deny}
	case a.Confirm != "":
		out.Specific = &specific{Event: c.Event(hook), Context: a.Context, Decision: "ask", Reason: a.Confirm}
	case a.Block != "":
		out.Decision, out.Reason = "block", a.Block
	case a.Ask != "" && c.Answers.BlockStop:
		out.Decision, out.Reason = "block", a.Ask
	case a.Context != "" && c.Answers.FlatContext && hook != BeforeTool:
		out.Context = a.Context
	case a.Ask != "" || a.Context != "":
		out.Specific = &specific{Event: c.Event(hook), Context: cmp.Or(a.Ask, a.Context)}
	case a.Person == "":
		return c.Answers.GoOn
	}
	line, _ := schemas.EncodeJSON(out) // of strings: cannot fail
	return string(line) + "\n"
}
