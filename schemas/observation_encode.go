package schemas

// EncodeObservation renders a line, its line feed included.
func EncodeObservation(o Observation) []byte {
	const usual = 1 << 10 // bytes
	var b ObjectWriter
	b.Grow(usual)
	b.Open("")
	b.Text("event_id", o.EventID)
	b.Text("event_type", o.EventType)
	b.Text("session_id", o.SessionID)
	b.Text("timestamp", o.Timestamp)
	b.Open("payload")
	p := o.Payload
	b.Text("tool_name", p.ToolName)
	b.Raw("tool_input", p.ToolInput)
	b.Text("tool_output", p.ToolOutput)
	b.number("duration_ms", p.DurationMS)
	b.Bool("success", p.Success)
	b.Optional("error_message", p.ErrorMessage)
	b.Open("metadata")
	b.metadata(p.Metadata)
	b.Close()
	b.Close()
	b.Close()
	b.WriteByte('\n')
	return b.Bytes()
}

func (b *ObjectWriter) metadata(m ToolMetadata) {
	b.Optional("filePath", m.FilePath)
	b.Optional("fileType", m.FileType)
	b.count("lineCount", m.LineCount)
	b.Optional("command", m.Command)
	b.count("exitCode", m.ExitCode)
	b.Optional("pattern", m.Pattern)
	b.count("matchCount", m.MatchCount)
	b.Optional("url", m.URL)
	b.count("statusCode", m.StatusCode)
	b.Optional("subagentType", m.SubagentType)
	if m.Interrupted {
		b.Bool("interrupted", true)
	}
	b.Optional("toolUseId", m.ToolUseID)
	b.Optional("promptId", m.PromptID)
	b.Optional("agentId", m.AgentID)
	if m.Privacy != nil {
		b.Raw("privacy", m.Privacy)
	}
}
