package clients

import (
	"encoding/json"
	"os"

	"memctl/clients"
	"memctl/hooks"
	"memctl/triage"
)

// Qwen is Qwen Code, which grew from Gemini CLI and took its hooks from Claude Code.
var Qwen = &clients.Client{
	Name:     "qwen",
	Title:    "Qwen Code",
	Approval: "restart Qwen Code; where security.folderTrust is on, trust the folder",

	Tools: clients.Pairs{
		{"run_shell_command", "Bash"}, {"write_file", "Write"}, {"edit", "Edit"}, {"read_file", "Read"},
		{"glob", "Glob"}, {"grep_search", "Grep"},
	},
	Adapt:          adaptQwen,
	Answers:        clients.AnswerForm{BlockStop: true},
	ReadLine:       qwenMessages,
	Transcripts:    "projects/*/chats/*.jsonl",
	ExtensionHooks: "extensions/memctl/hooks/hooks.json",

	Program:         "qwen",
	Shell:           []string{"QWEN_CODE", "QWEN_CODE_CLI"},
	SessionVariable: "QWEN_CODE_SESSION_ID",
	User:            clients.UserFolder{Variable: "QWEN_HOME", Base: ".qwen"},
	Loaded: clients.LoadedFiles{
		Project: []string{"AGENTS.md", "QWEN.md"}, User: []string{"AGENTS.md", "QWEN.md"}, Above: true, Chosen: true,
		Imports: clients.Imports{Of: []string{"*"}},
	},
	Files: []clients.ScopeFiles{
		{Scope: clients.ProjectScope, Hooks: ".qwen/settings.json", Servers: ".qwen/settings.json"},
		{Scope: clients.UserScope, Hooks: "settings.json", Servers: "settings.json"},
	},
	HooksForm: clients.SettingsForm{}, ServersForm: clients.SettingsForm{}, AsksIn: clients.InHooksFile,
	Trusted:        clients.Server{Trust: true},
	Guards:         "write_file|edit",
	HearsAfterTool: true,
	Unapproved: func(t clients.Target, folder string) string {
		return t.UntrustedUnless(isTrusted(t, folder, os.Getenv("QWEN_CODE_TRUSTED_FOLDERS_PATH"), false))
	},
	Wrote: wroteQwen,
}

// errNoWords is the reason why nothing is searched after a tool.
const errNoWords = hooks.Silence("the agent goes on after a tool; the person said nothing")

// adaptQwen reads an event. The event of a prompt also comes after every batch of tools,
// with an empty prompt.
func adaptQwen(w *clients.Wire, e *hooks.Event) error {
	if w.Name == "UserPromptSubmit" && e.Prompt == "" {
		return errNoWords
	}
	readGenAIResponse(w.ToolResponse, e)
	return nil
}

// wroteQwen reports whether a transcript that begins with a line is Qwen Code's.
func wroteQwen(line []byte) bool {
	var first struct {
		Message struct {
			Parts json.RawMessage `json:"parts"`
		} `json:"message"`
		Provenance string `json:"provenance"`
	}
	return clients.DecodeObject(line, &first) && (first.Message.Parts != nil || first.Provenance != "")
}

type qwenLine struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Message   struct {
		Parts json.RawMessage `json:"parts"`
	} `json:"message"`
}

func qwenMessages(data []byte) []triage.Message {
	var line qwenLine
	if !clients.DecodeObject(data, &line) {
		return nil
	}
	said := line.Type == "user" || line.Type == "assistant"
	if !said && line.Type != "tool_result" {
		return nil
	}
	var calls triage.Message
	var texts []string
	for _, b := range clients.Blocks(line.Message.Parts) {
		if said && b.FunctionCall.Name != "" {
			clients.AddUse(&calls, b.FunctionCall.Name, b.FunctionCall.Args)
		}
		if said && !b.Thought {
			texts = append(texts, b.Text)
		}
		if !said {
			calls.Printed = append(calls.Printed, clients.Printed(b.FunctionResponse.Response)...)
		}
	}
	m := clients.Spoken(line.Type == "user", texts, "qwen:user-prompt-submit-context", "qwen:session-start-context")
	m.Timestamp, m.Tools, m.Uses, m.Printed = line.Timestamp, calls.Tools, calls.Uses, calls.Printed
	return []triage.Message{m}
}
