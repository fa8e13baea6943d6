package install

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"memctl/memdir"
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
	Client   Client
	Scope    string
	Project  string // the project's folder
	Settings string // the file of the scope's hooks
	Servers  string // the file in which the client keeps the scope's MCP servers
}

// NewTarget returns the target of Claude Code for a scope, which is one of Scopes, and a
// project.
func NewTarget(scope, project string) (Target, error) { return claudeCode().Target(scope, project) }

// Shared is the file of Claude Code whose hooks the client runs too, if memctl is in it.
func (c Client) Shared(project string) (Target, bool) {
	t, err := NewTarget(ProjectScope, project)
	if err != nil || !c.sharesHooks {
		return t, false
	}
	e, err := t.Entries()
	own, _ := c.Target(ProjectScope, project)
	t.Client, t.Servers = c, own.Servers
	return t, err == nil && len(e.Hooks) > 0
}

// SettingsFiles are where the client looks for settings, from the widest scope to the
// narrowest.
func SettingsFiles(project string) []string {
	var files []string
	for _, scope := range []string{UserScope, ProjectScope, LocalScope} {
		if t, err := NewTarget(scope, project); err == nil {
			files = append(files, t.Settings)
		}
	}
	return slices.Compact(files) // the project may be the home folder
}

// StateFile is the file in which the client keeps the user's MCP servers, among much
// else.
func StateFile() (string, error) {
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Abs(filepath.Join(dir, ".claude.json"))
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".claude.json"), err
}

// ServersFile is the file in which a project keeps its MCP servers.
func ServersFile(project string) string { return filepath.Join(project, ".mcp.json") }

// ProjectFolder is the project of the memories in use, or of those that the first
// memory will make. MEMCTL_ROOT does not count: its memories may lie anywhere.
func ProjectFolder(rootFlag string) (string, error) {
	places := memdir.PlacesFromEnv(rootFlag, "")
	places.Env = ""
	root, _, err := memdir.FindOrPlan(places)
	if err != nil {
		return "", err
	}
	if root.Shown != memdir.RootPath {
		return "", fmt.Errorf("%s is a memory root outside of a project's %s; --root takes a project here", root.Path, memdir.RootPath)
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
func (t Target) Duplicates() []Duplicate {
	var found []Duplicate
	same := t.Client.Hooks(FindProgram(t.Scope).inShell())
	for _, scope := range t.Client.Scopes() {
		other, err := t.Client.Target(scope, t.Project)
		if err != nil || other.Settings == t.Settings {
			continue
		}
		data, err := ReadFile(other.Settings)
		if err != nil {
			continue // doctor reports it
		}
		e, _ := other.Client.hooks.find(data)
		for _, h := range e.Hooks {
			if t.Client.mergesHooks && slices.ContainsFunc(same, func(own Hook) bool { return own.Event == h.Event && own.Command == h.Command }) {
				continue
			}
			named, _, _ := h.Memctl()
			found = append(found, Duplicate{scope, other.Settings, named})
			break
		}
	}
	return found
}
