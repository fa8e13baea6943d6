package clients

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"memctl/hooks"
	"memctl/text"
)

// OpenCode does not run commands as hooks: its plugin runs memctl's with events and answers in
// Claude Code's form, and OpenCode's tools as they are. It also writes the transcripts.
var OpenCode = &Client{
	Name:     "opencode",
	Title:    "OpenCode",
	Approval: "restart OpenCode; it runs a project's plugins and servers without asking",

	tools: names{
		{"bash", "Bash"}, {"write", "Write"}, {"edit", "Edit"}, {"read", "Read"}, {"glob", "Glob"}, {"grep", "Grep"},
		{"webfetch", "WebFetch"}, {"task", "Task"}, {"todowrite", "TodoWrite"}, {"todoread", "TodoRead"},
	},
	members:   names{{"filePath", "file_path"}, {"oldString", "old_string"}, {"newString", "new_string"}},
	ownTools:  "memctl_",
	adapt:     adaptOpenCode,
	answers:   answerForm{blockStop: true},
	afterTool: true,
	subagents: true,
	messages:  claudeMessages,

	program: "opencode",
	shell:   []string{"OPENCODE"},
	user:    userFolder{"XDG_CONFIG_HOME", ".config", "opencode"},
	loads:   loads{project: []string{"AGENTS.md", "CLAUDE.md"}, first: true},
	scopes: []scopeFiles{
		{ProjectScope, ".opencode/plugin/memctl.js", "opencode.json"},
		{UserScope, "plugin/memctl.js", "opencode.json"},
	},
	hooks: pluginForm{}, servers: settingsForm{},
	server: Server{section: openCodeServers},
}

// openCodeResponse is the output of the plugin's hook after a tool.
type openCodeResponse struct {
	Output   *string         `json:"output"`
	Content  json.RawMessage `json:"content"` // of an MCP tool
	Metadata struct {
		Exit int `json:"exit"`
	} `json:"metadata"`
}

// adaptOpenCode reads an event. A command that fails is an ordinary run with another exit
// status than 0.
func adaptOpenCode(w *wire, e *hooks.Event) error {
	var r openCodeResponse
	switch {
	case !decodeObject(w.ToolResponse, &r):
	case r.Metadata.Exit != 0 && r.Output != nil:
		e.Exited(r.Metadata.Exit, *r.Output)
	case r.Output != nil:
		e.Output = quoted(*r.Output)
	case r.Content != nil:
		e.Output = r.Content
	}
	return nil
}

// pluginForm is a module of OpenCode, which runs no commands at its events.
type pluginForm struct{ ownFile }

// openCodePlugin is the module, in which the program is "memctl".
//
//go:embed opencode.js
var openCodePlugin []byte

const (
	pluginStart   = "// memctl's plugin for OpenCode"
	pluginProgram = `const program = "memctl"`
)

func (form pluginForm) add(data []byte, e Entries) ([]byte, error) {
	found, err := form.find(data)
	if err != nil {
		return nil, err
	}
	if len(e.Hooks) == 0 {
		return data, nil
	}
	if e.replaced != nil && data != nil && !bytes.Equal(data, pluginOf(found.Hooks[0])) {
		e.replaces("the plugin", []string{"other lines than this version's"})
	}
	return pluginOf(e.Hooks[0]), nil
}

// pluginOf is the plugin that runs the program of a hook.
func pluginOf(h Hook) []byte {
	program, _, _ := h.Memctl()
	line := append([]byte("const program = "), quoted(program)...)
	return bytes.Replace(openCodePlugin, []byte(pluginProgram), line, 1)
}

func (form pluginForm) remove(data, _ []byte) ([]byte, error) {
	_, err := form.find(data)
	return nil, err
}

// find takes any file that starts as the plugin does for one, of whatever version.
func (pluginForm) find(data []byte) (e Entries, err error) {
	if data == nil {
		return e, nil
	}
	if !bytes.HasPrefix(data, []byte(pluginStart)) {
		return e, errors.New("it is another plugin; move it to another file")
	}
	var program string
	if found := regexp.MustCompile(`(?m)^const program = (".*")$`).FindSubmatch(data); found != nil {
		_ = json.Unmarshal(found[1], &program) // doctor reports that no such program can be run
	}
	e.Hooks = OpenCode.Hooks(text.ShellQuoted(program))
	return e, nil
}

func (pluginForm) diff(path string, before, after []byte) (string, error) {
	if before == nil || after == nil {
		return fmt.Sprintf("--- %s\n+++ %s\n(a plugin of %d lines)\n", diffName(path, before), diffName(path, after),
			max(bytes.Count(before, []byte("\n")), bytes.Count(after, []byte("\n")))), nil
	}
	return plainDiff(path, before, after), nil
}

func (pluginForm) rules() string { return "a JavaScript module" }
