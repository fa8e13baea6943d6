package clients

import (
	"encoding/json"
	"os"

	"memctl/hooks"
	"memctl/triage"
)

// Qwen is Qwen Code, which grew from Gemini CLI and took its hooks from Claude Code.
var Qwen = &Client{
	Name:     "qwen",
	Title:    "Qwen Code",
	Approval: "restart Qwen Code; where security.folderTrust is on, trust the folder",

	tools: names{
		{"run_shell_command", "Bash"}, {"write_file", "Write"}, {"edit", "Edit"}, {"read_file", "Read"},
		{"glob", "Glob"}, {"grep_search", "Grep"},
	},
	adapt:       adaptQwen,
	answers:     answerForm{blockStop: true},
	messages:    qwenMessages,
	transcripts: "projects/*/chats/*.jsonl",

	program: "qwen",
	shell:   []string{"QWEN_CODE", "QWEN_CODE_CLI"},
	session: "QWEN_CODE_SESSION_ID",
	user:    userFolder{"QWEN_HOME", ".qwen", ""},
	loads: loads{
		project: []string{"AGENTS.md", "QWEN.md"}, user: []string{"AGENTS.md", "QWEN.md"}, above: true, chosen: true,
		imports: imports{of: []string{"*"}},
	},
	scopes: []scopeFiles{
		{ProjectScope, ".qwen/settings.json", ".qwen/settings.json"},
		{UserScope, "settings.json", "settings.json"},
	},
	hooks: settingsForm{}, servers: settingsForm{}, asks: inHooksFile,
	trusted:   Server{Trust: true},
	guards:    "write_file|edit",
	afterTool: true,
	unapproved: func(t Target, folder string) string {
		return t.untrustedUnless(t.isTrusted(folder, os.Getenv("QWEN_CODE_TRUSTED_FOLDERS_PATH"), false))
	},
}

// errNoWords is the reason why nothing is searched after a tool.
const errNoWords = hooks.Silence("the agent goes on after a tool; the person said nothing")

// adaptQwen reads an event. The event of a prompt also comes after every batch of tools,
// with an empty prompt.
func adaptQwen(w *wire, e *hooks.Event) error {
	if w.Name == "UserPromptSubmit" && e.Prompt == "" {
		return errNoWords
	}
	readGenAIResponse(w.ToolResponse, e)
	return nil
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
	if !decodeObject(data, &line) {
		return nil
	}
	said := line.Type == "user" || line.Type == "assistant"
	if !said && line.Type != "tool_result" {
		return nil
	}
	var calls triage.Message
	var texts []string
	for _, b := range blocks(line.Message.Parts) {
		if said && b.FunctionCall.Name != "" {
			addUse(&calls, b.FunctionCall.Name, b.FunctionCall.Args)
		}
		if said && !b.Thought {
			texts = append(texts, b.Text)
		}
		if !said {
			calls.Printed = append(calls.Printed, printed(b.FunctionResponse.Response)...)
		}
	}
	m := spoken(line.Type == "user", texts, "qwen:user-prompt-submit-context", "qwen:session-start-context")
	m.Timestamp, m.Tools, m.Uses, m.Printed = line.Timestamp, calls.Tools, calls.Uses, calls.Printed
	return []triage.Message{m}
}
