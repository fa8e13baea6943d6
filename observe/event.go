package observe

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"memctl/schemas"
)

// failureEvent is the name of the event after a tool that failed.
const failureEvent = "PostToolUseFailure"

// Event is what a client reports after a tool.
type Event struct {
	SessionID   string
	ToolName    string
	Input       json.RawMessage // any value, nil for none
	Output      json.RawMessage // any value, nil for none
	Failed      bool
	Error       string
	Interrupted bool
	ToolUseID   string
	PromptID    string
	AgentID     string // "" unless a subagent used the tool
	EndedAt     time.Time
	Duration    time.Duration // negative if unknown
}

// wireEvent is the event as clients send it: by the names of Claude Code and by
// older ones.
type wireEvent struct {
	Name         string          `json:"hook_event_name"`
	SessionID    string          `json:"session_id"`
	ToolName     string          `json:"tool_name"`
	ToolInput    json.RawMessage `json:"tool_input"`
	ToolResponse json.RawMessage `json:"tool_response"`
	ToolOutput   json.RawMessage `json:"tool_output"` // older
	Error        string          `json:"error"`
	ToolError    string          `json:"tool_error"` // older
	IsInterrupt  bool            `json:"is_interrupt"`
	ToolUseID    string          `json:"tool_use_id"`
	PromptID     string          `json:"prompt_id"`
	AgentID      string          `json:"agent_id"`
	DurationMS   json.RawMessage `json:"duration_ms"`
	StartedAt    json.RawMessage `json:"started_at"` // older
	EndedAt      json.RawMessage `json:"ended_at"`   // older
}

// ParseEvent reads the JSON object of an event. A value of another type than
// expected counts as absent.
func ParseEvent(raw json.RawMessage) (Event, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return Event{}, errors.New("expected a JSON object")
	}
	in := decode[wireEvent](raw)
	e := Event{
		SessionID:   in.SessionID,
		ToolName:    in.ToolName,
		Input:       present(in.ToolInput),
		Output:      present(in.ToolResponse),
		Error:       cmp.Or(in.Error, in.ToolError),
		Interrupted: in.IsInterrupt,
		ToolUseID:   in.ToolUseID,
		PromptID:    in.PromptID,
		AgentID:     in.AgentID,
		EndedAt:     moment(in.EndedAt),
		Duration:    in.duration(),
	}
	if e.Output == nil {
		e.Output = present(in.ToolOutput)
	}
	e.Failed = in.Name == failureEvent || e.Error != ""
	return e, nil
}

// decode reads a client's JSON. A member of another type than expected counts as
// absent.
func decode[T any](raw json.RawMessage) (v T) {
	_ = json.Unmarshal(raw, &v) // skips such members and decodes the rest
	return v
}

// present returns nil for null.
func present(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// duration is what the client measured, else the time between its two clock
// readings. It is negative if there is neither or the clock went back.
func (e wireEvent) duration() time.Duration {
	ms, err := strconv.ParseFloat(string(e.DurationMS), 64)
	if err == nil && ms >= 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	started, ended := moment(e.StartedAt), moment(e.EndedAt)
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
