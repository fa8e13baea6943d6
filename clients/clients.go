// Package clients holds a file for each coding agent's program that memctl answers: the
// names of its events, tools and members, the form of its answers, its transcripts, and
// where and how memctl is registered in its files. An adapter turns a client's event into
// memctl's own and an answer into the client's JSON. Install and Uninstall add and remove
// memctl's entries and leave every other byte of a file as it is. The package decides
// nothing, asks no questions and prints nothing.
package clients

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files/gate"
	"memctl/hooks"
	"memctl/schemas"
	"memctl/triage"
)

// Client is a client of memctl's hooks. What it does not say is as in Claude Code.
type Client struct {
	Name     string // as --client takes it
	Title    string // as people know it
	Approval string // what a person does in the client after an installation

	events names // memctl's hooks and the client's events
	// the client's tools and Claude Code's, by which observations name them
	tools    names
	members  names                               // likewise the members of the inputs of tools for files
	ownTools string                              // what begins the client's names of the tools of memctl's MCP server
	adapt    func(w *wire, e *hooks.Event) error // reads what only this client sends
	answers  answerForm
	messages triage.Messages
	// transcripts is where they lie below the user's folder, a pattern; "" for a database.
	transcripts string
	// extension is where the hooks of memctl's extension lie below it, a pattern; "" if there is no such thing.
	extension string
	exitCode  func(transcript []byte, toolUse string) (code int, known bool)

	program string   // its own, by which it is found on a machine
	shell   []string // the variables that it sets in the shells of its agent
	session string   // the one that has the session's id there, "" for none
	user    userFolder
	loads   loads // into every request
	scopes  []scopeFiles
	hooks   form // of the file of its hooks
	servers form // of the file of its MCP servers
	// where it has rules by which it asks the person: in the hooks' file, one beside it, "" for nowhere
	asks      string
	server    Server      // without what runs it
	trusted   Server      // the same for a server whose tools the client need not ask about
	afterTool bool        // drops what a hook says before a tool, but not what it says after one
	confirms  func() bool // whether it asks the person before a tool if a hook says so; nil for never
	guards    string      // its tools that write files, as the matcher of a hook
	timeouts  float64     // in which unit it counts them: so many are a second, 0 for 1
	// unapproved says what a person still has to approve, as far as the client's files
	// tell; folder is the user's.
	unapproved func(t Target, folder string) string
	// subagents means that it takes what a hook says when a subagent starts.
	subagents bool
	// joinsFailures means that one event follows a tool, whether or not it failed.
	joinsFailures bool
	// mergesHooks means that it runs a command once which two files register.
	mergesHooks bool
	// sharesHooks means that it also runs the hooks of the project's .claude/settings.json.
	sharesHooks bool
	// ReviewsHooks means that it skips a hook until a person has approved its line.
	ReviewsHooks bool
}

// userFolder is where a client keeps a user's files: in the folder that a variable names,
// else in the home folder.
type userFolder struct{ variable, base, folder string }

// scopeFiles are the files of a scope, below the project's folder or the user's.
type scopeFiles struct{ scope, hooks, servers string }

// names are pairs of names. They are few and need no map, which would be made at every
// start.
type names [][2]string

// second returns what a name is paired with, or the name itself.
func (n names) second(first string) string {
	for _, pair := range n {
		if pair[0] == first {
			return pair[1]
		}
	}
	return first
}

// All lists the clients in the order of the help text.
func All() []*Client { return []*Client{Claude, Codex, Gemini, OpenCode, Qwen, Copilot} }

// Named returns the client with a name, nil if there is none.
func Named(name string) *Client {
	for _, c := range All() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Names lists the names of all clients.
func Names() []string {
	var list []string
	for _, c := range All() {
		list = append(list, c.Name)
	}
	return list
}

// Event returns the client's name for a hook's event, such as UserPromptSubmit for
// user-prompt-submit.
func (c *Client) Event(hook string) string {
	if event := c.events.second(hook); event != hook {
		return event
	}
	var name strings.Builder
	for word := range strings.SplitSeq(hook, "-") {
		name.WriteString(strings.ToUpper(word[:min(1, len(word))]) + word[min(1, len(word)):])
	}
	return name.String()
}

// LogName returns the client's name in the log of the runs.
func (c *Client) LogName() string {
	if c == Claude {
		return ""
	}
	return c.Name
}

// Messages reads a line of a transcript.
func (c *Client) Messages(line []byte) []triage.Message { return c.messages(line) }

// AfterTool implements hooks.Client.
func (c *Client) AfterTool() bool { return c.afterTool }

// Confirms implements hooks.Client.
func (c *Client) Confirms() bool { return c.confirms != nil && c.confirms() }

// Home returns the environment variable that moves the client's own folder.
func (c *Client) Home() string { return c.user.variable }

// maxTail is how much of a transcript's end is searched for the end of a command.
const maxTail = 1 << 20

// ExitCode finds in the transcript how a command ended.
func (c *Client) ExitCode(transcript io.ReaderAt, size int64, toolUse string) (code int, known bool) {
	if c.exitCode == nil {
		return 0, false
	}
	start := max(0, size-maxTail)
	tail, err := io.ReadAll(io.NewSectionReader(transcript, start, size-start))
	if err != nil {
		return 0, false
	}
	return c.exitCode(tail, toolUse)
}

// toolName returns Claude Code's name of a tool.
func (c *Client) toolName(name string) string {
	if tool, own := strings.CutPrefix(name, c.ownTools); own && c.ownTools != "" {
		return triage.OwnTools + tool
	}
	return c.tools.second(name)
}

// renamed gives the members of a tool's input the names that they have in Claude Code.
func (c *Client) renamed(input json.RawMessage) json.RawMessage {
	if len(c.members) == 0 {
		return input
	}
	fields := map[string]json.RawMessage{}
	if !decodeObject(input, &fields) {
		return input
	}
	for _, pair := range c.members {
		if value, ok := fields[pair[0]]; ok {
			delete(fields, pair[0])
			fields[pair[1]] = value
		}
	}
	data, err := schemas.EncodeJSON(fields)
	if err != nil {
		return input
	}
	return data
}

// Scopes lists the client's scopes.
func (c *Client) Scopes() []string {
	list := make([]string, len(c.scopes))
	for i, s := range c.scopes {
		list[i] = s.scope
	}
	return list
}

// UserFolder is where the client keeps the user's files.
func (c *Client) UserFolder() (string, error) {
	if folder := os.Getenv(c.user.variable); folder != "" {
		return filepath.Abs(filepath.Join(folder, c.user.folder))
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, c.user.base, c.user.folder), err
}

// InAgentShell reports whether memctl runs in the shell of some client's agent.
func InAgentShell() bool {
	return slices.ContainsFunc(All(), func(c *Client) bool {
		return slices.ContainsFunc(c.ShellVariables(), func(variable string) bool { return os.Getenv(variable) != "" })
	})
}

// ShellVariables lists the variables by which InAgentShell knows an agent's shell.
func (c *Client) ShellVariables() []string {
	if c.session == "" || slices.Contains(c.shell, c.session) {
		return c.shell
	}
	return append(slices.Clone(c.shell), c.session)
}

// AgentSessions returns the ids of the sessions in whose shells memctl runs: several where one agent
// has started another, none if the client does not say.
func AgentSessions() (ids []string) {
	for _, c := range All() {
		if id := os.Getenv(c.session); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// IsOnMachine reports whether the client is installed, as far as its program on the PATH
// or its folder in the user's home tells.
func (c *Client) IsOnMachine() bool {
	if _, err := exec.LookPath(c.program); err == nil {
		return true
	}
	folder, err := c.UserFolder()
	if err != nil {
		return false
	}
	info, err := gate.Stat(folder)
	return err == nil && info.IsDir()
}

// Targets lists the client's files for all of its scopes and a project.
func (c *Client) Targets(project string) (list []Target) {
	for _, s := range c.scopes {
		if t, err := c.Target(s.scope, project); err == nil {
			list = append(list, t)
		}
	}
	return list
}

// Target returns the client's files for one of its scopes and a project. There are none
// for a scope that the client does not know.
func (c *Client) Target(scope, project string) (t Target, err error) {
	t = Target{Client: c, Scope: scope, Project: project}
	at := slices.IndexFunc(c.scopes, func(s scopeFiles) bool { return s.scope == scope })
	if at < 0 {
		return t, nil
	}
	files, folder := c.scopes[at], project
	if scope == UserScope {
		if folder, err = c.UserFolder(); err != nil {
			return t, err
		}
	}
	t.Settings = filepath.Join(folder, filepath.FromSlash(files.hooks))
	t.Servers = filepath.Join(folder, filepath.FromSlash(files.servers))
	if files.servers == "" {
		t.Servers, err = StateFile()
	}
	return t, err
}
