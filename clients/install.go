package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"

	"memctl/files/gate"
	"memctl/text"
	"memctl/text/jsonedit"

	"github.com/tailscale/hujson"
)

// Options say what an installation registers, and where.
type Options struct {
	Target
	Permissions bool // the rules that let an agent run memctl without asking, but for PersonCommands
	Server      bool // the MCP server
	ToolRules   bool // with Server: the rules that let an agent use its tools without asking
	NotesOff    bool // the client's own memory is switched off
}

// Part has the entries of an installation in one file.
type Part struct {
	Path string
	Form Form
	Entries
}

// Parts are that of the settings, and that of the file of the servers if it is another one.
func (o Options) Parts() (settings Part, servers *Part) {
	settings = Part{o.Settings, o.Client.HooksForm, o.settingsEntries()}
	if o.Server && o.Servers != o.Settings {
		servers = &Part{o.Servers, o.Client.ServersForm, o.serverEntry()}
	}
	for _, p := range []*Part{&settings, servers} {
		if p != nil && PlaceOf(o.Project, p.Path).Owner == gate.Project {
			p.Replaced = new([]string)
		}
	}
	return settings, servers
}

// settingsEntries are the entries of memctl in the settings. The client asks about the servers
// of a project until the settings approve them. It does not ask about the user's own; to
// approve the name for all projects would approve any program that a project calls memctl.
func (o Options) settingsEntries() Entries {
	e := Entries{Hooks: o.Client.Hooks(FindProgram(o.Scope).InShell())}
	if o.Client == Claude {
		e.Rules, e.Approved, e.NotesOff = o.rules(), o.Server && o.Scope != UserScope, o.NotesOff
	}
	if o.Client.AsksIn == InHooksFile && (o.Permissions || o.allowsAll()) {
		e.Asks = AskRules()
	}
	if o.Server && o.Servers == o.Settings {
		e.Server = o.serverEntry().Server
	}
	return e
}

// serverEntry is the server in the file of the servers. Other people read that of a
// project, so it names the program alone there.
func (o Options) serverEntry() Entries {
	s := o.Client.Server
	switch {
	case o.Servers == ServersFile(o.Project): // which several clients read
		s = Server{}
	case o.Permissions && (o.Client.Trusted.Trust || o.Client.Trusted.ApprovalMode != ""):
		s = o.Client.Trusted
	}
	s.Name, s.Command, s.Args = ServerName, "memctl", []string{"mcp"}
	if o.Scope == UserScope {
		s.Command = FindProgram(o.Scope).Command
	}
	return Entries{Server: &s}
}

// Entries lists what memctl has in the file of the hooks.
func (t Target) Entries() (Entries, error) {
	data, err := ReadFile(t.Project, t.Settings)
	if err != nil {
		return Entries{}, err
	}
	return t.Client.HooksForm.Find(data)
}

// RegisteredServer is memctl's server in the file of the servers, nil if there is none.
func (t Target) RegisteredServer() (*Server, error) {
	data, err := ReadFile(t.Project, t.Servers)
	if err != nil {
		return nil, err
	}
	e, err := t.Client.ServersForm.Find(data)
	return e.Server, err
}

// Misses reports whether an installation would add anything but hooks.
func Misses(o Options) (bool, error) {
	settings, servers := o.Parts()
	settings.Hooks, settings.Asks = nil, nil
	for _, p := range []*Part{servers, &settings} {
		if p == nil || p.IsEmpty() {
			continue
		}
		data, err := ReadFile(o.Project, p.Path)
		if err != nil {
			return false, err
		}
		after, err := p.Form.Add(data, p.Entries)
		if err != nil {
			return false, o.FormatError(p.Path, p.Form, err)
		}
		if !bytes.Equal(after, data) {
			return true, nil
		}
	}
	return false, nil
}

// FormatError is about the content of a file; err has the line and the column.
func (o Options) FormatError(path string, form Form, err error) error {
	return text.WithHint(fmt.Errorf("%s: %w", path, err),
		fmt.Sprintf("fix it and try again; %s takes %s, and nothing was changed", o.Client.Title, form.Rules()))
}

// rules are the permission rules to add. The tools of the plugin have other names.
func (o Options) rules() []string {
	var rules []string
	if o.Permissions {
		rules = append(rules, agentRules()...)
		if len(EnabledPlugins(o.Project)) > 0 {
			rules = append(rules, toolRules(pluginServer)...)
		}
	}
	if o.Server && o.ToolRules {
		rules = append(rules, toolRules(ServerName)...)
	}
	return rules
}

// The scopes of the client's settings.
const (
	ProjectScope = "project" // everyone who works on the project
	LocalScope   = "local"   // one user, in the project
	UserScope    = "user"    // one user, in every project
)

// Scopes lists them.
var Scopes = []string{ProjectScope, LocalScope, UserScope}

// Target is the place that memctl is installed in.
type Target struct {
	Client   *Client
	Scope    string
	Project  string // the project's folder
	Settings string // the file of the scope's hooks
	Servers  string // the file in which the client keeps the scope's MCP servers
}

// NewTarget returns the target of Claude Code for a scope, which is one of Scopes, and a
// project.
func NewTarget(scope, project string) (Target, error) { return Claude.Target(scope, project) }

// Shared is the file of Claude Code whose hooks the client runs too, if memctl is in it.
func (c *Client) Shared(project string) (Target, bool) {
	t, err := NewTarget(ProjectScope, project)
	if err != nil || !c.SharesHooks {
		return t, false
	}
	e, err := t.Entries()
	own, _ := c.Target(ProjectScope, project)
	t.Client, t.Servers = c, own.Servers
	return t, err == nil && len(e.Hooks) > 0
}

// Extension returns the file by which an extension of the client registers memctl's hooks, if one is installed.
func (c *Client) Extension(project string) (t Target, e Entries, found bool) {
	folder, err := c.UserFolder()
	if err != nil || c.ExtensionHooks == "" {
		return t, e, false
	}
	dir, err := gate.Enter(folder)
	if err != nil {
		return t, e, false
	}
	defer dir.Close()
	paths, _ := fs.Glob(dir.FS(), c.ExtensionHooks) // the pattern is valid
	for _, path := range paths {
		t = Target{Client: c, Scope: UserScope, Project: project, Settings: filepath.Join(folder, path)}
		if e, err = t.Entries(); err == nil && len(e.Hooks) > 0 {
			return t, e, true
		}
	}
	return t, e, false
}

// Clients ask a person before they run what a project brings. memctl never answers for
// the person. It reads what the clients keep of the answers.

const Untrusted = "the folder is not trusted"

// Unapproved says what a person still has to approve before the client runs the hooks of
// the target, as far as the client's files tell; "" if they name nothing.
func (t Target) Unapproved() string {
	folder, err := t.Client.UserFolder()
	if err != nil || t.Client.Unapproved == nil {
		return ""
	}
	return t.Client.Unapproved(t, folder)
}

// UntrustedUnless says that the folder is not trusted, unless it is or need not be.
func (t Target) UntrustedUnless(trusted bool) string {
	if trusted || t.Scope != ProjectScope {
		return ""
	}
	return Untrusted
}

// ReadJSON decodes a file of a client, which may have comments. Project is "" for a file of the
// user's.
func ReadJSON(project, path string, into any) error {
	data, err := ReadFile(project, path)
	if err != nil || data == nil {
		return err
	}
	if data, err = hujson.Standardize(jsonedit.WithoutMark(data)); err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

func Contains(folder, path string) bool {
	rel, err := filepath.Rel(Resolved(folder), Resolved(path))
	return err == nil && filepath.IsLocal(rel)
}

// Resolved follows the links in a path, as the clients do, if something is there.
func Resolved(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}
