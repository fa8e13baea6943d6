package clients

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/hooks"
	"memctl/observe"
	"memctl/schemas"
	"memctl/triage"
)

// Gemini is Google's Gemini CLI. It takes only JSON on stdout.
var Gemini = &clients.Client{
	Name:     "gemini",
	Title:    "Gemini CLI",
	Approval: "start gemini in the project and trust the folder; without that it runs no hooks of a project",

	Events: clients.Pairs{
		{"user-prompt-submit", "BeforeAgent"},
		{clients.BeforeTool, "BeforeTool"},
		{observe.AfterTool, "AfterTool"},
		{observe.AfterFailure, "AfterTool"},
		{"stop", "AfterAgent"},
	},
	Tools: clients.Pairs{
		{"run_shell_command", "Bash"}, {"write_file", "Write"}, {"replace", "Edit"}, {"read_file", "Read"},
		{"glob", "Glob"}, {"grep_search", "Grep"}, {"search_file_content", "Grep"},
	},
	OwnTools:       "mcp_memctl_",
	Adapt:          adaptGemini,
	Answers:        clients.AnswerForm{FlatDenial: true, BlockStop: true, GoOn: "{}\n"},
	ReadLine:       geminiMessages,
	Transcripts:    "tmp/*/chats/session-*.jsonl",
	ExtensionHooks: "extensions/memctl/hooks/hooks.json",

	Program: "gemini",
	Shell:   []string{"GEMINI_CLI"},
	User:    clients.UserFolder{Variable: "GEMINI_CLI_HOME", Folder: ".gemini"},
	Loaded: clients.LoadedFiles{
		Project: []string{"GEMINI.md"}, User: []string{"GEMINI.md"},
		Imports: clients.Imports{Of: []string{"*"}}, Chosen: true,
	},
	Files: []clients.ScopeFiles{
		{Scope: clients.ProjectScope, Hooks: ".gemini/settings.json", Servers: ".gemini/settings.json"},
		{Scope: clients.UserScope, Hooks: "settings.json", Servers: "settings.json"},
	},
	HooksForm: clients.SettingsForm{}, ServersForm: clients.SettingsForm{},
	Trusted:        clients.Server{Trust: true},
	Guards:         "write_file|replace",
	HearsAfterTool: true,
	TimeoutUnits:   1000,
	Unapproved: func(t clients.Target, folder string) string {
		trusts := os.Getenv("GEMINI_CLI_TRUST_WORKSPACE") == "true"
		return t.UntrustedUnless(trusts || isTrusted(t, folder, os.Getenv("GEMINI_CLI_TRUSTED_FOLDERS_PATH"), true))
	},
	JoinsFailures: true,
	Wrote:         wroteGemini,
}

// adaptGemini reads an event. One event follows a tool, whether or not it failed.
func adaptGemini(w *clients.Wire, e *hooks.Event) error {
	e.LastAnswer = w.PromptResponse
	e.Prompt = clients.WithoutTags(e.Prompt, geminiTags)
	if w.MCP.Server != "" && w.MCP.Tool != "" {
		e.ToolName = "mcp__" + w.MCP.Server + "__" + w.MCP.Tool
	}
	readGenAIResponse(w.ToolResponse, e)
	return nil
}

// geminiTags enclose what the client and its hooks put before the words of the user.
var geminiTags = []string{"hook_context", "session_context"}

// wroteGemini reports whether a transcript that begins with a line is Gemini CLI's.
func wroteGemini(line []byte) bool {
	var first struct {
		ProjectHash string `json:"projectHash"`
	}
	return clients.DecodeObject(line, &first) && first.ProjectHash != ""
}

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
	if !clients.DecodeObject(data, &line) {
		return nil
	}
	var list []triage.Message
	for _, data := range clients.Elements(line.Set.Messages) {
		var line geminiLine
		if clients.DecodeObject(data, &line) {
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
	var texts, answers []string
	for _, b := range clients.Blocks(l.Content) {
		texts = append(texts, b.Text)
		answers = append(answers, clients.Printed(b.FunctionResponse.Response)...)
	}
	m := clients.Spoken(l.Type == "user", texts, geminiTags...)
	for _, b := range clients.Blocks(l.ToolCalls) {
		clients.AddUse(&m, b.Name, b.Args)
	}
	m.Printed = answers
	m.ID, m.Timestamp, m.Whole = l.ID, l.Timestamp, l.ID != ""
	return []triage.Message{m}
}

// isTrusted reads the files of Gemini CLI and Qwen Code. Their settings switch the
// question of trust on or off, and the longest rule for the folder decides.
func isTrusted(t clients.Target, folder, rulesFile string, asksByDefault bool) bool {
	var settings struct {
		Security struct {
			FolderTrust struct {
				Enabled *bool `json:"enabled"`
			} `json:"folderTrust"`
		} `json:"security"`
	}
	_ = clients.ReadJSON("", filepath.Join(folder, "settings.json"), &settings) // the client itself reports it
	asks := asksByDefault
	if enabled := settings.Security.FolderTrust.Enabled; enabled != nil {
		asks = *enabled
	}
	var rules map[string]string
	_ = clients.ReadJSON("", cmp.Or(rulesFile, filepath.Join(folder, "trustedFolders.json")), &rules)
	longest := ""
	for rule, decision := range rules {
		path := rule
		if decision == "TRUST_PARENT" {
			path = filepath.Dir(rule)
		}
		if clients.Contains(path, t.Project) && len(rule) > len(longest) {
			longest = rule
		}
	}
	return !asks || longest != "" && rules[longest] != "DO_NOT_TRUST"
}

// genAIResponse is a tool's response in Gemini CLI and in Qwen Code, which grew from it.
type genAIResponse struct {
	Content json.RawMessage `json:"llmContent"` // a text or a list of blocks
	Error   struct {
		Message string `json:"message"`
	} `json:"error"`
}

// readGenAIResponse reads a tool's response into its event. The exit status of a command
// stands in the text, unless it is 0.
func readGenAIResponse(raw json.RawMessage, e *hooks.Event) {
	var r genAIResponse
	if clients.DecodeObject(raw, &r) {
		e.Output = clients.Present(r.Content)
		if r.Error.Message != "" {
			e.Failed, e.Error, e.Output = true, r.Error.Message, nil
		}
	}
	if e.ToolName != "Bash" {
		return
	}
	report := e.Error
	if report == "" {
		report = schemas.String(e.Output)
	}
	printed, code := readShellReport(report)
	switch {
	case code != 0:
		e.Exited(code, printed)
	case e.Error == "" && printed != report:
		e.Output = clients.Quoted(printed)
	}
}

// readShellReport returns what a command printed, without the lines around it, and its
// exit status, 0 if the report names none.
func readShellReport(report string) (printed string, code int) {
	lines := strings.Split(strings.TrimSpace(report), "\n")
	for len(lines) > 0 {
		last := lines[len(lines)-1]
		if !slices.ContainsFunc(shellTrailers, func(beginning string) bool {
			return strings.HasPrefix(last, beginning)
		}) {
			break
		}
		if n, ok := numberAfter(last, "Exit Code: "); ok {
			code = n
		}
		lines = lines[:len(lines)-1]
	}
	printed = strings.Join(lines, "\n")
	if _, after, ok := strings.Cut("\n"+printed, "\nOutput: "); ok {
		printed = after
	}
	return printed, code
}

// shellTrailers begin the lines that follow what a command printed.
var shellTrailers = []string{
	"Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: ", "</untrusted_context>",
}
