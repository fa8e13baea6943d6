package schemas

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// EncodeObservation renders a line, its line feed included. It writes member by
// member, as the tags of the types say: encoding/json would first have to learn
// them, in a process that writes one line.
func EncodeObservation(o Observation) []byte {
	var b lineWriter
	b.open("")
	b.text("event_id", o.EventID)
	b.text("event_type", o.EventType)
	b.text("session_id", o.SessionID)
	b.text("timestamp", o.Timestamp)
	b.open("payload")
	p := o.Payload
	b.text("tool_name", p.ToolName)
	b.raw("tool_input", p.ToolInput)
	b.text("tool_output", p.ToolOutput)
	b.number("duration_ms", p.DurationMS)
	b.raw("success", strconv.AppendBool(nil, p.Success))
	b.optional("error_message", p.ErrorMessage)
	b.open("metadata")
	b.metadata(p.Metadata)
	b.WriteString("}}}\n")
	return b.Bytes()
}

func (b *lineWriter) metadata(m ToolMetadata) {
	b.optional("filePath", m.FilePath)
	b.optional("fileType", m.FileType)
	b.count("lineCount", m.LineCount)
	b.optional("command", m.Command)
	b.count("exitCode", m.ExitCode)
	b.optional("pattern", m.Pattern)
	b.count("matchCount", m.MatchCount)
	b.optional("url", m.URL)
	b.count("statusCode", m.StatusCode)
	b.optional("subagentType", m.SubagentType)
	if m.Interrupted {
		b.raw("interrupted", []byte("true"))
	}
	b.optional("toolUseId", m.ToolUseID)
	b.optional("promptId", m.PromptID)
	b.optional("agentId", m.AgentID)
	if m.Privacy != nil {
		b.raw("privacy", m.Privacy)
	}
}

// lineWriter writes the members of objects in order.
type lineWriter struct{ bytes.Buffer }

// open begins an object, which the caller closes.
func (b *lineWriter) open(name string) {
	if name != "" {
		b.raw(name, nil)
	}
	b.WriteByte('{')
}

func (b *lineWriter) raw(name string, value []byte) {
	if last := b.Bytes()[b.Len()-1]; last != '{' {
		b.WriteByte(',')
	}
	b.WriteString(`"` + name + `":`)
	b.Write(value)
}

func (b *lineWriter) text(name, s string) { b.raw(name, encodeText(s)) }

func (b *lineWriter) optional(name, s string) {
	if s != "" {
		b.text(name, s)
	}
}

func (b *lineWriter) count(name string, n *int) {
	if n != nil {
		b.raw(name, strconv.AppendInt(nil, int64(*n), 10))
	}
}

func (b *lineWriter) number(name string, n *int64) {
	if n == nil {
		b.raw(name, json.RawMessage("null"))
		return
	}
	b.raw(name, strconv.AppendInt(nil, *n, 10))
}
