package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"memctl/memdir"
	"memctl/settings"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// The scopes of the client's settings.
const (
	scopeProject = "project"
	scopeLocal   = "local"
	scopeUser    = "user"
)

var scopes = []string{scopeProject, scopeLocal, scopeUser}

func scopeFlag() cli.Flag {
	return &cli.StringFlag{Name: "scope", Value: scopeProject, Usage: "whose settings: `SCOPE` project, local or user"}
}

// place is where an install goes.
type place struct {
	scope   string
	project string
	path    string // of the settings file
	root    string // what --root said
	noRoot  bool   // the project has no memories yet
	server  bool   // the MCP server is installed too
}

func placeArg(c *cli.Context) (place, error) {
	if err := noArguments(c, "; use --scope SCOPE"); err != nil {
		return place{}, err
	}
	p := place{scope: c.String("scope"), root: rootArg(c)}
	project, err := projectFolder(p.root)
	if err != nil {
		return place{}, err
	}
	p.project = project
	if p.path, err = p.settings(p.scope); err != nil {
		return place{}, err
	}
	_, err = findRoot(c)
	p.noRoot = errors.Is(err, memdir.ErrNoRoot)
	return p, nil
}

// projectFolder is the project that has the memories in use, or would have them.
// MEMCTL_ROOT says nothing about it: those memories may lie anywhere.
func projectFolder(rootArg string) (string, error) {
	places := memdir.PlacesFromEnv(rootArg, "")
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

// settings is the file of a scope.
func (p place) settings(scope string) (string, error) {
	switch scope {
	case scopeProject:
		return filepath.Join(p.project, ".claude", "settings.json"), nil
	case scopeLocal:
		return filepath.Join(p.project, ".claude", "settings.local.json"), nil
	case scopeUser:
		dir, err := clientFolder()
		return filepath.Join(dir, "settings.json"), err
	}
	return "", usagef("--scope: expected one of %s, got %q", strings.Join(scopes, ", "), scope)
}

// clientFolder is where the client keeps what belongs to the user.
func clientFolder() (string, error) {
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Abs(dir)
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".claude"), err
}

// line is a command line about this place.
func (p place) line(command string) string {
	if p.scope != scopeProject {
		command += " --scope " + p.scope
	}
	if p.root != "" {
		command += " --root " + text.ShellWord(p.root)
	}
	return command
}

// warnOfOthers names the other scopes whose settings run memctl by another
// command: the client runs both, while it runs one that is registered twice in
// the same words only once.
func (p place) warnOfOthers(std streams, wanted []settings.Hook) {
	for _, scope := range scopes {
		path, err := p.settings(scope)
		if scope == p.scope || err != nil || path == p.path {
			continue
		}
		if command := otherCommand(path, wanted); command != "" {
			other := place{scope: scope, root: p.root}
			fmt.Fprintf(std.Err, "memctl: warning: %s runs %s at the same events, so each hook runs twice\n", path, command)
			fmt.Fprintf(std.Err, "memctl: hint: run %q\n", other.line("memctl uninstall"))
		}
	}
}

// otherCommand is a command by which a settings file runs a hook of ours, where
// it is not the one that is wanted.
func otherCommand(path string, wanted []settings.Hook) string {
	file, err := readSettings(path)
	if err != nil {
		return ""
	}
	found, err := settings.Hooks(file.data)
	if err != nil {
		return ""
	}
	for _, h := range found {
		for _, w := range wanted {
			if h.Event == w.Event && h.Name() == w.Name() && h.Command != w.Command {
				return h.Command
			}
		}
	}
	return ""
}
