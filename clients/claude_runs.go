package clients

import (
	"encoding/json"
	"strings"

	"memctl/observe"
	"memctl/schemas"
)

// maxCalls is how many calls wait for their results at most. A turn has a few; those that
// were interrupted never get one.
const maxCalls = 100

// ClaudeRuns finds the tool runs of Claude Code's transcript, whose lines it reads in
// order: a call and its result stand on different lines.
type ClaudeRuns struct {
	calls map[string]claudeBlock // by their ids, without a result yet
}

// claudeRunLine is a line of a transcript as far as tools are concerned.
type claudeRunLine struct {
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	SessionID string          `json:"sessionId"`
	PromptID  string          `json:"promptId"`
	AgentID   string          `json:"agentId"`
	Message   json.RawMessage `json:"message"` // a claudeMessage
	Result    json.RawMessage `json:"toolUseResult"`
	Denied    string          `json:"toolDenialKind"` // "" for a tool that ran
}

// claudeBlock is a call of a tool or its result.
type claudeBlock struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	CallID  string          `json:"tool_use_id"`
	Content json.RawMessage `json:"content"`
	IsError bool            `json:"is_error"`
}

// Next reads a line and returns the runs that it ends, as the hooks report them. Tools
// that the user, a rule or a hook denied did not run.
func (r *ClaudeRuns) Next(data []byte) []observe.Event {
	var line claudeRunLine
	var message claudeMessage
	isMessage := decodeObject(data, &line) && (line.Type == "user" || line.Type == "assistant")
	if !isMessage || !decodeObject(line.Message, &message) {
		return nil
	}
	var events []observe.Event
	content := elements(message.Content)
	for _, data := range content {
		var b claudeBlock
		if !decodeObject(data, &b) {
			continue
		}
		switch call, known := r.calls[b.CallID]; {
		case b.Type == "tool_use" && b.ID != "":
			if r.calls == nil || len(r.calls) == maxCalls {
				r.calls = map[string]claudeBlock{}
			}
			r.calls[b.ID] = b
		case b.Type == "tool_result" && known:
			delete(r.calls, b.CallID)
			if line.Denied != "" {
				continue
			}
			if len(content) > 1 || line.Result == nil {
				line.Result = b.Content // the line's is that of one of them, or of none
			}
			events = append(events, line.event(call, b))
		}
	}
	return events
}

func (l claudeRunLine) event(call, result claudeBlock) observe.Event {
	e := observe.Event{
		SessionID: l.SessionID, PromptID: l.PromptID, AgentID: l.AgentID,
		ToolName: call.Name, ToolUseID: call.ID, Input: call.Input,
		Failed: result.IsError, Duration: -1,
	}
	e.EndedAt, _ = schemas.ParseTime(l.Timestamp)
	if result.IsError {
		e.Error = strings.TrimPrefix(schemas.String(l.Result), "Error: ")
	} else {
		e.Output = present(l.Result)
	}
	return e
}
