package clients

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"memctl/jsonedit"
	"memctl/memdir"

	"github.com/tailscale/hujson"
)

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
	if err != nil || !c.sharesHooks {
		return t, false
	}
	e, err := t.Entries()
	own, _ := c.Target(ProjectScope, project)
	t.Client, t.Servers = c, own.Servers
	return t, err == nil && len(e.Hooks) > 0
}

// ProjectFolder is the project of the memories in use, or of those that the first
// memory will make. MEMCTL_ROOT does not count: its memories may lie anywhere.
func ProjectFolder(rootFlag string) (string, error) {
	places := memdir.PlacesFromEnv(rootFlag, "")
	places.Env = ""
	root, _, err := memdir.FindOrPlan(places)
	if foreign := new(memdir.ForeignError); errors.As(err, &foreign) {
		root, err = foreign.Root, nil
	}
	if err != nil {
		return "", err
	}
	if root.Shown != memdir.RootPath {
		return "", fmt.Errorf("%s is a memory root outside of a project's %s; --root takes a project here",
			root.Path, memdir.RootPath)
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

const untrusted = "the folder is not trusted"

// Unapproved says what a person still has to approve before the client runs the hooks of
// the target, as far as the client's files tell; "" if they name nothing.
func (t Target) Unapproved() string {
	folder, err := t.Client.UserFolder()
	if err != nil || t.Client.unapproved == nil {
		return ""
	}
	return t.Client.unapproved(t, folder)
}

// untrustedUnless says that the folder is not trusted, unless it is or need not be.
func (t Target) untrustedUnless(trusted bool) string {
	if trusted || t.Scope != ProjectScope {
		return ""
	}
	return untrusted
}

// readJSON decodes a file of a client, which may have comments. Project is "" for a file of the
// user's.
func readJSON(project, path string, into any) error {
	data, err := ReadFile(project, path)
	if err != nil || data == nil {
		return err
	}
	if data, err = hujson.Standardize(jsonedit.WithoutMark(data)); err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// contains reports whether a path is a folder or lies in it.
func contains(folder, path string) bool {
	rel, err := filepath.Rel(resolved(folder), resolved(path))
	return err == nil && filepath.IsLocal(rel)
}

// resolved follows the links in a path, as the clients do, if something is there.
func resolved(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}
