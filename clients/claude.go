package clients

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files/gate"
	"memctl/observe"
	"memctl/schemas"
	"memctl/triage"

	"github.com/google/uuid"
)

// Claude is Claude Code (docs/dev/claude-code.md).
var Claude = &Client{
	Name:  "claude-code",
	Title: "Claude Code",
	Approval: "restart Claude Code and answer \"Yes, I trust this folder\"; /hooks lists the hooks there, /mcp the " +
		"server",

	ReadLine:    claudeMessages,
	Transcripts: "projects/*/*.jsonl",

	Program:         "claude",
	Shell:           []string{"CLAUDECODE"},
	SessionVariable: "CLAUDE_CODE_SESSION_ID",
	User:            UserFolder{Variable: "CLAUDE_CONFIG_DIR", Base: ".claude"},
	Loaded: LoadedFiles{
		Project: []string{"CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", ".claude/rules/*.md",
			".claude/rules/*/*.md"},
		User: []string{"CLAUDE.md", "rules/*.md", "rules/*/*.md"}, Above: true, notes: true, Chosen: true,
		Imports: Imports{Of: []string{"*"}, below: true, anywhere: true},
	},
	Files: []ScopeFiles{
		{Scope: ProjectScope, Hooks: ".claude/settings.json", Servers: ".mcp.json"},
		{Scope: LocalScope, Hooks: ".claude/settings.local.json", Servers: ".mcp.json"},
		{Scope: UserScope, Hooks: "settings.json"}, // StateFile has the servers
	},
	HooksForm: SettingsForm{}, ServersForm: SettingsForm{}, AsksIn: InHooksFile,
	Guards:      "Write|Edit|MultiEdit|NotebookEdit|Bash|Agent|Task",
	confirms:    isWatched,
	Subagents:   true,
	MergesHooks: true,
}

// isWatched reports whether a person is at the client and can answer a question. A run for another program
// refuses a tool about which a hook would have it ask.
func isWatched() bool { return !strings.HasPrefix(os.Getenv("CLAUDE_CODE_ENTRYPOINT"), "sdk") }

// claudeBookkeeping lists the types of lines that Claude Code writes in great numbers and
// that are no part of the conversation. Every other JSON object counts as a message.
var claudeBookkeeping = []string{
	"attachment", "api-request", "api-request-shape", "api-request-blob", "atis-latch", "cost-state",
	"file-history-snapshot", "last-prompt", "mode", "queue-operation", "tools-used",
}

// claudePrefixes start lines of type user that Claude Code itself wrote.
var claudePrefixes = []string{
	"<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-stderr>", "<task-notification>",
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

func claudeMessages(data []byte) []triage.Message {
	line := claudeLine{Content: json.RawMessage(`""`)} // v5 counts an empty line if there is none
	if !DecodeObject(data, &line) || slices.Contains(claudeBookkeeping, line.Type) {
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
	if DecodeObject(l.Message, &nested) {
		m.ID = nested.ID
		addClaude(&m, nested.Content)
		m.Exchange = m.Text != nil
	} else {
		addClaude(&m, l.Content)
		m.Tools = nil // older transcripts have lines for them
	}
	m.FromAssistant = l.Type == "assistant" && m.Text != nil
	m.FromUser = l.Type != "assistant" && m.Text != nil
	isOfClient := func(prefix string) bool { return strings.HasPrefix(m.Text[0], prefix) }
	if m.FromUser && slices.ContainsFunc(claudePrefixes, isOfClient) {
		return triage.Message{}
	}
	return m
}

// addClaude adds the texts of a message, the tools that it uses and what tools printed.
func addClaude(m *triage.Message, content json.RawMessage) {
	for _, b := range Blocks(content) {
		switch b.Type {
		case "text":
			m.Text = append(m.Text, b.Text)
		case "tool_use":
			AddUse(m, b.Name, b.Input)
		case "tool_result":
			m.Printed = append(m.Printed, Printed(b.Content)...)
		}
	}
}

// ScoreSession scores the transcript of a session of Claude Code, which names the file
// for the session. It reports false if there is none.
func ScoreSession(session string, cfg schemas.Config) (report Scores, found bool, err error) {
	if id, err := uuid.Parse(session); err != nil || id.String() != session {
		return report, false, nil
	}
	home, err := Claude.UserFolder()
	if err != nil {
		return report, false, nil
	}
	projects := filepath.Join(home, "projects")
	folders, err := gate.List(projects)
	if err != nil {
		return report, false, nil
	}
	for _, folder := range folders {
		file, size, err := gate.OpenWithin(gate.Name(filepath.Join(projects, folder.Name(), session+".jsonl")),
			projects)
		if err != nil {
			continue
		}
		defer file.Close()
		report, err = Score(file, size, cfg)
		return report, true, err
	}
	return report, false, nil
}

// SettingsFiles are where Claude Code looks for settings, from the widest scope to the
// narrowest.
func SettingsFiles(project string) []string {
	var files []string
	for _, scope := range []string{UserScope, ProjectScope, LocalScope} {
		if t, err := NewTarget(scope, project); err == nil {
			files = append(files, t.Settings)
		}
	}
	return slices.Compact(files) // the project may be the home folder
}

// StateFile is the file in which Claude Code keeps the user's MCP servers, among much
// else.
func StateFile() (string, error) {
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Abs(filepath.Join(dir, ".claude.json"))
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".claude.json"), err
}

// ServersFile is the file in which a project keeps its MCP servers.
func ServersFile(project string) string { return filepath.Join(project, ".mcp.json") }

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
	isMessage := DecodeObject(data, &line) && (line.Type == "user" || line.Type == "assistant")
	if !isMessage || !DecodeObject(line.Message, &message) {
		return nil
	}
	var events []observe.Event
	content := Elements(message.Content)
	for _, data := range content {
		var b claudeBlock
		if !DecodeObject(data, &b) {
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
		e.Output = Present(l.Result)
	}
	return e
}
