// Package install owns memctl's entries in the files of the client: the hooks and the
// permission rules in settings.json, and the MCP server in a project's .mcp.json or the
// user's .claude.json. It adds and removes them and leaves every other byte of a file
// as it is. It does not ask questions or print.
package install

import (
	"bytes"
	"context"
	"os"

	"memctl/text"
)

// Options say what to install, and where.
type Options struct {
	Target
	Permissions bool   // add the rules that let an agent run memctl without asking
	Server      bool   // register the MCP server
	ToolRules   bool   // with Server: add the rules that let an agent use its tools without asking
	DryRun      bool   // change nothing
	Step        func() // called between the steps of a write, for tests
}

// Change is what Install or Uninstall did to a file, or would do.
type Change struct {
	Scope    string `json:"scope"`
	Settings string `json:"settings"` // the file
	Changed  bool   `json:"changed"`
	DryRun   bool   `json:"dry_run"`
	Command  string `json:"command,omitempty"` // the program that the hooks run
	Backup   string `json:"backup,omitempty"`  // the copy of the file as it was
	Diff     string `json:"diff,omitempty"`    // with the values masked that are not memctl's
	// OldBackups are the copies that version 0.1.0 left; only Uninstall lists them.
	OldBackups []string `json:"old_backups,omitempty"`
	Server     *Change  `json:"mcp,omitempty"` // to the file of the MCP servers
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
	var server *Change
	if o.Server {
		change, err := o.add(ctx, o.Servers, o.serverEntry())
		if err != nil {
			return change, &Error{err, "fix the file, or leave the server out with --no-mcp; nothing was changed"}
		}
		server = &change
	}
	change, err := o.add(ctx, o.Settings, o.settingsEntries())
	change.Command, change.Server = FindProgram(o.Scope).Command, server
	return change, err
}

func (o Options) add(ctx context.Context, path string, e Entries) (Change, error) {
	return o.change(ctx, path, func(data, _ []byte) ([]byte, error) { return Add(data, e) })
}

// settingsEntries are what memctl has in the settings. The client asks about the servers
// of a project until the settings approve them. It does not ask about the user's own; to
// approve the name for all projects would approve any program that a project calls memctl.
func (o Options) settingsEntries() Entries {
	return Entries{
		Hooks:    RegisteredHooks(text.ShellQuoted(FindProgram(o.Scope).Command)),
		Rules:    o.rules(),
		Approved: o.Server && o.Scope != UserScope,
	}
}

// serverEntry is the server in the file of the servers. Other people read that of a
// project, so it names the program alone there.
func (o Options) serverEntry() Entries {
	program := "memctl"
	if o.Scope == UserScope {
		program = FindProgram(o.Scope).Command
	}
	return Entries{Server: &Server{Name: ServerName, Command: program, Args: []string{"mcp"}}}
}

// Uninstall removes memctl from the settings of a scope, and its MCP server unless the
// other scope of the project has memctl too.
func Uninstall(ctx context.Context, o Options) (Change, error) {
	change, err := o.change(ctx, o.Settings, Remove)
	if err != nil {
		return change, err
	}
	change.OldBackups = append(OldBackups(o.Settings), OldBackups(o.Servers)...)
	if o.serverIsShared() {
		return change, nil
	}
	server, err := o.change(ctx, o.Servers, Remove)
	if server.Changed {
		change.Server = &server
	}
	return change, err
}

// serverIsShared reports whether the project's other scope has memctl, which uses the
// server in the same .mcp.json.
func (o Options) serverIsShared() bool {
	for _, scope := range Scopes {
		other, err := NewTarget(scope, o.Project)
		if err != nil || other.Servers != o.Servers || other.Settings == o.Settings {
			continue
		}
		data, err := ReadFile(other.Settings)
		if err != nil {
			return true // it may have
		}
		if e, err := Find(data); err != nil || !e.IsEmpty() {
			return true
		}
	}
	return false
}

// MissesRules reports whether Install with Permissions would add rules.
func MissesRules(o Options) (bool, error) {
	o.Permissions, o.ToolRules = true, false
	return misses(o.Settings, Entries{Rules: o.rules()})
}

// MissesServer reports whether Install with Server would add the server, its approval or
// the rules for its tools.
func MissesServer(o Options) (bool, error) {
	o.Server, o.Permissions = true, false
	missing, err := misses(o.Servers, o.serverEntry())
	if missing || err != nil {
		return missing, err
	}
	e := o.settingsEntries()
	e.Hooks = nil
	return misses(o.Settings, e)
}

// misses reports whether a file lacks any of the entries.
func misses(path string, e Entries) (bool, error) {
	data, err := ReadFile(path)
	if err != nil {
		return false, err
	}
	after, err := Add(data, e)
	if err != nil {
		return false, formatError(path, err)
	}
	return !bytes.Equal(after, data), nil
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
func (o Options) change(ctx context.Context, path string, fn func(data, backup []byte) ([]byte, error)) (Change, error) {
	c := Change{Scope: o.Scope, Settings: path, DryRun: o.DryRun}
	err := edit(ctx, path, o.Step, func(f file) error {
		backup := f.backup()
		after, err := fn(f.data, backup)
		if err != nil {
			return formatError(path, err)
		}
		c.Changed = !bytes.Equal(f.data, after)
		if !c.Changed {
			return nil
		}
		if c.Diff, err = diffOf(path, f.data, after); err != nil || o.DryRun {
			return err
		}
		restored := backup != nil && bytes.Equal(after, backup)
		if after != nil && !restored {
			if c.Backup, err = f.backUp(); err != nil {
				return err
			}
		}
		if err := f.write(after); err != nil || !restored {
			return err
		}
		return os.Remove(f.backupPath())
	})
	return c, err
}
