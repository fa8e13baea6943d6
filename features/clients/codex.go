package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"memctl/clients"
	"memctl/hooks"
	"memctl/schemas"
	"memctl/triage"
)

// Codex is OpenAI's Codex CLI.
var Codex = &clients.Client{
	Name:  "codex",
	Title: "Codex CLI",
	Approval: "start codex in the project, trust the folder, and at \"Hooks need review\" approve memctl's; " +
		"until then, and after each change of their lines, Codex skips them without a word",

	Tools:          clients.Pairs{{"apply_patch", "Edit"}},
	Adapt:          adaptCodex,
	Answers:        clients.AnswerForm{BlockStop: true},
	ReadLine:       codexMessages,
	Transcripts:    "sessions/*/*/*/rollout-*.jsonl",
	ExtensionHooks: "plugins/cache/*/memctl/*/hooks/hooks.json",
	FindExitCode:   codexExitCode,

	Program:         "codex",
	Shell:           []string{"CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"},
	SessionVariable: "CODEX_THREAD_ID",
	User:            clients.UserFolder{Variable: "CODEX_HOME", Base: ".codex"},
	Loaded: clients.LoadedFiles{
		Project: []string{"AGENTS.override.md", "AGENTS.md"}, User: []string{"AGENTS.override.md", "AGENTS.md"},
		Choice: clients.FirstInFolder, Size: 32 << 10,
	},
	Files: []clients.ScopeFiles{
		{Scope: clients.ProjectScope, Hooks: ".codex/hooks.json", Servers: ".codex/config.toml"},
		{Scope: clients.UserScope, Hooks: "hooks.json", Servers: "config.toml"},
	},
	HooksForm: clients.SettingsForm{}, ServersForm: tomlForm{}, AsksIn: "rules/memctl.rules", AsksForm: rulesForm{},
	Trusted:       clients.Server{ApprovalMode: "approve"},
	Guards:        "apply_patch|Write|Edit|Bash",
	Unapproved:    unreviewedByCodex,
	Subagents:     true,
	JoinsFailures: true,
	ReviewsHooks:  true,
	Wrote:         wroteCodex,
}

// adaptCodex reads an event. A patch names its files in its text, and the response of a
// command does not say how it ended.
func adaptCodex(w *clients.Wire, e *hooks.Event) error {
	e.PromptID = w.TurnID
	response := schemas.String(w.ToolResponse)
	switch w.ToolName {
	case "apply_patch":
		var in struct {
			Command string `json:"command"`
		}
		clients.DecodeObject(w.ToolInput, &in)
		e.Paths = clients.PatchPaths(in.Command)
		e.Input = recordedPatch(in.Command, e.Paths)
		if code, ok := numberAfter(response, "Exit code: "); ok && code != 0 {
			e.Exited(code, response)
		}
	case "Bash":
		e.Unsettled = w.ToolResponse != nil
	}
	return nil
}

// recordedPatch is a patch as the input of an edit: of its first file, with the names of
// the others.
func recordedPatch(patch string, paths []string) json.RawMessage {
	in := struct {
		FilePath string   `json:"file_path,omitempty"`
		Others   []string `json:"other_files,omitempty"`
		Patch    string   `json:"patch"`
	}{Patch: patch}
	if len(paths) > 0 {
		in.FilePath, in.Others = paths[0], paths[1:]
	}
	data, _ := schemas.EncodeJSON(in) // of strings: cannot fail
	return data
}

// numberAfter returns the number after the beginning of a line.
func numberAfter(line, beginning string) (n int, ok bool) {
	rest, ok := strings.CutPrefix(line, beginning)
	digits, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.Atoi(strings.TrimSpace(digits))
	return n, ok && err == nil
}

// wroteCodex reports whether a transcript that begins with a line is Codex's.
func wroteCodex(line []byte) bool {
	var first struct {
		Type    string          `json:"type"`
		Payload json.RawMessage `json:"payload"`
	}
	return clients.DecodeObject(line, &first) && first.Type == "session_meta" && first.Payload != nil
}

type codexLine struct {
	Timestamp string `json:"timestamp"`
	Type      string `json:"type"`
	Payload   struct {
		Type    string          `json:"type"`
		Role    string          `json:"role"`
		ID      string          `json:"id"`
		Name    string          `json:"name"`
		Content json.RawMessage `json:"content"`
		// What a tool is given, and what it answers.
		Arguments json.RawMessage `json:"arguments"`
		Input     json.RawMessage `json:"input"`
		Output    json.RawMessage `json:"output"`
		Item      struct {
			Type     string `json:"type"`
			ID       string `json:"id"`
			ExitCode *int   `json:"exit_code"`
		} `json:"item"`
	} `json:"payload"`
}

// codexMessages reads a line of a rollout file. What the user says stands between what the
// client and its hooks say in the same role.
func codexMessages(data []byte) []triage.Message {
	var line codexLine
	if !clients.DecodeObject(data, &line) || line.Type != "response_item" {
		return nil
	}
	var m triage.Message
	switch p := line.Payload; p.Type {
	case "message":
		if p.Role != "user" && p.Role != "assistant" {
			return nil
		}
		var texts []string
		for _, b := range clients.Blocks(p.Content) {
			if !strings.HasPrefix(b.Text, "# AGENTS.md instructions") {
				texts = append(texts, b.Text)
			}
		}
		m = clients.Spoken(p.Role == "user", texts, "environment_context", "hook_prompt", "user_instructions")
		m.ID = p.ID
	case "function_call", "custom_tool_call":
		clients.AddUse(&m, p.Name, json.RawMessage(cmp.Or(string(p.Arguments), string(p.Input))))
	case "local_shell_call":
		m.Tools = []string{p.Type}
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		m.Printed = clients.Printed(p.Output)
	default:
		return nil
	}
	m.Timestamp = line.Timestamp
	return []triage.Message{m}
}

// codexExitCode finds the end of a command in the last lines of a rollout file.
func codexExitCode(tail []byte, toolUse string) (code int, known bool) {
	if toolUse == "" {
		return 0, false
	}
	for len(tail) > 0 {
		start := bytes.LastIndexByte(tail, '\n') + 1
		data := tail[start:]
		tail = tail[:max(0, start-1)]
		var line codexLine
		if !bytes.Contains(data, []byte(toolUse)) || !clients.DecodeObject(data, &line) {
			continue
		}
		if item := line.Payload.Item; item.Type == "CommandExecution" && item.ID == toolUse && item.ExitCode != nil {
			return *item.ExitCode, true
		}
	}
	return 0, false
}
