package triage

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"memctl/privacy"
)

// message is one line of a transcript as triage counts it.
type message struct {
	id            string // shared by the lines of one answer
	timestamp     string // "" in older transcripts
	fromUser      bool   // what the user typed
	fromAssistant bool
	exchange      bool     // it counts as one
	tools         []string // the names of the tools used, "" for one without a name
	text          []string
}

// bookkeeping lists the types of lines that the client writes in great numbers and
// that are no part of the conversation. Every other JSON object counts as a message.
var bookkeeping = []string{
	"attachment", "api-request", "api-request-shape", "api-request-blob", "atis-latch", "cost-state",
	"file-history-snapshot", "last-prompt", "mode", "queue-operation", "tools-used",
}

// clientPrefixes start lines of type user that the client itself wrote.
var clientPrefixes = []string{
	"<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-stderr>", "<task-notification>",
}

// transcriptLine is a line as the client writes it. The content stands in Message
// today, at the top in older transcripts; it is a string or a list of blocks.
type transcriptLine struct {
	Type             string          `json:"type"`
	Name             string          `json:"name"`
	Timestamp        string          `json:"timestamp"`
	Content          json.RawMessage `json:"content"`
	Message          json.RawMessage `json:"message"` // a spokenMessage
	IsMeta           bool            `json:"isMeta"`
	IsSidechain      bool            `json:"isSidechain"`
	IsCompactSummary bool            `json:"isCompactSummary"`
}

type spokenMessage struct {
	ID      string          `json:"id"`
	Content json.RawMessage `json:"content"`
}

type contentBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
	Name string `json:"name"`
}

// maxBlocks is how many blocks of one message are read. Messages have a few.
const maxBlocks = 1000

// parseMessage returns the message of a line, false for a line that does not count.
// Members of unexpected types are ignored.
func parseMessage(data []byte) (m message, counts bool) {
	line := transcriptLine{Content: json.RawMessage(`""`)} // v5 counts an empty line if there is none
	if !decodeObject(data, &line) {
		return m, false
	}
	switch line.Type {
	case "tool_use":
		m.tools = []string{line.Name}
	case "user", "human", "assistant":
		m = line.spoken()
	}
	if line.IsMeta || line.IsSidechain || line.IsCompactSummary {
		m = message{} // neither side said it
	}
	m.timestamp = line.Timestamp
	return m, !slices.Contains(bookkeeping, line.Type)
}

// spoken returns what one side said.
func (l transcriptLine) spoken() message {
	m := message{exchange: true}
	var nested spokenMessage
	if decodeObject(l.Message, &nested) {
		m.id = nested.ID
		m.text, m.tools = parseContent(nested.Content)
		m.exchange = m.text != nil
	} else {
		m.text, _ = parseContent(l.Content)
	}
	m.fromAssistant = l.Type == "assistant" && m.text != nil
	m.fromUser = l.Type != "assistant" && m.text != nil
	if m.fromUser && slices.ContainsFunc(clientPrefixes, func(prefix string) bool { return strings.HasPrefix(m.text[0], prefix) }) {
		return message{}
	}
	return m
}

// parseContent returns the texts of a message and the names of the tools it uses. The
// results of tools are neither. It decodes one block at a time: a list of empty blocks
// takes many times its size in memory.
func parseContent(content json.RawMessage) (texts, tools []string) {
	if text, ok := decodeString(content); ok {
		return []string{text}, nil
	}
	blocks := json.NewDecoder(bytes.NewReader(content))
	if start, err := blocks.Token(); err != nil || start != json.Delim('[') {
		return nil, nil
	}
	for range maxBlocks {
		var data json.RawMessage
		if !blocks.More() || blocks.Decode(&data) != nil {
			break
		}
		var block contentBlock
		text, isString := decodeString(data)
		switch {
		case isString:
			texts = append(texts, text)
		case !decodeObject(data, &block):
		case block.Type == "text":
			texts = append(texts, block.Text)
		case block.Type == "tool_use":
			tools = append(tools, block.Name)
		}
	}
	return texts, tools
}

// decodeString decodes a JSON string. It reports false for anything else.
func decodeString(data []byte) (s string, ok bool) {
	if !bytes.HasPrefix(data, []byte(`"`)) {
		return "", false
	}
	return s, json.Unmarshal(data, &s) == nil
}

// decodeObject decodes a JSON object and ignores members of unexpected types. It
// reports false for anything else.
func decodeObject(data []byte, into any) bool {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return false
	}
	err := json.Unmarshal(data, into)
	return err == nil || errors.As(err, new(*json.UnmarshalTypeError))
}

// saidBy reports whether the message was said at a time or before.
func (m message) saidBy(then time.Time) bool {
	said, err := time.Parse(time.RFC3339, m.timestamp)
	return err == nil && !said.After(then)
}

// filter takes out what is private. It filters the parts of a message as one text,
// for a section may begin in one and end in another. Blank lines stay, for scores
// depend on distances in lines.
func (m *message) filter(filter *privacy.Filter) privacy.Report {
	if len(m.text) == 0 {
		return privacy.Report{}
	}
	text, report := filter.Lines(strings.Join(m.text, "\n"))
	m.text = []string{text}
	return report
}

// limit takes the text off the room that is left for text. Text that does not fit is
// cut after a whole line.
func (m *message) limit(room *int) {
	for i, s := range m.text {
		if len(s) > *room {
			s = s[:strings.LastIndexByte(s[:*room], '\n')+1]
			m.text[i] = s
		}
		*room -= len(s)
	}
}
