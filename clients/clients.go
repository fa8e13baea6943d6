// Package clients adapts memctl to the programs of coding agents. A Client has the
// names of its events, tools and members, the form of its answers, its transcripts, and
// where and how memctl is registered in its files. The package has Claude Code; features/clients
// has the others, which the program gives it in Others. It turns a client's event into
// memctl's own and an answer into the client's JSON. A Form finds, adds and removes memctl's
// entries in a file; features/install writes it. The package decides nothing, asks no questions
// and prints nothing.
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

	Events Pairs // memctl's hooks and the client's events
	// Tools are the client's tools and Claude Code's, by which observations name them.
	Tools    Pairs
	Members  Pairs                               // likewise the members of the inputs of tools for files
	OwnTools string                              // what begins the client's names of the tools of memctl's MCP server
	Adapt    func(w *Wire, e *hooks.Event) error // reads what only this client sends
	Answers  AnswerForm
	ReadLine triage.Messages // reads a line of a transcript
	// Transcripts is where they lie below the user's folder, a pattern; "" for a database.
	Transcripts string
	// ExtensionHooks is where the hooks of memctl's extension lie below it, a pattern; "" if there is no such thing.
	ExtensionHooks string
	// FindExitCode finds at the end of a transcript how a command ended.
	FindExitCode func(transcript []byte, toolUse string) (code int, known bool)

	Program         string   // its own, by which it is found on a machine
	Shell           []string // the variables that it sets in the shells of its agent
	SessionVariable string   // the one that has the session's id there, "" for none
	User            UserFolder
	Loaded          LoadedFiles // into every request
	Files           []ScopeFiles
	HooksForm       Form // of the file of its hooks
	ServersForm     Form // of the file of its MCP servers
	// AsksIn is the file of the rules by which it asks the person: InHooksFile, one beside it, "" for none.
	AsksIn         string
	AsksForm       Form        // of that file
	Server         Server      // without what runs it
	Trusted        Server      // the same for a server whose tools the client need not ask about
	HearsAfterTool bool        // drops what a hook says before a tool, but not what it says after one
	confirms       func() bool // whether it asks the person before a tool if a hook says so; nil for never
	Guards         string      // its tools that write files, run commands or start subagents: the matcher of a hook
	TimeoutUnits   float64     // in which unit it counts them: so many are a second, 0 for 1
	// Unapproved says what a person still has to approve, as far as the client's files
	// tell; folder is the user's.
	Unapproved func(t Target, folder string) string
	// Subagents means that it takes what a hook says when a subagent starts.
	Subagents bool
	// JoinsFailures means that one event follows a tool, whether or not it failed.
	JoinsFailures bool
	// MergesHooks means that it runs a command once which two files register.
	MergesHooks bool
	// SharesHooks means that it also runs the hooks of the project's .claude/settings.json.
	SharesHooks bool
	// Claims reports whether an event that a hook of Claude Code's got is this client's, nil for never.
	Claims func(w *Wire) bool
	// Wrote reports whether the client wrote a transcript that begins with a line.
	Wrote func(line []byte) bool
	// LastFormat is the latest version of its transcripts' format that memctl knows, 0 if it counts none.
	LastFormat int
	// ListSessions and OpenSession replace Transcripts for a client that keeps its sessions in a database.
	ListSessions func(c *Client) ([]Transcript, error)
	OpenSession  func(t Transcript) (io.ReadCloser, error)
	// ReviewsHooks means that it skips a hook until a person has approved its line.
	ReviewsHooks bool
}

// A client that asks a person about PersonCommands, whatever else its rules allow, has rules of that kind in the file
// of its hooks, or reads all files of a folder. memctl writes them only where the strictest rule counts: elsewhere
// one that asks would loosen one of the user's that forbids.

// InHooksFile is Client.AsksIn for permissions.ask in the file of the hooks.
const InHooksFile = "."

// UserFolder is where a client keeps a user's files: in the folder that a variable names,
// else in the home folder.
type UserFolder struct{ Variable, Base, Folder string }

// ScopeFiles are the files of a scope, below the project's folder or the user's.
type ScopeFiles struct{ Scope, Hooks, Servers string }

// Pairs are pairs of names. They are few and need no map, which would be made at every
// start.
type Pairs [][2]string

// second returns what a name is paired with, or the name itself.
func (n Pairs) second(first string) string {
	for _, pair := range n {
		if pair[0] == first {
			return pair[1]
		}
	}
	return first
}

// Others are the clients besides Claude Code. The program sets them before anything else runs.
var Others []*Client

// All lists the clients in the order of the help text.
func All() []*Client { return append([]*Client{Claude}, Others...) }

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
	if event := c.Events.second(hook); event != hook {
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
func (c *Client) Messages(line []byte) []triage.Message { return c.ReadLine(line) }

// AfterTool implements hooks.Client.
func (c *Client) AfterTool() bool { return c.HearsAfterTool }

// Confirms implements hooks.Client.
func (c *Client) Confirms() bool { return c.confirms != nil && c.confirms() }

// Home returns the environment variable that moves the client's own folder.
func (c *Client) Home() string { return c.User.Variable }

// maxTail is how much of a transcript's end is searched for the end of a command.
const maxTail = 1 << 20

// ExitCode finds in the transcript how a command ended.
func (c *Client) ExitCode(transcript io.ReaderAt, size int64, toolUse string) (code int, known bool) {
	if c.FindExitCode == nil {
		return 0, false
	}
	start := max(0, size-maxTail)
	tail, err := io.ReadAll(io.NewSectionReader(transcript, start, size-start))
	if err != nil {
		return 0, false
	}
	return c.FindExitCode(tail, toolUse)
}

// toolName returns Claude Code's name of a tool.
func (c *Client) toolName(name string) string {
	if tool, own := strings.CutPrefix(name, c.OwnTools); own && c.OwnTools != "" {
		return triage.OwnTools + tool
	}
	return c.Tools.second(name)
}

// renamed gives the members of a tool's input the names that they have in Claude Code.
func (c *Client) renamed(input json.RawMessage) json.RawMessage {
	if len(c.Members) == 0 {
		return input
	}
	fields := map[string]json.RawMessage{}
	if !DecodeObject(input, &fields) {
		return input
	}
	for _, pair := range c.Members {
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
	list := make([]string, len(c.Files))
	for i, s := range c.Files {
		list[i] = s.Scope
	}
	return list
}

// UserFolder is where the client keeps the user's files.
func (c *Client) UserFolder() (string, error) {
	if folder := os.Getenv(c.User.Variable); folder != "" {
		return filepath.Abs(filepath.Join(folder, c.User.Folder))
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, c.User.Base, c.User.Folder), err
}

// InAgentShell reports whether memctl runs in the shell of some client's agent.
func InAgentShell() bool {
	return AgentClient() != ""
}

// ShellVariables lists the variables by which InAgentShell knows an agent's shell.
func (c *Client) ShellVariables() []string {
	if c.SessionVariable == "" || slices.Contains(c.Shell, c.SessionVariable) {
		return c.Shell
	}
	return append(slices.Clone(c.Shell), c.SessionVariable)
}

// AgentClient returns the title of the client in whose agent's shell memctl runs, "" for none.
func AgentClient() string {
	for _, c := range All() {
		if slices.ContainsFunc(c.ShellVariables(), func(variable string) bool { return os.Getenv(variable) != "" }) {
			return c.Title
		}
	}
	return ""
}

// AgentSessions returns the ids of the sessions in whose shells memctl runs: several where one agent
// has started another, none if the client does not say.
func AgentSessions() (ids []string) {
	for _, c := range All() {
		if id := os.Getenv(c.SessionVariable); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// IsOnPath reports whether the PATH has the client's program.
func (c *Client) IsOnPath() bool {
	_, err := exec.LookPath(c.Program)
	return err == nil
}

// IsOnMachine reports whether the client is installed, as far as its program on the PATH
// or its folder in the user's home tells.
func (c *Client) IsOnMachine() bool {
	if c.IsOnPath() {
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
	for _, s := range c.Files {
		if t, err := c.Target(s.Scope, project); err == nil {
			list = append(list, t)
		}
	}
	return list
}

// Target returns the client's files for one of its scopes and a project. There are none
// for a scope that the client does not know.
func (c *Client) Target(scope, project string) (t Target, err error) {
	t = Target{Client: c, Scope: scope, Project: project}
	at := slices.IndexFunc(c.Files, func(s ScopeFiles) bool { return s.Scope == scope })
	if at < 0 {
		return t, nil
	}
	files, folder := c.Files[at], project
	if scope == UserScope {
		if folder, err = c.UserFolder(); err != nil {
			return t, err
		}
	}
	t.Settings = filepath.Join(folder, filepath.FromSlash(files.Hooks))
	t.Servers = filepath.Join(folder, filepath.FromSlash(files.Servers))
	if files.Servers == "" {
		t.Servers, err = StateFile()
	}
	return t, err
}
