package clients

import (
	"encoding/json"

	"memctl/hooks"
	"memctl/observe"
	"memctl/triage"
)

// Gemini is Google's Gemini CLI. It takes only JSON on stdout.
var Gemini = &Client{
	Name: "gemini",
	home: "GEMINI_CLI_HOME",
	events: names{
		{"user-prompt-submit", "BeforeAgent"},
		{"pre-tool-use", "BeforeTool"},
		{observe.AfterTool, "AfterTool"},
		{observe.AfterFailure, "AfterTool"},
		{"stop", "AfterAgent"},
	},
	tools: names{
		{"run_shell_command", "Bash"}, {"write_file", "Write"}, {"replace", "Edit"}, {"read_file", "Read"},
		{"glob", "Glob"}, {"grep_search", "Grep"}, {"search_file_content", "Grep"},
	},
	ownTools: "mcp_memctl_",
	adapt:    adaptGemini,
	form:     form{flatDenial: true, blockStop: true, goOn: "{}\n"},
	messages: geminiMessages,
}

// adaptGemini reads an event. One event follows a tool, whether or not it failed.
func adaptGemini(w *wire, e *hooks.Event) error {
	e.LastAnswer = w.PromptResponse
	e.Prompt = withoutTags(e.Prompt, geminiTags())
	if w.MCP.Server != "" && w.MCP.Tool != "" {
		e.ToolName = "mcp__" + w.MCP.Server + "__" + w.MCP.Tool
	}
	readGenAIResponse(w.ToolResponse, e)
	return nil
}

// geminiTags enclose what the client and its hooks put before the words of the user.
func geminiTags() []string { return []string{"hook_context", "session_context"} }

// geminiLine is a line of a transcript: a message, or a change of the session, which may
// hold messages.
type geminiLine struct {
	ID        string          `json:"id"`
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
	ToolCalls json.RawMessage `json:"toolCalls"`
	Set       struct {
		Messages json.RawMessage `json:"messages"`
	} `json:"$set"`
}

// geminiMessages reads a line of a transcript. A message that grows is written again as a
// whole.
func geminiMessages(data []byte) []triage.Message {
	var line geminiLine
	if !decodeObject(data, &line) {
		return nil
	}
	var list []triage.Message
	for _, data := range elements(line.Set.Messages) {
		var line geminiLine
		if decodeObject(data, &line) {
			list = append(list, line.messages()...)
		}
	}
	return append(list, line.messages()...)
}

// messages returns the line's own message, if it is one.
func (l geminiLine) messages() []triage.Message {
	if l.Type != "user" && l.Type != "gemini" {
		return nil
	}
	var texts, tools []string
	for _, b := range blocks(l.Content) {
		texts = append(texts, b.Text)
	}
	for _, b := range blocks(l.ToolCalls) {
		tools = append(tools, b.Name)
	}
	m := spoken(l.Type == "user", texts, tools, geminiTags()...)
	m.ID, m.Timestamp, m.Whole = l.ID, l.Timestamp, l.ID != ""
	return []triage.Message{m}
}
