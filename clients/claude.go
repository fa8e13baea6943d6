package clients

// Claude is Claude Code (docs/claude-code.md).
var Claude = &Client{
	Name:     "claude-code",
	home:     "CLAUDE_CONFIG_DIR",
	messages: claudeMessages,
}

// isOfCopilot reports whether an event in Claude Code's form is Copilot CLI's, which reads
// a project's .claude/settings.json too. Claude Code names the transcript in every event
// and sends no timestamp; Copilot CLI names it at a stop only.
func (w *wire) isOfCopilot() bool {
	return w.Timestamp != "" && (w.TranscriptPath == "" || w.StopReason != "")
}
