package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"memctl/files"
	"memctl/files/gate"
	"memctl/text"
	"memctl/text/jsonedit"

	"github.com/tailscale/hujson"
)

// Options say what to install, and where.
type Options struct {
	Target
	Permissions bool   // add the rules that let an agent run memctl without asking, but for PersonCommands
	Server      bool   // register the MCP server
	ToolRules   bool   // with Server: add the rules that let an agent use its tools without asking
	NotesOff    bool   // switch the client's own memory off
	DryRun      bool   // change nothing
	Step        func() // called between the steps of a write, for tests
}

// Change describes a change of Install or Uninstall to a file, also in a dry run.
type Change struct {
	Client   string   `json:"client"`
	Scope    string   `json:"scope"`
	Settings string   `json:"settings"` // the file
	Changed  bool     `json:"changed"`
	DryRun   bool     `json:"dry_run"`
	Command  string   `json:"command,omitempty"`  // the program that the hooks run
	Backup   string   `json:"backup,omitempty"`   // the copy of the file as it was
	Diff     string   `json:"diff,omitempty"`     // with the values masked that are not memctl's
	Replaced []string `json:"replaced,omitempty"` // entries of memctl's name that said more than its own
	Server   *Change  `json:"mcp,omitempty"`      // to the file of the MCP servers
	Asks     *Change  `json:"asks,omitempty"`     // to a file of rules by which the client asks
}

// ChangesAny reports whether a file was changed, or would be.
func (c Change) ChangesAny() bool {
	return c.Changed || c.Server != nil && c.Server.Changed || c.Asks != nil && c.Asks.Changed
}

// Install adds memctl to the settings of a scope, or updates an older install. If one of
// the files cannot be edited, it changes none.
func Install(ctx context.Context, o Options) (Change, error) {
	if !o.DryRun {
		trial := o
		trial.DryRun = true
		if change, err := Install(ctx, trial); err != nil {
			return change, err
		}
	}
	settings, servers := o.parts()
	var server *Change
	if servers != nil {
		change, err := o.add(ctx, *servers)
		if err != nil {
			return change, text.WithHint(err, "fix the file, or leave the server out with --no-mcp; nothing was "+
				"changed")
		}
		server = &change
	}
	var asks *Change
	if path := o.asksFile(); path != "" {
		change, err := o.add(ctx, part{path, o.Client.AsksForm, Entries{Asks: askRules()}})
		if err != nil {
			return change, err
		}
		asks = &change
	}
	change, err := o.add(ctx, settings)
	change.Command, change.Server, change.Asks = FindProgram(o.Scope).Command, server, asks
	return change, err
}

// part holds the entries that Install puts into one file.
type part struct {
	path string
	form Form
	Entries
}

// parts are that of the settings, and that of the file of the servers if it is another one.
func (o Options) parts() (settings part, servers *part) {
	settings = part{o.Settings, o.Client.HooksForm, o.settingsEntries()}
	if o.Server && o.Servers != o.Settings {
		servers = &part{o.Servers, o.Client.ServersForm, o.serverEntry()}
	}
	for _, p := range []*part{&settings, servers} {
		if p != nil && placeOf(o.Project, p.path).Owner == gate.Project {
			p.Replaced = new([]string)
		}
	}
	return settings, servers
}

func (o Options) add(ctx context.Context, p part) (Change, error) {
	c, err := o.change(ctx, p.path, p.form, func(data, _ []byte) ([]byte, error) { return p.form.Add(data, p.Entries) })
	if p.Replaced != nil {
		c.Replaced = *p.Replaced
	}
	return c, err
}

// settingsEntries are the entries of memctl in the settings. The client asks about the servers
// of a project until the settings approve them. It does not ask about the user's own; to
// approve the name for all projects would approve any program that a project calls memctl.
func (o Options) settingsEntries() Entries {
	e := Entries{Hooks: o.Client.Hooks(FindProgram(o.Scope).inShell())}
	if o.Client == Claude {
		e.Rules, e.Approved, e.NotesOff = o.rules(), o.Server && o.Scope != UserScope, o.NotesOff
	}
	if o.Client.AsksIn == InHooksFile && (o.Permissions || o.allowsAll()) {
		e.Asks = askRules()
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

// Uninstall removes memctl from the settings of a scope, and its MCP server unless the
// other scope of the project has memctl too.
func Uninstall(ctx context.Context, o Options) (Change, error) {
	change, err := o.remove(ctx, o.Settings, o.Client.HooksForm)
	if err != nil {
		return change, err
	}
	if path := o.asksFile(); path != "" {
		asks, err := o.remove(ctx, path, o.Client.AsksForm)
		if err != nil {
			return change, err
		}
		if asks.Changed {
			change.Asks = &asks
		}
	}
	if o.Servers == o.Settings || o.serverIsShared() {
		return change, nil
	}
	server, err := o.remove(ctx, o.Servers, o.Client.ServersForm)
	if server.Changed {
		change.Server = &server
	}
	return change, err
}

func (o Options) remove(ctx context.Context, path string, form Form) (Change, error) {
	return o.change(ctx, path, form, func(data, backup []byte) ([]byte, error) { return takeOut(form, data, backup) })
}

// takeOut removes memctl's part, unless the file is not what the form takes.
func takeOut(form Form, data, before []byte) ([]byte, error) {
	if _, err := form.Find(data); err != nil {
		return nil, err
	}
	return form.Remove(data, before)
}

// serverIsShared reports whether another scope or client has memctl, which uses the
// server in the same file.
func (o Options) serverIsShared() bool {
	for _, client := range All() {
		for _, other := range client.Targets(o.Project) {
			if other.Servers != o.Servers || other.Settings == o.Settings {
				continue
			}
			if e, err := other.Entries(); err != nil || !e.IsEmpty() { // on an error it may have
				return true
			}
		}
	}
	return false
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

// Misses reports whether Install would add anything but hooks.
func Misses(o Options) (bool, error) {
	settings, servers := o.parts()
	settings.Hooks, settings.Asks = nil, nil
	for _, p := range []*part{servers, &settings} {
		if p == nil || p.IsEmpty() {
			continue
		}
		data, err := ReadFile(o.Project, p.path)
		if err != nil {
			return false, err
		}
		after, err := p.form.Add(data, p.Entries)
		if err != nil {
			return false, o.formatError(p.path, p.form, err)
		}
		if !bytes.Equal(after, data) {
			return true, nil
		}
	}
	return false, nil
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

// change edits a file. fn gets the file's bytes and those of its backup, and returns
// the new bytes, nil for no file.
func (o Options) change(
	ctx context.Context, path string, form Form, fn func(data, backup []byte) ([]byte, error),
) (Change, error) {
	c := Change{Client: o.Client.Name, Scope: o.Scope, Settings: path, DryRun: o.DryRun}
	err := edit(ctx, placeOf(o.Project, path), path, o.Step, func(f file) error {
		backup := f.backup()
		after, err := fn(f.data, backup)
		if err != nil {
			return o.formatError(path, form, err)
		}
		c.Changed = !bytes.Equal(f.data, after)
		if !c.Changed {
			return nil
		}
		if c.Diff = form.Diff(path, f.data, after); o.DryRun {
			return nil
		}
		restored := backup != nil && bytes.Equal(after, backup)
		if after != nil && !restored && !form.IsOwn() {
			if c.Backup, err = f.backUp(); err != nil {
				return err
			}
		}
		if err := f.write(after); err != nil || !restored {
			return err
		}
		return f.removeBackup()
	})
	return c, err
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

// ProjectFolder is the project of the memories in use, or of those that the first
// memory will make. MEMCTL_ROOT does not count: its memories may lie anywhere.
func ProjectFolder(rootFlag string) (string, error) {
	places := files.PlacesFromEnv(rootFlag, "")
	places.Env = ""
	root, _, err := files.FindOrPlan(places)
	if foreign := new(files.ForeignError); errors.As(err, &foreign) {
		root, err = foreign.Root, nil
	}
	if err != nil {
		return "", err
	}
	if root.Shown != files.RootPath {
		return "", fmt.Errorf("%s is a memory root outside of a project's %s; --root takes a project here",
			root.Path, files.RootPath)
	}
	return root.Project, nil
}

// Duplicate is another scope's settings file that runs memctl's hooks too.
type Duplicate struct {
	Scope    string
	Settings string
	Program  string
}

// Duplicates finds the other scopes whose settings run memctl by another command. The
// client runs both; a command that two files register in the same words runs once.
func (t Target) Duplicates() (found []Duplicate) {
	own := t.Client.Hooks(FindProgram(t.Scope).inShell())
	isMerged := func(h Hook) bool {
		return t.Client.mergesHooks &&
			slices.ContainsFunc(own, func(o Hook) bool { return o.Event == h.Event && o.Command == h.Command })
	}
	for _, other := range t.Client.Targets(t.Project) {
		if other.Settings == t.Settings {
			continue
		}
		e, _ := other.Entries() // doctor reports an error
		if e.Hooks = slices.DeleteFunc(e.Hooks, isMerged); len(e.Hooks) > 0 {
			program, _, _ := e.Hooks[0].Memctl()
			found = append(found, Duplicate{other.Scope, other.Settings, program})
		}
	}
	return found
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
