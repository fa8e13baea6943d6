package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"memctl/files/gate"
	"memctl/hooks"
	"memctl/text/jsonedit"
	"memctl/triage"
)

// Copilot is GitHub's Copilot CLI, whose events have Claude Code's names if they are
// registered by them.
var Copilot = &Client{
	Name:  "copilot",
	Title: "Copilot CLI",
	Approval: "start copilot in the project and trust the folder; " +
		"without that it reads no hooks and servers of a project",

	tools: names{
		{"bash", "Bash"}, {"create", "Write"}, {"edit", "Edit"}, {"view", "Read"},
	},
	members: names{
		{"path", "file_path"}, {"file_text", "content"}, {"old_str", "old_string"}, {"new_str", "new_string"},
	},
	ownTools:    "memctl-",
	adapt:       adaptCopilot,
	answers:     answerForm{flatContext: true, blockStop: true},
	messages:    copilotMessages,
	transcripts: "session-state/*/events.jsonl",

	program: "copilot",
	shell:   []string{"COPILOT_AGENT_SESSION_ID", "COPILOT_CLI"},
	session: "COPILOT_AGENT_SESSION_ID",
	user:    userFolder{"COPILOT_HOME", ".copilot", ""},
	loads: loads{
		project: []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"},
		top: []string{".github/instructions/*.instructions.md", ".github/instructions/*/*.instructions.md",
			".claude/rules/*.md", ".claude/rules/*/*.md"},
		user:    []string{"copilot-instructions.md", "instructions/*.instructions.md"},
		imports: imports{of: []string{"AGENTS.md", "CLAUDE.md", "copilot-instructions.md"}, marks: "().,;:!?"},
	},
	scopes: []scopeFiles{
		{ProjectScope, ".github/hooks/memctl.json", ".mcp.json"},
		{UserScope, "hooks/memctl.json", "mcp-config.json"},
	},
	hooks: hooksFileForm{}, servers: settingsForm{},
	server: Server{Type: "local", Tools: []string{"*"}},
	unapproved: func(t Target, folder string) string {
		var config struct {
			Trusted []string `json:"trustedFolders"`
		}
		_ = readJSON("", filepath.Join(folder, "config.json"), &config)
		isAround := func(folder string) bool { return contains(folder, t.Project) }
		return t.untrustedUnless(slices.ContainsFunc(config.Trusted, isAround))
	},
	subagents:   true,
	sharesHooks: true,
}

type copilotResult struct {
	Type string `json:"result_type"`
	Text string `json:"text_result_for_llm"`
}

// adaptCopilot reads an event. A command that fails is an ordinary run with its exit
// status at the end of the text. The transcript is written late: it is complete when it
// holds the time of the stop. A subagent's events carry its own id, except for its start. What
// the hook says at that start stands before the subagent's prompt.
func adaptCopilot(w *wire, e *hooks.Event) error {
	if w.AgentID != "" {
		e.SessionID = w.AgentID
		if strings.HasPrefix(e.Prompt, "<memory-context") {
			_, e.Prompt, _ = strings.Cut(e.Prompt, "\n\n")
		}
	}
	if at := moment(quoted(w.Timestamp)); !at.IsZero() && e.TranscriptPath != gate.Name("") {
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

type copilotLine struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      struct {
		MessageID    string          `json:"messageId"`
		ParentTool   string          `json:"parentToolCallId"` // of a subagent
		Content      string          `json:"content"`
		ToolRequests json.RawMessage `json:"toolRequests"`
		Result       json.RawMessage `json:"result"`
	} `json:"data"`
}

func copilotMessages(data []byte) []triage.Message {
	var line copilotLine
	if !decodeObject(data, &line) {
		return nil
	}
	var m triage.Message
	switch line.Type {
	case "user.message", "assistant.message":
		if line.Data.ParentTool == "" {
			m = spoken(strings.HasPrefix(line.Type, "user"), []string{line.Data.Content})
			m.ID = line.Data.MessageID
			for _, b := range blocks(line.Data.ToolRequests) {
				addUse(&m, b.Name, b.Arguments)
			}
		}
	case "tool.execution_complete":
		m.Printed = printed(line.Data.Result)
	default:
		return nil
	}
	m.Timestamp = line.Timestamp
	return []triage.Message{m}
}

// hooksFileForm is a JSON file with hooks of memctl alone, each directly below its event.
// Copilot reads every such file in a folder.
type hooksFileForm struct{ ownFile }

type hooksFileHook struct {
	Type       string  `json:"type"`
	Bash       string  `json:"bash"`
	PowerShell string  `json:"powershell"` // of Windows
	Timeout    float64 `json:"timeoutSec"`
}

// errForeignFile is about a file that stands where memctl's own belongs.
var errForeignFile = errors.New("it has more than memctl's hooks; move that to another file")

func (form hooksFileForm) add(data []byte, e Entries) ([]byte, error) {
	if _, err := form.find(data); err != nil {
		return nil, err
	}
	list := map[string][]hooksFileHook{}
	for _, h := range e.Hooks {
		list[h.Event] = append(list[h.Event], hooksFileHook{commandType, h.Command, h.powerShell(), h.Timeout})
	}
	file, err := jsonedit.Parse(nil)
	if err != nil {
		return nil, err
	}
	file.Put("/version", 1)
	file.Put("/hooks", list)
	return file.Bytes(), file.Err()
}

func (hooksFileForm) find(data []byte) (e Entries, err error) {
	if data == nil {
		return e, nil
	}
	if _, err := parse(data); err != nil {
		return e, err
	}
	var file struct {
		Version int                        `json:"version"`
		Hooks   map[string][]hooksFileHook `json:"hooks"`
	}
	decoder := json.NewDecoder(bytes.NewReader(jsonedit.WithoutMark(data)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return e, fmt.Errorf("%w (%w)", errForeignFile, err)
	}
	for event, list := range file.Hooks {
		for _, entry := range list {
			h := Hook{Event: event, Command: entry.Bash, Timeout: entry.Timeout}
			if h.Name() == "" || entry.PowerShell != "" && entry.PowerShell != h.powerShell() {
				return Entries{}, errForeignFile
			}
			e.Hooks = append(e.Hooks, h)
		}
	}
	slices.SortFunc(e.Hooks, func(a, b Hook) int { return strings.Compare(a.Event, b.Event) })
	return e, nil
}

func (hooksFileForm) rules() string { return "strict JSON" }
