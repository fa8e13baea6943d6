package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"memctl/hooks"
	"memctl/schemas"
	"memctl/triage"
)

// Codex is OpenAI's Codex CLI.
var Codex = &Client{
	Name:  "codex",
	Title: "Codex CLI",
	Approval: "start codex in the project, trust the folder, and at \"Hooks need review\" approve memctl's; " +
		"until then, and after each change of their lines, Codex skips them without a word",

	tools:       names{{"apply_patch", "Edit"}},
	adapt:       adaptCodex,
	answers:     answerForm{blockStop: true},
	messages:    codexMessages,
	transcripts: "sessions/*/*/*/rollout-*.jsonl",
	extension:   "plugins/cache/*/memctl/*/hooks/hooks.json",
	exitCode:    codexExitCode,

	program: "codex",
	shell:   []string{"CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"},
	session: "CODEX_THREAD_ID",
	user:    userFolder{"CODEX_HOME", ".codex", ""},
	loads: loads{
		project: []string{"AGENTS.override.md", "AGENTS.md"}, user: []string{"AGENTS.override.md", "AGENTS.md"},
		choice: firstInFolder, size: 32 << 10,
	},
	scopes: []scopeFiles{
		{ProjectScope, ".codex/hooks.json", ".codex/config.toml"},
		{UserScope, "hooks.json", "config.toml"},
	},
	hooks: settingsForm{}, servers: tomlForm{}, asks: "rules/memctl.rules",
	trusted:       Server{ApprovalMode: "approve"},
	guards:        "apply_patch|Write|Edit|Bash",
	unapproved:    unreviewedByCodex,
	subagents:     true,
	joinsFailures: true,
	ReviewsHooks:  true,
}

// adaptCodex reads an event. A patch names its files in its text, and the response of a
// command does not say how it ended.
func adaptCodex(w *wire, e *hooks.Event) error {
	e.PromptID = w.TurnID
	response := schemas.String(w.ToolResponse)
	switch w.ToolName {
	case "apply_patch":
		var in struct {
			Command string `json:"command"`
		}
		decodeObject(w.ToolInput, &in)
		e.Paths = patchPaths(in.Command)
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

// maxPatchPaths bounds the files of a patch that are looked at.
const maxPatchPaths = 1000

// patchPaths returns the files that a patch writes, moves or deletes.
func patchPaths(patch string) []string {
	var paths []string
	for line := range strings.Lines(patch) {
		for _, header := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if path, ok := strings.CutPrefix(strings.TrimSpace(line), header); ok && len(paths) < maxPatchPaths {
				paths = append(paths, strings.TrimSpace(path))
			}
		}
	}
	return paths
}

// numberAfter returns the number after the beginning of a line.
func numberAfter(line, beginning string) (n int, ok bool) {
	rest, ok := strings.CutPrefix(line, beginning)
	digits, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.Atoi(strings.TrimSpace(digits))
	return n, ok && err == nil
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
	if !decodeObject(data, &line) || line.Type != "response_item" {
		return nil
	}
	var m triage.Message
	switch p := line.Payload; p.Type {
	case "message":
		if p.Role != "user" && p.Role != "assistant" {
			return nil
		}
		var texts []string
		for _, b := range blocks(p.Content) {
			if !strings.HasPrefix(b.Text, "# AGENTS.md instructions") {
				texts = append(texts, b.Text)
			}
		}
		m = spoken(p.Role == "user", texts, "environment_context", "hook_prompt", "user_instructions")
		m.ID = p.ID
	case "function_call", "custom_tool_call":
		addUse(&m, p.Name, json.RawMessage(cmp.Or(string(p.Arguments), string(p.Input))))
	case "local_shell_call":
		m.Tools = []string{p.Type}
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		m.Printed = printed(p.Output)
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
		if !bytes.Contains(data, []byte(toolUse)) || !decodeObject(data, &line) {
			continue
		}
		if item := line.Payload.Item; item.Type == "CommandExecution" && item.ID == toolUse && item.ExitCode != nil {
			return *item.ExitCode, true
		}
	}
	return 0, false
}
