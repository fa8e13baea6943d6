package triage

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"memctl/schemas"
)

// message is what one line of a transcript is worth.
type message struct {
	id       string // shared by the lines of one answer
	said     string // when, as the transcript writes it; "" in older ones
	typed    bool   // the user's own words
	answered bool   // the assistant's
	exchange bool
	tools    []string // the names of the tools used, "" for a nameless one
	text     []string
}

// bookkeeping lists the kinds of lines that are no part of the conversation and
// that the client writes in great numbers. They do not count as messages; every
// other JSON object does.
var bookkeeping = []string{
	"attachment", "api-request", "api-request-shape", "api-request-blob", "atis-latch", "cost-state",
	"file-history-snapshot", "last-prompt", "mode", "queue-operation", "tools-used",
}

// unspoken lists how lines of type user begin that the client wrote itself.
var unspoken = []string{
	"<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-stderr>", "<task-notification>",
}

// line holds the members that matter of one line of a transcript. The content
// stands in message today, at the top in older transcripts.
type line struct {
	kind, name string
	content    json.RawMessage // nil where there is none
	nested     bool
	id         string
	said       string
	aside      bool // not said by either side
}

// decodeLine returns what a line says; false for one that counts for nothing.
func decodeLine(data []byte) (message, bool) {
	if data = bytes.TrimSpace(data); !opens(data, '{') || !schemas.Valid(data) {
		return message{}, false
	}
	l := readLine(data)
	switch {
	case slices.Contains(bookkeeping, l.kind):
		return message{}, false
	case l.aside:
		return message{said: l.said}, true
	}
	m := message{}
	switch l.kind {
	case "tool_use":
		m = message{tools: []string{l.name}}
	case "user", "human", "assistant":
		m = l.spoken()
	}
	m.said = l.said
	return m, true
}

// saidBy tells whether the message was said at a time or before.
func (m message) saidBy(then time.Time) bool {
	if then.IsZero() {
		return false
	}
	said, err := time.Parse(time.RFC3339, m.said)
	return err == nil && !said.After(then)
}

func readLine(data []byte) line {
	var l line
	for key, value := range schemas.Members(data) {
		switch key {
		case "type":
			l.kind = schemas.String(value)
		case "name":
			l.name = schemas.String(value)
		case "timestamp":
			l.said = schemas.String(value)
		case "content":
			if !l.nested {
				l.content = value
			}
		case "message":
			l.readNested(value)
		case "isMeta", "isSidechain", "isCompactSummary":
			l.aside = l.aside || string(value) == "true"
		}
	}
	return l
}

func (l *line) readNested(object json.RawMessage) {
	if !opens(object, '{') {
		return
	}
	l.nested, l.content = true, nil
	for key, value := range schemas.Members(object) {
		switch key {
		case "id":
			l.id = schemas.String(value)
		case "content":
			l.content = value
		}
	}
}

func (l line) spoken() message {
	m := message{id: l.id, exchange: true}
	switch {
	case l.nested:
		m.text, m.tools = content(l.content)
		m.exchange = m.text != nil
	case l.content == nil:
		m.text = []string{""} // as v5 has it: an empty line
	default:
		m.text, _ = content(l.content)
	}
	m.answered = l.kind == "assistant" && m.text != nil
	m.typed = l.kind != "assistant" && m.text != nil
	if m.typed && startsWithAny(m.text[0], unspoken) {
		return message{}
	}
	return m
}

// content returns the texts of a message and the tools it uses. A tool's result
// is neither.
func content(raw json.RawMessage) (texts, tools []string) {
	if opens(raw, '"') {
		return []string{textOf(raw)}, nil
	}
	for item := range schemas.Items(raw) {
		if opens(item, '"') {
			texts = append(texts, textOf(item))
			continue
		}
		var kind, name string
		var text json.RawMessage
		for key, value := range schemas.Members(item) {
			switch key {
			case "type":
				kind = schemas.String(value)
			case "name":
				name = schemas.String(value)
			case "text":
				text = value
			}
		}
		switch kind {
		case "text":
			texts = append(texts, textOf(text))
		case "tool_use":
			tools = append(tools, name)
		}
	}
	return texts, tools
}

func textOf(raw json.RawMessage) string {
	return strings.ToValidUTF8(schemas.String(raw), "\uFFFD")
}

func opens(raw []byte, first byte) bool { return len(raw) > 0 && raw[0] == first }

func startsWithAny(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(s, prefix) })
}
