package clients

import (
	"encoding/json"
	"strconv"
	"strings"

	"memctl/hooks"
	"memctl/triage"
)

// Copilot is GitHub's Copilot CLI, whose events have Claude Code's names if they are
// registered by them.
var Copilot = &Client{
	Name: "copilot",
	home: "COPILOT_HOME",
	tools: names{
		{"bash", "Bash"}, {"create", "Write"}, {"edit", "Edit"}, {"view", "Read"},
	},
	members:  names{{"path", "file_path"}, {"file_text", "content"}, {"old_str", "old_string"}, {"new_str", "new_string"}},
	ownTools: "memctl-",
	adapt:    adaptCopilot,
	form:     form{flatContext: true, blockStop: true},
	messages: copilotMessages,
}

// copilotResult is the response of a tool.
type copilotResult struct {
	Type string `json:"result_type"`
	Text string `json:"text_result_for_llm"`
}

// adaptCopilot reads an event. A command that fails is an ordinary run with its exit
// status at the end of the text. The transcript is written late: it is complete when it
// holds the time of the stop.
func adaptCopilot(w *wire, e *hooks.Event) error {
	if at := moment(quoted(w.Timestamp)); !at.IsZero() && e.TranscriptPath != "" {
		e.TranscriptMark = strconv.FormatInt(at.UnixMilli(), 10)
	}
	var r copilotResult
	if !decodeObject(w.ToolResult, &r) {
		return nil
	}
	e.Output = quoted(r.Text)
	if r.Type != "" && r.Type != "success" {
		e.Failed, e.Error, e.Output = true, r.Text, nil
	}
	if e.ToolName != "Bash" {
		return nil
	}
	if printed, code, ok := cutShellExit(r.Text); ok {
		e.Output = quoted(printed)
		if code != 0 {
			e.Exited(code, printed)
		}
	}
	return nil
}

// cutShellExit cuts off the line that ends the text of a command:
// <shellId: 0 completed with exit code 3>.
func cutShellExit(text string) (printed string, code int, ok bool) {
	text = strings.TrimSpace(text)
	start := strings.LastIndex(text, "<shellId: ")
	if start < 0 {
		return "", 0, false
	}
	_, digits, _ := strings.Cut(text[start:], " completed with exit code ")
	code, err := strconv.Atoi(strings.TrimSuffix(digits, ">"))
	return strings.TrimSuffix(text[:start], "\n"), code, err == nil
}

// copilotLine is a line of a session's events.
type copilotLine struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      struct {
		MessageID    string          `json:"messageId"`
		ParentTool   string          `json:"parentToolCallId"` // of a subagent
		Content      string          `json:"content"`
		ToolRequests json.RawMessage `json:"toolRequests"`
	} `json:"data"`
}

// copilotMessages reads a line of a session's events.
func copilotMessages(data []byte) []triage.Message {
	var line copilotLine
	if !decodeObject(data, &line) {
		return nil
	}
	var m triage.Message
	switch line.Type {
	case "user.message", "assistant.message":
		if line.Data.ParentTool == "" {
			var tools []string
			for _, b := range blocks(line.Data.ToolRequests) {
				tools = append(tools, b.Name)
			}
			m = spoken(strings.HasPrefix(line.Type, "user"), []string{line.Data.Content}, tools)
			m.ID = line.Data.MessageID
		}
	case "tool.execution_complete":
	default:
		return nil
	}
	m.Timestamp = line.Timestamp
	return []triage.Message{m}
}
