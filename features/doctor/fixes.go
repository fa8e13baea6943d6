package doctor

import (
	"errors"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/text"
)

// isPlugins reports whether the plugin registers the hook, whose file install does not write.
func (r registration) isPlugins() bool { return filepath.Base(r.path) == filepath.Base(pluginHooks) }

// isInstalled reports whether install would take the registration for one of its own, and rewrite it.
func (r registration) isInstalled() bool {
	return r.Name() != "" && clients.EventOf(r.name) == r.Event && !r.isPlugins()
}

// has reports whether a hook is registered, or may be: a plugin has them all.
func (r registrations) has(hook string) bool {
	return len(r.plugins) > 0 || slices.ContainsFunc(r.hooks, func(reg registration) bool { return reg.name == hook })
}

// updatePlugin is the fix of what the plugin registers.
const updatePlugin = "update the plugin"

// scopeOf is the scope of one of Claude Code's settings files, the project's for any other file.
func (e *examination) scopeOf(path string) string {
	for _, scope := range clients.Scopes {
		if t, err := clients.NewTarget(scope, e.Project); err == nil && t.Settings == path {
			return scope
		}
	}
	return clients.ProjectScope
}

// installLine is the command that writes memctl's entries into a settings file.
func (e *examination) installLine(path string) string { return e.installIn(e.scopeOf(path)) }

func (e *examination) installIn(scope string) string {
	return e.command("memctl install", scope)
}

// command adds the flags of a scope, and of the project that doctor looks at.
func (e *examination) command(line, scope string) string {
	if scope != clients.ProjectScope {
		line += " --scope " + scope
	}
	if e.flag != "" {
		line += " --root " + text.ShellWord(e.flag)
	}
	return line
}

// fullest is the file with most of the registrations that install rewrites, "" if there is none.
// What is missing goes there: in another file, the same hook may run twice.
func (r registrations) fullest() string {
	count := map[string]int{}
	for _, reg := range r.hooks {
		if reg.isInstalled() {
			count[reg.path]++
		}
	}
	if len(count) == 0 {
		return ""
	}
	return slices.MaxFunc(slices.Sorted(maps.Keys(count)), func(a, b string) int { return count[a] - count[b] })
}

// tryInstall says why install would refuse to edit the settings, or the file of the servers.
func (e *examination) tryInstall(r registrations) error {
	target, err := clients.NewTarget(r.scope, e.Project)
	o := clients.Options{Target: target, Permissions: true}
	if err == nil {
		_, err = clients.Misses(o)
	}
	if o.Server = len(r.plugins) == 0; err == nil {
		_, err = clients.Misses(o)
	}
	return err
}

// registrationFix says how a hook comes to run this program.
func (e *examination) registrationFix(reg registration) string {
	install := e.installLine(reg.path)
	switch {
	case reg.isPlugins():
		return updatePlugin
	case !reg.isInstalled():
		return "remove it from " + reg.file + "; then run " + install
	}
	return e.programFix(install, e.scopeOf(reg.path), reg.program)
}

// programFix says how an entry that install rewrites, and that runs another program, comes to run
// this one. Install may write a name, which is then for the PATH to find.
func (e *examination) programFix(install, scope, program string) string {
	if !strings.ContainsAny(program, `/\`) {
		return clients.PathAdvice(e.self)
	}
	if e.isSelf(clients.FindProgram(scope).Command) {
		return install
	}
	return clients.PathAdvice(e.self) + "; then run " + install
}

func (e *examination) isSelf(program string) bool {
	path, err := clients.LookUp(program, e.Project)
	return (err == nil || errors.Is(err, exec.ErrDot)) && clients.SameProgram(path, e.self)
}

// serverFix says how a server comes to run this program. Install knows it by its name, in the file
// of the project or of the user.
func (e *examination) serverFix(path string, s clients.Server, r registrations) string {
	install, scope := e.serverInstall(r), clients.ProjectScope
	if path != clients.ServersFile(e.Project) {
		install, scope = e.installIn(clients.UserScope), clients.UserScope
	}
	switch {
	case s.OneProject:
		return "remove " + s.Name + " from " + e.shortPath(path) + "; then run " + e.serverInstall(r)
	case s.Name != clients.ServerName:
		return "remove " + s.Name + " from " + e.shortPath(path) + "; then run " + install
	}
	return e.programFix(install, scope, s.Command)
}

// serverInstall is the command that writes and approves the server of .mcp.json.
func (e *examination) serverInstall(r registrations) string {
	local, project := false, false
	for _, reg := range r.hooks {
		scope := e.scopeOf(reg.path)
		local, project = local || scope == clients.LocalScope, project || scope == clients.ProjectScope
	}
	if local && !project {
		return e.installIn(clients.LocalScope)
	}
	return e.installIn(clients.ProjectScope)
}
