package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"memctl/clients"
)

// ClaudeCode is the name of the client that is meant where none is named. Its hooks are
// registered without a name.
const ClaudeCode = "claude-code"

// Client is a coding agent's program that memctl registers itself with: a row of Clients.
type Client struct {
	Name     string // as in "memctl install --client NAME"
	Title    string // as people know it
	Approval string // what a person does in the client after an installation
	program  string // its own, by which it is found on a machine
	user     userFolder
	scopes   []scopeFiles
	hooks    form
	servers  form
	server   Server  // without what runs it
	trusted  Server  // the same for a server whose tools the client need not ask about
	timeouts float64 // in which unit it counts them: so many are a second
	runs     []clientHook
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

// clientHook is a hook as a client runs it, at the event that package clients names.
type clientHook struct {
	name, matcher string
	timeout       float64 // in seconds
	status        string  // what the client shows meanwhile
}

// Clients lists the clients that have hooks.
var Clients = []Client{
	{
		Name: ClaudeCode, Title: "Claude Code", program: "claude",
		Approval: "restart Claude Code; /hooks lists the hooks there, /mcp the server",
		user:     userFolder{"CLAUDE_CONFIG_DIR", ".claude", ""},
		scopes: []scopeFiles{
			{ProjectScope, ".claude/settings.json", ".mcp.json"},
			{LocalScope, ".claude/settings.local.json", ".mcp.json"},
			{UserScope, "settings.json", ""}, // StateFile has the servers
		},
		hooks: settingsForm{}, servers: settingsForm{}, timeouts: 1, mergesHooks: true,
		// hooks/hooks.json registers the same for the plugin.
		runs: []clientHook{
			{"session-start", "", 10, "memctl: bringing the memory index up to date"},
			{"user-prompt-submit", "", 10, "memctl: looking for memories"},
			{"pre-tool-use", "Write|Edit|MultiEdit|NotebookEdit", 5, "memctl: guarding the memory files"},
			{"post-tool-use", "", 10, "memctl: after the tool"},
			{"post-tool-use-failure", "", 10, "memctl: after the tool"},
			{"stop", "", 30, "memctl: looking for what is worth a memory"},
		},
	},
	{
		Name: "codex", Title: "Codex CLI", program: "codex",
		Approval: `start codex in the project, trust the folder, and at "Hooks need review" approve memctl's; until then, and after each change of their lines, Codex skips them without a word`,
		user:     userFolder{"CODEX_HOME", ".codex", ""},
		scopes: []scopeFiles{
			{ProjectScope, ".codex/hooks.json", ".codex/config.toml"},
			{UserScope, "hooks.json", "config.toml"},
		},
		hooks: settingsForm{}, servers: tomlForm{}, timeouts: 1, ReviewsHooks: true,
		trusted: Server{ApprovalMode: "approve"},
		runs: []clientHook{
			{"session-start", "", 10, ""},
			{"user-prompt-submit", "", 10, ""},
			{"pre-tool-use", "apply_patch|Write|Edit", 5, ""},
			{"post-tool-use", "", 10, ""},
			{"stop", "", 30, ""},
		},
	},
	{
		Name: "gemini", Title: "Gemini CLI", program: "gemini",
		Approval: "start gemini in the project and trust the folder; without that it runs no hooks of a project",
		user:     userFolder{"GEMINI_CLI_HOME", "", ".gemini"},
		scopes: []scopeFiles{
			{ProjectScope, ".gemini/settings.json", ".gemini/settings.json"},
			{UserScope, "settings.json", "settings.json"},
		},
		hooks: settingsForm{}, servers: settingsForm{}, timeouts: 1000,
		trusted: Server{Trust: true},
		runs: []clientHook{
			{"session-start", "", 10, ""},
			{"user-prompt-submit", "", 10, ""},
			{"pre-tool-use", "write_file|replace", 5, ""},
			{"post-tool-use", "", 10, ""},
			{"stop", "", 30, ""},
		},
	},
	{
		Name: "opencode", Title: "OpenCode", program: "opencode",
		Approval: "restart OpenCode; it runs a project's plugins and servers without asking",
		user:     userFolder{"XDG_CONFIG_HOME", ".config", "opencode"},
		scopes: []scopeFiles{
			{ProjectScope, ".opencode/plugin/memctl.js", "opencode.json"},
			{UserScope, "plugin/memctl.js", "opencode.json"},
		},
		hooks: pluginForm{}, servers: settingsForm{}, timeouts: 1,
		server: Server{section: openCodeServers},
		runs: []clientHook{
			{"session-start", "", 10, ""},
			{"user-prompt-submit", "", 10, ""},
			{"pre-tool-use", "", 5, ""},
			{"post-tool-use", "", 10, ""},
			{"post-tool-use-failure", "", 10, ""},
			{"stop", "", 30, ""},
		},
	},
	{
		Name: "qwen", Title: "Qwen Code", program: "qwen",
		Approval: "restart Qwen Code; where security.folderTrust is on, trust the folder",
		user:     userFolder{"QWEN_HOME", ".qwen", ""},
		scopes: []scopeFiles{
			{ProjectScope, ".qwen/settings.json", ".qwen/settings.json"},
			{UserScope, "settings.json", "settings.json"},
		},
		hooks: settingsForm{}, servers: settingsForm{}, timeouts: 1,
		trusted: Server{Trust: true},
		runs: []clientHook{
			{"session-start", "", 10, ""},
			{"user-prompt-submit", "", 10, ""},
			{"pre-tool-use", "write_file|edit", 5, ""},
			{"post-tool-use", "", 10, ""},
			{"post-tool-use-failure", "", 10, ""},
			{"stop", "", 30, ""},
		},
	},
	{
		Name: "copilot", Title: "Copilot CLI", program: "copilot",
		Approval: "start copilot in the project and trust the folder; without that it reads no hooks and servers of a project",
		user:     userFolder{"COPILOT_HOME", ".copilot", ""},
		scopes: []scopeFiles{
			{ProjectScope, ".github/hooks/memctl.json", ".mcp.json"},
			{UserScope, "hooks/memctl.json", "mcp-config.json"},
		},
		hooks: hooksFileForm{}, servers: settingsForm{}, timeouts: 1, sharesHooks: true,
		server: Server{Type: "local", Tools: []string{"*"}},
		runs: []clientHook{
			{"session-start", "", 10, ""},
			{"user-prompt-submit", "", 10, ""},
			{"pre-tool-use", "", 5, ""},
			{"post-tool-use", "", 10, ""},
			{"post-tool-use-failure", "", 10, ""},
			{"stop", "", 30, ""},
		},
	},
}

// ClientNamed finds a client by its name.
func ClientNamed(name string) (Client, bool) {
	for _, c := range Clients {
		if c.Name == name {
			return c, true
		}
	}
	return Client{}, false
}

// ClientNames lists the names of Clients.
func ClientNames() []string {
	names := make([]string, len(Clients))
	for i, c := range Clients {
		names[i] = c.Name
	}
	return names
}

// Scopes lists the client's scopes.
func (c Client) Scopes() []string {
	names := make([]string, len(c.scopes))
	for i, s := range c.scopes {
		names[i] = s.scope
	}
	return names
}

// trusts reports whether its files can say that it need not ask about memctl's tools.
func (c Client) trusts() bool { return c.trusted.Trust || c.trusted.ApprovalMode != "" }

// Hooks lists the client's hooks with the lines that run a program, which is a word of
// the shell.
func (c Client) Hooks(program string) []Hook {
	list := make([]Hook, len(c.runs))
	for i, h := range c.runs {
		list[i] = Hook{Event: clients.Named(c.Name).Event(h.name), Matcher: h.matcher, Command: c.shellLine(program, h.name), Timeout: h.timeout * c.timeouts, StatusMessage: h.status}
	}
	return list
}

// shellLine is the registered line of a hook. More arguments may follow its name.
func (c Client) shellLine(program, hook string) string {
	if c.Name != ClaudeCode {
		hook = "--client " + c.Name + " " + hook
	}
	return lineStart + program + " hook " + hook + lineEnd
}

// UserFolder is where the client keeps the user's files.
func (c Client) UserFolder() (string, error) {
	if folder := os.Getenv(c.user.variable); folder != "" {
		return filepath.Abs(filepath.Join(folder, c.user.folder))
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, c.user.base, c.user.folder), err
}

// IsOnMachine reports whether the client is installed, as far as its program on the PATH
// or its folder in the user's home tells.
func (c Client) IsOnMachine() bool {
	if _, err := exec.LookPath(c.program); err == nil {
		return true
	}
	folder, err := c.UserFolder()
	if err != nil {
		return false
	}
	info, err := os.Stat(folder)
	return err == nil && info.IsDir()
}

// Target returns the client's files for one of its scopes and a project. There are none
// for a scope that the client does not know.
func (c Client) Target(scope, project string) (t Target, err error) {
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
