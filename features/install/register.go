package install

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"

	"memctl/clients"
	"memctl/text"
)

// Options say what to install, and where.
type Options struct {
	clients.Options
	DryRun bool   // change nothing
	Step   func() // called between the steps of a write, for tests
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
	return slices.ContainsFunc(c.parts(), func(part Change) bool { return part.Changed })
}

// parts are the change itself, then those of Server and Asks if there are any.
func (c Change) parts() []Change {
	list := []Change{c}
	for _, part := range []*Change{c.Server, c.Asks} {
		if part != nil {
			list = append(list, *part)
		}
	}
	return list
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
	settings, servers := o.Parts()
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
	if path := asksFile(o.Target); path != "" {
		change, err := o.add(ctx, clients.Part{Path: path, Form: o.Client.AsksForm,
			Entries: clients.Entries{Asks: clients.AskRules()}})
		if err != nil {
			return change, err
		}
		asks = &change
	}
	change, err := o.add(ctx, settings)
	change.Command, change.Server, change.Asks = clients.FindProgram(o.Scope).Command, server, asks
	return change, err
}

func (o Options) add(ctx context.Context, p clients.Part) (Change, error) {
	c, err := o.change(ctx, p.Path, p.Form,
		func(data, _ []byte) ([]byte, error) { return p.Form.Add(data, p.Entries) })
	if p.Replaced != nil {
		c.Replaced = *p.Replaced
	}
	return c, err
}

// Uninstall removes memctl from the settings of a scope, and its MCP server unless the
// other scope of the project has memctl too.
func Uninstall(ctx context.Context, o Options) (Change, error) {
	change, err := o.remove(ctx, o.Settings, o.Client.HooksForm)
	if err != nil {
		return change, err
	}
	if path := asksFile(o.Target); path != "" {
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

func (o Options) remove(ctx context.Context, path string, form clients.Form) (Change, error) {
	return o.change(ctx, path, form, func(data, backup []byte) ([]byte, error) { return takeOut(form, data, backup) })
}

// takeOut removes memctl's part, unless the file is not what the form takes.
func takeOut(form clients.Form, data, before []byte) ([]byte, error) {
	if _, err := form.Find(data); err != nil {
		return nil, err
	}
	return form.Remove(data, before)
}

// serverIsShared reports whether another scope or client has memctl, which uses the
// server in the same file.
func (o Options) serverIsShared() bool {
	for _, client := range clients.All() {
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

// change edits a file. fn gets the file's bytes and those of its backup, and returns
// the new bytes, nil for no file.
func (o Options) change(
	ctx context.Context, path string, form clients.Form, fn func(data, backup []byte) ([]byte, error),
) (Change, error) {
	c := Change{Client: o.Client.Name, Scope: o.Scope, Settings: path, DryRun: o.DryRun}
	err := edit(ctx, clients.PlaceOf(o.Project, path), path, o.Step, func(f file) error {
		backup := f.backup()
		after, err := fn(f.data, backup)
		if err != nil {
			return o.FormatError(path, form, err)
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

// duplicate is another scope's settings file that runs memctl's hooks too.
type duplicate struct {
	Scope    string
	Settings string
	Program  string
}

// duplicates finds the other scopes whose settings run memctl by another command. The
// client runs both; a command that two files register in the same words runs once.
func duplicates(t clients.Target) (found []duplicate) {
	own := t.Client.Hooks(clients.FindProgram(t.Scope).InShell())
	isMerged := func(h clients.Hook) bool {
		return t.Client.MergesHooks &&
			slices.ContainsFunc(own, func(o clients.Hook) bool { return o.Event == h.Event && o.Command == h.Command })
	}
	for _, other := range t.Client.Targets(t.Project) {
		if other.Settings == t.Settings {
			continue
		}
		e, _ := other.Entries() // doctor reports an error
		if e.Hooks = slices.DeleteFunc(e.Hooks, isMerged); len(e.Hooks) > 0 {
			program, _, _ := e.Hooks[0].Memctl()
			found = append(found, duplicate{other.Scope, other.Settings, program})
		}
	}
	return found
}

// asksFile is the file of the rules by which the client asks, "" if it has none or has them in the file of the hooks.
func asksFile(t clients.Target) string {
	if t.Client.AsksIn == "" || t.Client.AsksIn == clients.InHooksFile {
		return ""
	}
	return filepath.Join(filepath.Dir(t.Settings), filepath.FromSlash(t.Client.AsksIn))
}
