package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// ToolObservation is the event_type of every observation.
const ToolObservation = "tool_observation"

// Observation is one line of a session's file: one run of a tool.
type Observation struct {
	EventID   string      `json:"event_id"`
	EventType string      `json:"event_type"`
	SessionID string      `json:"session_id"`
	Timestamp string      `json:"timestamp"` // RFC 3339, UTC, milliseconds
	Payload   ToolPayload `json:"payload"`
}

// ToolPayload is the record of a tool's run, filtered and cut.
type ToolPayload struct {
	ToolName     string          `json:"tool_name"`
	ToolInput    json.RawMessage `json:"tool_input"`
	ToolOutput   string          `json:"tool_output"`
	DurationMS   *int64          `json:"duration_ms"` // null if unknown
	Success      *bool           `json:"success"`     // null if unknown
	ErrorMessage string          `json:"error_message,omitempty"`
	Metadata     ToolMetadata    `json:"metadata"`
}

// ToolMetadata holds the fields that apply to the tool.
type ToolMetadata struct {
	FilePath     string `json:"filePath,omitempty"`
	FileType     string `json:"fileType,omitempty"` // the extension
	LineCount    *int   `json:"lineCount,omitempty"`
	Command      string `json:"command,omitempty"`
	ExitCode     *int   `json:"exitCode,omitempty"`
	Pattern      string `json:"pattern,omitempty"`
	MatchCount   *int   `json:"matchCount,omitempty"`
	URL          string `json:"url,omitempty"`
	StatusCode   *int   `json:"statusCode,omitempty"`
	SubagentType string `json:"subagentType,omitempty"`
	Interrupted  bool   `json:"interrupted,omitempty"`
	ToolUseID    string `json:"toolUseId,omitempty"`
	PromptID     string `json:"promptId,omitempty"`
	AgentID      string `json:"agentId,omitempty"` // of the subagent that used the tool
	// Privacy is the report of the privacy filter if it removed something.
	Privacy json.RawMessage `json:"privacy,omitempty"`
}

// Run is a tool's run without its input and output.
type Run struct {
	Session   string `db:"session_id"`
	Timestamp string `db:"timestamp"`
	Tool      string `db:"tool_name"`
	Command   string `db:"command"`
	File      string `db:"file_path"`
	Pattern   string `db:"pattern"` // that it looked for
	Error     string `db:"error_message"`
	Success   bool   `db:"success"`
	Unsettled bool   `db:"unsettled"` // it is not known whether it failed, or the person interrupted it
}

// Run returns the run of an observation.
func (o Observation) Run() Run {
	p := o.Payload
	return Run{
		Session: o.SessionID, Timestamp: o.Timestamp, Tool: p.ToolName, Command: p.Metadata.Command,
		File: p.Metadata.FilePath, Pattern: p.Metadata.Pattern, Error: p.ErrorMessage,
		Success: p.Success != nil && *p.Success, Unsettled: p.Success == nil || !*p.Success && p.Metadata.Interrupted,
	}
}

// observationStart begins every line. Within a JSON string its quotes would be
// escaped.
const observationStart = `{"event_id":"`

var errNotObservation = errors.New("expected a tool observation")

// EncodeObservation renders a line, including its line feed.
func EncodeObservation(o Observation) []byte {
	line, _ := EncodeJSON(o) // strings, numbers and valid JSON: cannot fail
	return append(line, '\n')
}

// DecodeObservation reads a line and also returns the bytes of its payload. A
// process that dies may leave half a line, and another may append a whole one to
// it: DecodeObservation finds that one and reports in torn that there was half a
// line before it. A blank line is an error; readers skip those.
func DecodeObservation(line []byte) (o Observation, payload json.RawMessage, torn bool, err error) {
	o, payload, err = decodeObservation(line)
	if err == nil {
		return o, payload, false, nil
	}
	for at := 1; ; at++ {
		next := bytes.Index(line[min(at, len(line)):], []byte(observationStart))
		if next < 0 {
			return Observation{}, nil, true, err
		}
		at += next
		if o, payload, retried := decodeObservation(line[at:]); retried == nil {
			return o, payload, true, nil
		}
	}
}

func decodeObservation(line []byte) (o Observation, payload json.RawMessage, err error) {
	var raw struct {
		Payload json.RawMessage `json:"payload"`
	}
	err = json.Unmarshal(line, &o)
	if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
		err = fmt.Errorf("%w, got a JSON %s", errNotObservation, wrong.Value)
		if wrong.Field != "" {
			err = fmt.Errorf("%w at %s", err, wrong.Field)
		}
	}
	switch {
	case err != nil:
	case o.EventType != ToolObservation:
		err = fmt.Errorf("%w, got event_type %.50q", errNotObservation, o.EventType)
	case json.Unmarshal(line, &raw) != nil || raw.Payload == nil || o.Payload.ToolName == "":
		err = fmt.Errorf("%w, got none of a tool", errNotObservation)
	default:
		return o, raw.Payload, nil
	}
	return Observation{}, nil, err
}
