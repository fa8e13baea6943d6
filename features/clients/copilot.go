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

	"memctl/clients"
	"memctl/files/gate"
	"memctl/hooks"
	"memctl/text/jsonedit"
	"memctl/triage"
)

// Copilot is GitHub's Copilot CLI, whose events have Claude Code's names if they are
// registered by them.
var Copilot = &clients.Client{
	Name:  "copilot",
	Title: "Copilot CLI",
	Approval: "start copilot in the project and trust the folder; " +
		"without that it reads no hooks and servers of a project",

	Tools: clients.Pairs{
		{"bash", "Bash"}, {"create", "Write"}, {"edit", "Edit"}, {"view", "Read"},
	},
	Members: clients.Pairs{
		{"path", "file_path"}, {"file_text", "content"}, {"old_str", "old_string"}, {"new_str", "new_string"},
	},
	OwnTools:       "memctl-",
	Adapt:          adaptCopilot,
	Answers:        clients.AnswerForm{FlatContext: true, BlockStop: true},
	ReadLine:       copilotMessages,
	Transcripts:    "session-state/*/events.jsonl",
	ExtensionHooks: "installed-plugins/*/memctl/hooks.json",

	Program:         "copilot",
	Shell:           []string{"COPILOT_AGENT_SESSION_ID", "COPILOT_CLI"},
	SessionVariable: "COPILOT_AGENT_SESSION_ID",
	User:            clients.UserFolder{Variable: "COPILOT_HOME", Base: ".copilot"},
	Loaded: clients.LoadedFiles{
		Project: []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"},
		Top: []string{".github/instructions/*.instructions.md", ".github/instructions/*/*.instructions.md",
			".claude/rules/*.md", ".claude/rules/*/*.md"},
		User:    []string{"copilot-instructions.md", "instructions/*.instructions.md"},
		Imports: clients.Imports{Of: []string{"AGENTS.md", "CLAUDE.md", "copilot-instructions.md"}, Marks: "().,;:!?"},
	},
	Files: []clients.ScopeFiles{
		{Scope: clients.ProjectScope, Hooks: ".github/hooks/memctl.json", Servers: ".mcp.json"},
		{Scope: clients.UserScope, Hooks: "hooks/memctl.json", Servers: "mcp-config.json"},
	},
	HooksForm: hooksFileForm{}, ServersForm: clients.SettingsForm{},
	Server: clients.Server{Type: "local", Tools: []string{"*"}},
	Unapproved: func(t clients.Target, folder string) string {
		var config struct {
			Trusted []string `json:"trustedFolders"`
		}
		_ = clients.ReadJSON("", filepath.Join(folder, "config.json"), &config)
		isAround := func(folder string) bool { return clients.Contains(folder, t.Project) }
		return t.UntrustedUnless(slices.ContainsFunc(config.Trusted, isAround))
	},
	Subagents:   true,
	SharesHooks: true,
	Claims:      isCopilots,
	Wrote:       wroteCopilot,
	LastFormat:  1,
}

// isCopilots reports whether an event in Claude Code's form is Copilot CLI's, which reads
// a project's .claude/settings.json too. Claude Code names the transcript in every event
// and sends no timestamp; Copilot CLI names it at a stop only. At a subagent's start it has
// other names for most members.
func isCopilots(w *clients.Wire) bool {
	return w.CopilotSession != "" || w.Timestamp != "" && (w.TranscriptPath == "" || w.StopReason != "")
}

// wroteCopilot reports whether a transcript that begins with a line is Copilot CLI's.
func wroteCopilot(line []byte) bool {
	var first struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	return clients.DecodeObject(line, &first) && strings.HasPrefix(first.Type, "session.") && first.Data != nil
}

type copilotResult struct {
	Type string `json:"result_type"`
	Text string `json:"text_result_for_llm"`
}

// adaptCopilot reads an event. A command that fails is an ordinary run with its exit
// status at the end of the text. The transcript is written late: it is complete when it
// holds the time of the stop. A subagent's events carry its own id, except for its start. What
// the hook says at that start stands before the subagent's prompt.
func adaptCopilot(w *clients.Wire, e *hooks.Event) error {
	if w.AgentID != "" {
		e.SessionID = w.AgentID
		if strings.HasPrefix(e.Prompt, "<memory-context") {
			_, e.Prompt, _ = strings.Cut(e.Prompt, "\n\n")
		}
	}
	if at := clients.Moment(clients.Quoted(w.Timestamp)); !at.IsZero() && e.TranscriptPath != gate.Name("") {
		e.TranscriptMark = strconv.FormatInt(at.UnixMilli(), 10)
	}
	var r copilotResult
	if !clients.DecodeObject(w.ToolResult, &r) {
		return nil
	}
	e.Output = clients.Quoted(r.Text)
	if r.Type != "" && r.Type != "success" {
		e.Failed, e.Error, e.Output = true, r.Text, nil
	}
	if e.ToolName != "Bash" {
		return nil
	}
	if printed, code, ok := cutShellExit(r.Text); ok {
		e.Output = clients.Quoted(printed)
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
	if !clients.DecodeObject(data, &line) {
		return nil
	}
	var m triage.Message
	switch line.Type {
	case "user.message", "assistant.message":
		if line.Data.ParentTool == "" {
			m = clients.Spoken(strings.HasPrefix(line.Type, "user"), []string{line.Data.Content})
			m.ID = line.Data.MessageID
			for _, b := range clients.Blocks(line.Data.ToolRequests) {
				clients.AddUse(&m, b.Name, b.Arguments)
			}
		}
	case "tool.execution_complete":
		m.Printed = clients.Printed(line.Data.Result)
	default:
		return nil
	}
	m.Timestamp = line.Timestamp
	return []triage.Message{m}
}

// hooksFileForm is a JSON file with hooks of memctl alone, each directly below its event.
// Copilot reads every such file in a folder.
type hooksFileForm struct{ clients.OwnFile }

type hooksFileHook struct {
	Type       string  `json:"type"`
	Bash       string  `json:"bash"`
	PowerShell string  `json:"powershell"` // of Windows
	Timeout    float64 `json:"timeoutSec"`
}

// errForeignFile is about a file that stands where memctl's own belongs.
var errForeignFile = errors.New("it has more than memctl's hooks; move that to another file")

func (form hooksFileForm) Add(data []byte, e clients.Entries) ([]byte, error) {
	if _, err := form.Find(data); err != nil {
		return nil, err
	}
	list := map[string][]hooksFileHook{}
	for _, h := range e.Hooks {
		list[h.Event] = append(list[h.Event], hooksFileHook{"command", h.Command, h.PowerShell(), h.Timeout})
	}
	file, err := jsonedit.Parse(nil)
	if err != nil {
		return nil, err
	}
	file.Put("/version", 1)
	file.Put("/hooks", list)
	return file.Bytes(), file.Err()
}

func (hooksFileForm) Find(data []byte) (e clients.Entries, err error) {
	if data == nil {
		return e, nil
	}
	if _, err := jsonedit.Parse(data); err != nil {
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
			h := clients.Hook{Event: event, Command: entry.Bash, Timeout: entry.Timeout}
			if h.Name() == "" || entry.PowerShell != "" && entry.PowerShell != h.PowerShell() {
				return clients.Entries{}, errForeignFile
			}
			e.Hooks = append(e.Hooks, h)
		}
	}
	slices.SortFunc(e.Hooks, func(a, b clients.Hook) int { return strings.Compare(a.Event, b.Event) })
	return e, nil
}

func (hooksFileForm) Rules() string { return "strict JSON" }
