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
	Scope    string
	Project  string // the project's folder
	Settings string // the settings file of the scope
}

// NewTarget returns the target of a scope, which is one of Scopes, and a project.
func NewTarget(scope, project string) (Target, error) {
	t := Target{Scope: scope, Project: project}
	switch scope {
	case ProjectScope:
		t.Settings = filepath.Join(project, ".claude", "settings.json")
	case LocalScope:
		t.Settings = filepath.Join(project, ".claude", "settings.local.json")
	case UserScope:
		dir, err := ClientFolder()
		if err != nil {
			return t, err
		}
		t.Settings = filepath.Join(dir, "settings.json")
	}
	return t, nil
}

// ServersFile is the file in which a project keeps its MCP servers.
func ServersFile(project string) string { return filepath.Join(project, ".mcp.json") }

// ClientFolder is where the client keeps the user's files.
func ClientFolder() (string, error) {
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Abs(dir)
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".claude"), err
}

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
	Command  string
}

// Duplicates finds the other scopes whose settings run memctl by another command. The
// client runs both; a command that two files register in the same words runs once.
func (t Target) Duplicates() []Duplicate {
	var found []Duplicate
	command := FindProgram(t.Scope).Command
	for _, scope := range Scopes {
		other, err := NewTarget(scope, t.Project)
		if err != nil || other.Settings == t.Settings {
			continue
		}
		data, err := ReadFile(other.Settings)
		if err != nil {
			continue // doctor reports it
		}
		hooks, _ := Hooks(data)
		isOther := func(h Hook) bool { return h.Name() != "" && h.Command != command }
		if at := slices.IndexFunc(hooks, isOther); at >= 0 {
			found = append(found, Duplicate{scope, other.Settings, hooks[at].Command})
		}
	}
	return found
}
