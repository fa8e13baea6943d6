// Package install owns memctl's entries in the files of the client: the hooks and the
// permission rules in settings.json, and the MCP server in a project's .mcp.json. It
// adds and removes them and leaves every other byte of a file as it is. It does not
// ask questions or print.
package install

import (
	"bytes"
	"context"
	"os"
)

// Options say what to install, and where.
type Options struct {
	Target
	Permissions bool   // add the rules that let an agent run memctl without asking
	Server      bool   // register the MCP server in the project's .mcp.json
	DryRun      bool   // change nothing
	Step        func() // called between the steps of a write, for tests
}

// Change is what Install or Uninstall did to a file, or would do.
type Change struct {
	Scope    string `json:"scope"`
	Settings string `json:"settings"` // the file
	Changed  bool   `json:"changed"`
	DryRun   bool   `json:"dry_run"`
	Command  string `json:"command,omitempty"` // what the hooks run
	Backup   string `json:"backup,omitempty"`  // the copy of the file as it was
	Diff     string `json:"diff,omitempty"`    // with the values masked that are not memctl's
	// OldBackups are the copies that version 0.1.0 left; only Uninstall lists them.
	OldBackups []string `json:"old_backups,omitempty"`
	Server     *Change  `json:"mcp,omitempty"` // to the project's .mcp.json
}

// Install adds memctl to the settings of a scope, or updates an older install.
func Install(ctx context.Context, o Options) (Change, error) {
	command := FindProgram(o.Scope).Command
	registered, err := RegisteredHooks(command)
	if err != nil {
		return Change{}, err
	}
	change, err := o.change(ctx, o.Settings, func(data, _ []byte) ([]byte, error) {
		return Add(data, Entries{Hooks: registered, Rules: o.rules()})
	})
	change.Command = command
	if err != nil || !o.Server {
		return change, err
	}
	// Other people read the file too, so the command is the name alone.
	server := &Server{Name: ServerName, Command: "memctl", Args: []string{"mcp"}}
	serverChange, err := o.change(ctx, ServersFile(o.Project), func(data, _ []byte) ([]byte, error) {
		return Add(data, Entries{Server: server})
	})
	change.Server = &serverChange
	return change, err
}

// Uninstall removes memctl from the settings of a scope. In the project's scope it
// also removes the MCP server.
func Uninstall(ctx context.Context, o Options) (Change, error) {
	change, err := o.change(ctx, o.Settings, Remove)
	if err != nil {
		return change, err
	}
	change.OldBackups = OldBackups(o.Settings)
	if o.Scope != ProjectScope {
		return change, nil
	}
	server, err := o.change(ctx, ServersFile(o.Project), Remove)
	if server.Changed {
		change.Server = &server
	}
	change.OldBackups = append(change.OldBackups, OldBackups(ServersFile(o.Project))...)
	return change, err
}

// MissesRules reports whether Install with Permissions would add rules.
func MissesRules(o Options) (bool, error) {
	data, err := ReadFile(o.Settings)
	if err != nil {
		return false, err
	}
	o.Permissions = true
	after, err := Add(data, Entries{Rules: o.rules()})
	if err != nil {
		return false, formatError(o.Settings, err)
	}
	return !bytes.Equal(after, data), nil
}

func (o Options) rules() []string {
	switch {
	case !o.Permissions:
		return nil
	case o.Server:
		return append(agentRules(), serverRules()...)
	}
	return agentRules()
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
