package clients

import (
	"encoding/json"
	"slices"
	"strings"

	"memctl/triage"
)

// claudeBookkeeping lists the types of lines that Claude Code writes in great numbers and
// that are no part of the conversation. Every other JSON object counts as a message.
func claudeBookkeeping() []string {
	return []string{
		"attachment", "api-request", "api-request-shape", "api-request-blob", "atis-latch", "cost-state",
		"file-history-snapshot", "last-prompt", "mode", "queue-operation", "tools-used",
	}
}

// claudePrefixes start lines of type user that Claude Code itself wrote.
func claudePrefixes() []string {
	return []string{"<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-stderr>", "<task-notification>"}
}

// claudeLine is a line of a transcript. The content stands in Message today, at the top
// in older transcripts.
type claudeLine struct {
	Type             string          `json:"type"`
	Name             string          `json:"name"`
	Timestamp        string          `json:"timestamp"`
	Content          json.RawMessage `json:"content"`
	Message          json.RawMessage `json:"message"` // a claudeMessage
	IsMeta           bool            `json:"isMeta"`
	IsSidechain      bool            `json:"isSidechain"`
	IsCompactSummary bool            `json:"isCompactSummary"`
}

type claudeMessage struct {
	ID      string          `json:"id"`
	Content json.RawMessage `json:"content"`
}

// claudeMessages reads a line of Claude Code's transcript.
func claudeMessages(data []byte) []triage.Message {
	line := claudeLine{Content: json.RawMessage(`""`)} // v5 counts an empty line if there is none
	if !decodeObject(data, &line) || slices.Contains(claudeBookkeeping(), line.Type) {
		return nil
	}
	var m triage.Message
	switch line.Type {
	case "tool_use":
		m.Tools = []string{line.Name}
	case "user", "human", "assistant":
		m = line.spoken()
	}
	if line.IsMeta || line.IsSidechain || line.IsCompactSummary {
		m = triage.Message{} // neither side said it
	}
	m.Timestamp = line.Timestamp
	return []triage.Message{m}
}

// spoken returns what one side said.
func (l claudeLine) spoken() triage.Message {
	m := triage.Message{Exchange: true}
	var nested claudeMessage
	if decodeObject(l.Message, &nested) {
		m.ID = nested.ID
		m.Text, m.Tools = claudeContent(nested.Content)
		m.Exchange = m.Text != nil
	} else {
		m.Text, _ = claudeContent(l.Content)
	}
	m.FromAssistant = l.Type == "assistant" && m.Text != nil
	m.FromUser = l.Type != "assistant" && m.Text != nil
	if m.FromUser && slices.ContainsFunc(claudePrefixes(), func(prefix string) bool { return strings.HasPrefix(m.Text[0], prefix) }) {
		return triage.Message{}
	}
	return m
}

// claudeContent returns the texts of a message and the names of the tools it uses. The
// results of tools are neither.
func claudeContent(content json.RawMessage) (texts, tools []string) {
	for _, b := range blocks(content) {
		switch b.Type {
		case "text":
			texts = append(texts, b.Text)
		case "tool_use":
			tools = append(tools, b.Name)
		}
	}
	return texts, tools
}
