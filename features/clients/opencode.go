package clients

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"memctl/clients"
	"memctl/db"
	"memctl/hooks"
	"memctl/text"
)

// OpenCode does not run commands as hooks: its plugin runs memctl's with events and answers in
// Claude Code's form, and OpenCode's tools as they are. It also writes the transcripts.
var OpenCode = &clients.Client{
	Name:     "opencode",
	Title:    "OpenCode",
	Approval: "restart OpenCode; it runs a project's plugins and servers without asking",

	Tools: clients.Pairs{
		{"bash", "Bash"}, {"write", "Write"}, {"edit", "Edit"}, {"read", "Read"}, {"glob", "Glob"}, {"grep", "Grep"},
		{"webfetch", "WebFetch"}, {"task", "Task"}, {"todowrite", "TodoWrite"}, {"todoread", "TodoRead"},
	},
	Members:        clients.Pairs{{"filePath", "file_path"}, {"oldString", "old_string"}, {"newString", "new_string"}},
	OwnTools:       "memctl_",
	Adapt:          adaptOpenCode,
	Answers:        clients.AnswerForm{BlockStop: true},
	HearsAfterTool: true,
	Subagents:      true,
	ReadLine:       clients.Claude.Messages,

	Program: "opencode",
	Shell:   []string{"OPENCODE"},
	User:    clients.UserFolder{Variable: "XDG_CONFIG_HOME", Base: ".config", Folder: "opencode"},
	Loaded: clients.LoadedFiles{
		Project: []string{"AGENTS.md", "CLAUDE.md"}, User: []string{"AGENTS.md"},
		OrClaude: true, Choice: clients.FirstOfAll,
	},
	Files: []clients.ScopeFiles{
		{Scope: clients.ProjectScope, Hooks: ".opencode/plugin/memctl.js", Servers: "opencode.json"},
		{Scope: clients.UserScope, Hooks: "plugin/memctl.js", Servers: "opencode.json"},
	},
	HooksForm: pluginForm{}, ServersForm: clients.SettingsForm{},
	Server: clients.Server{Section: clients.OpenCodeServers},

	ListSessions: listDatabase, OpenSession: openDatabase,
}

type openCodeResponse struct {
	Output   *string         `json:"output"`
	Content  json.RawMessage `json:"content"` // of an MCP tool
	Metadata struct {
		Exit int `json:"exit"`
	} `json:"metadata"`
}

// adaptOpenCode reads an event. A command that fails is an ordinary run with another exit
// status than 0.
func adaptOpenCode(w *clients.Wire, e *hooks.Event) error {
	var r openCodeResponse
	switch {
	case !clients.DecodeObject(w.ToolResponse, &r):
	case r.Metadata.Exit != 0 && r.Output != nil:
		e.Exited(r.Metadata.Exit, *r.Output)
	case r.Output != nil:
		e.Output = clients.Quoted(*r.Output)
	case r.Content != nil:
		e.Output = r.Content
	}
	return nil
}

// pluginForm is a module of OpenCode, which runs no commands at its events.
type pluginForm struct{ clients.OwnFile }

// openCodePlugin is the module, in which the program is "memctl".
//
//go:embed opencode.js
var openCodePlugin []byte

const (
	pluginStart   = "// memctl's plugin for OpenCode"
	pluginProgram = `const program = "memctl"`
)

func (form pluginForm) Add(data []byte, e clients.Entries) ([]byte, error) {
	entries, err := form.Find(data)
	if err != nil {
		return nil, err
	}
	if len(e.Hooks) == 0 {
		return data, nil
	}
	if e.Replaced != nil && data != nil && !bytes.Equal(data, pluginOf(entries.Hooks[0])) {
		e.AddReplaced("the plugin", []string{"other lines than this version's"})
	}
	return pluginOf(e.Hooks[0]), nil
}

// pluginOf is the plugin that runs the program of a hook.
func pluginOf(h clients.Hook) []byte {
	program, _, _ := h.Memctl()
	line := append([]byte("const program = "), clients.Quoted(program)...)
	return bytes.Replace(openCodePlugin, []byte(pluginProgram), line, 1)
}

// Find takes any file that starts as the plugin does for one, of whatever version.
func (pluginForm) Find(data []byte) (e clients.Entries, err error) {
	if data == nil {
		return e, nil
	}
	if !bytes.HasPrefix(data, []byte(pluginStart)) {
		return e, errors.New("it is another plugin; move it to another file")
	}
	var program string
	if match := regexp.MustCompile(`(?m)^const program = (".*")$`).FindSubmatch(data); match != nil {
		_ = json.Unmarshal(match[1], &program) // doctor reports that no such program can be run
	}
	e.Hooks = OpenCode.Hooks(text.ShellQuoted(program))
	return e, nil
}

func (pluginForm) Diff(path string, before, after []byte) string {
	if before == nil || after == nil {
		return fmt.Sprintf("--- %s\n+++ %s\n(a plugin of %d lines)\n", clients.DiffName(path, before),
			clients.DiffName(path, after),
			max(bytes.Count(before, []byte("\n")), bytes.Count(after, []byte("\n"))))
	}
	return clients.PlainDiff(path, before, after)
}

func (pluginForm) Rules() string { return "a JavaScript module" }

func openCodeDatabase() (string, error) {
	data := os.Getenv("XDG_DATA_HOME")
	home, err := os.UserHomeDir()
	return filepath.Join(cmp.Or(data, filepath.Join(home, ".local", "share")), "opencode", "opencode.db"), err
}

// listDatabase lists the sessions of OpenCode's database, without those of subagents.
func listDatabase(c *clients.Client) (list []clients.Transcript, err error) {
	path, err := openCodeDatabase()
	if err != nil {
		return nil, err
	}
	d, err := db.OpenForeign(path)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var rows []struct {
		ID      string `db:"id"`
		Updated int64  `db:"time_updated"` // in ms
		Parts   int64  `db:"parts"`
	}
	err = d.Select(context.Background(), &rows, `
		SELECT id, time_updated, (SELECT count(*) FROM part p WHERE p.session_id = s.id) AS parts
		FROM session s
		WHERE parent_id IS NULL`)
	for _, r := range rows {
		list = append(list, clients.Transcript{
			Client: c, Path: path + "#" + r.ID, Size: r.Parts, MTime: r.Updated * int64(time.Millisecond),
		})
	}
	return list, err
}

// openDatabase writes a session of the database down in Claude Code's form.
func openDatabase(t clients.Transcript) (io.ReadCloser, error) {
	path, id, _ := strings.Cut(t.Path, "#")
	d, err := db.OpenForeign(path)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var folders []string
	if err := d.Select(context.Background(), &folders, `SELECT directory FROM session WHERE id = ?`, id); err != nil {
		return nil, err
	}
	var parts []openCodePart
	if err := d.Select(context.Background(), &parts, `
		SELECT m.data AS message, p.data AS part
		FROM message m
		JOIN part p ON p.message_id = m.id
		WHERE m.session_id = ?
		ORDER BY m.id, p.id`, id); err != nil {
		return nil, err
	}
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	head := map[string]string{"type": "mode", "sessionId": id}
	if len(folders) > 0 {
		head["cwd"] = folders[0]
	}
	err = encoder.Encode(head)
	for _, p := range parts {
		if line := p.line(); line != nil {
			err = errors.Join(err, encoder.Encode(line))
		}
	}
	return io.NopCloser(&lines), err
}

// openCodePart is a part of a message, both as the database has them.
type openCodePart struct {
	Message string `db:"message"`
	Part    string `db:"part"`
}

// line returns the part as a line of Claude Code's, nil for one that says nothing.
func (p openCodePart) line() map[string]any {
	var message struct {
		Role string                  `json:"role"`
		Time struct{ Created int64 } `json:"time"` // in ms
	}
	var part struct {
		Type      string `json:"type"`
		Text      string `json:"text"`
		Synthetic bool   `json:"synthetic"`
		Tool      string `json:"tool"`
		State     struct {
			Input  json.RawMessage `json:"input"`
			Output string          `json:"output"`
			Error  string          `json:"error"`
		} `json:"state"`
	}
	if !clients.DecodeObject([]byte(p.Message), &message) || !clients.DecodeObject([]byte(p.Part), &part) ||
		part.Synthetic {
		return nil
	}
	var content []map[string]any
	switch part.Type {
	case "text":
		content = []map[string]any{{"type": "text", "text": part.Text}}
	case "tool":
		content = []map[string]any{{"type": "tool_use", "name": part.Tool, "input": clients.Present(part.State.Input)},
			{"type": "tool_result", "content": cmp.Or(part.State.Output, part.State.Error)}}
	default:
		return nil
	}
	at := time.UnixMilli(message.Time.Created).UTC().Format(time.RFC3339Nano)
	return map[string]any{"type": message.Role, "timestamp": at, "message": map[string]any{"content": content}}
}
