package clients

import (
	"encoding/json"
	"strconv"
	"time"

	"memctl/schemas"
)

// wire is an event on stdin, with the members of all clients. Most have the names that
// Claude Code gave them.
type wire struct {
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

// mcpContext names the tool of an MCP server.
type mcpContext struct {
	Server string `json:"server_name"`
	Tool   string `json:"tool_name"`
}

// duration is what the client measured, else the time between its two clock
// readings. It is negative if there is neither or the clock went back.
func (w *wire) duration() time.Duration {
	ms, err := strconv.ParseFloat(string(w.DurationMS), 64)
	if err == nil && ms >= 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	started, ended := moment(w.StartedAt), moment(w.EndedAt)
	if started.IsZero() || ended.IsZero() {
		return -1
	}
	return max(-1, ended.Sub(started))
}

// moment reads a timestamp, or seconds or milliseconds since 1970. It returns the
// zero time for any other value.
func moment(raw json.RawMessage) time.Time {
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

// present returns nil for null.
func present(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// quoted is a text as JSON.
func quoted(s string) json.RawMessage {
	data, _ := schemas.EncodeJSON(s) // of a string: cannot fail
	return data
}
