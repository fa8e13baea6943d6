package observe

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"memctl/schemas"
)

// failureEvent is the name of the event after a tool that failed.
const failureEvent = "PostToolUseFailure"

// Event is what a hook is told after a tool.
type Event struct {
	SessionID   string
	Cwd         string
	ToolName    string
	FilePath    string          // the file that the tool's input names
	Input       json.RawMessage // any value; nil where there is none
	Output      json.RawMessage // likewise
	Failed      bool
	Error       string
	Interrupted bool
	ToolUseID   string
	PromptID    string
	AgentID     string // "" unless a subagent used the tool
	EndedAt     time.Time
	Duration    time.Duration // negative where nobody knows
}

// ParseEvent reads the JSON object of an event, which has passed json.Valid. It
// takes the field names of Claude Code and the older ones; a value of another type
// than expected counts as absent. encoding/json would first have to learn the
// fields, which in a process of one event takes longer than all else.
func ParseEvent(raw json.RawMessage) (Event, error) {
	if len(raw) == 0 || raw[0] != '{' {
		return Event{}, errors.New("expected a JSON object")
	}
	fields := schemas.ObjectOf(raw)
	text := func(names ...string) (s string) {
		for _, name := range names {
			s = cmp.Or(s, schemas.String(fields.Get(name)))
		}
		return s
	}
	e := Event{
		SessionID:   text("session_id"),
		Cwd:         text("cwd"),
		ToolName:    text("tool_name"),
		Input:       present(fields.Get("tool_input")),
		Output:      present(fields.Get("tool_response")),
		Error:       text("error", "tool_error"),
		Interrupted: string(fields.Get("is_interrupt")) == "true",
		ToolUseID:   text("tool_use_id"),
		PromptID:    text("prompt_id"),
		AgentID:     text("agent_id"),
		EndedAt:     moment(fields.Get("ended_at")),
		Duration:    duration(fields),
	}
	if e.Output == nil {
		e.Output = present(fields.Get("tool_output"))
	}
	e.FilePath = schemas.String(member(e.Input, "file_path"))
	if e.FilePath == "" {
		e.FilePath = schemas.String(member(e.Input, "notebook_path"))
	}
	e.Failed = text("hook_event_name") == failureEvent || e.Error != ""
	return e, nil
}

// present takes null for what is not there.
func present(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// duration is that which the client measured, else the time between two clock
// readings, which is worth nothing where the clock went back.
func duration(fields schemas.Object) time.Duration {
	ms, err := strconv.ParseFloat(string(fields.Get("duration_ms")), 64)
	if err == nil && ms >= 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	started, ended := moment(fields.Get("started_at")), moment(fields.Get("ended_at"))
	if started.IsZero() || ended.IsZero() {
		return -1
	}
	return max(-1, ended.Sub(started))
}

// moment is a time, or seconds or milliseconds since 1970; the zero time for any
// other value.
func moment(raw json.RawMessage) time.Time {
	if len(raw) == 0 {
		return time.Time{}
	}
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
