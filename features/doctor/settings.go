package doctor

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/files/gate"
)

const (
	pluginHooks = "hooks/hooks.json" // where a plugin keeps its hooks
	maxTimeout  = 600                // seconds; a longer one is a mistake
)

// registration is a hook of memctl in one of the client's files.
type registration struct {
	clients.Hook
	path    string // of the file
	file    string // as people see it
	name    string // of the hook: "stop"
	program string // the path or name that is run; "" if a shell decides
}

type registrations struct {
	hooks       []registration
	files       []string // that exist and were read
	plugins     []string // the enabled plugins that are memctl, with the file that says so
	pluginHooks bool     // the plugin's own file is among the files
	onlyOthers  bool     // other clients have memctl, and Claude Code does not
	install     string   // the command that registers what is missing
	scope       string   // of it
}

// promptHook is the hook that gives memories to a prompt: without it the agent hardly gets any.
const promptHook = "user-prompt-submit"

// checkSettings checks whether every hook is registered with Claude Code. None has to be
// if memctl is registered elsewhere. start is the command that registers the first.
func (e *examination) checkSettings(runs hookRuns, elsewhere bool, start string) registrations {
	r := e.readSettings()
	r.scope, r.install = clients.ProjectScope, start
	if path := r.fullest(); path != "" {
		r.scope, r.install = e.scopeOf(path), e.installLine(path)
	}
	if elsewhere && len(r.hooks) == 0 && len(r.plugins) == 0 {
		r.onlyOthers = true
		if clients.Claude.IsOnMachine() {
			e.OK("settings", "Claude Code has no memctl hooks; run \"memctl install\" to register them")
		}
		return r
	}
	var missing, running []string
	for _, h := range e.hooks {
		switch {
		case e.checkHook(h, r):
		case isExtra(h.Name()):
		case runs.tallies[h.Name()].Runs > 0:
			running = append(running, h.Event)
		default:
			missing = append(missing, h.Event)
		}
	}
	e.checkLines(r)
	e.checkCopies()
	for _, reg := range r.hooks {
		if event := clients.EventOf(reg.name); event != reg.Event {
			e.Fail("settings", "remove it from "+reg.file, "%s runs memctl hook %s at %s; it is for %s", reg.file,
				reg.name, reg.Event, cmp.Or(event, "no event: there is no such hook"))
		}
	}
	if len(running) > 0 {
		e.Warn("settings", r.install+", unless --settings runs them",
			"not registered, though they ran lately, perhaps by hand: %s", strings.Join(running, ", "))
	}
	if len(missing) > 0 {
		looked := "looked in " + strings.Join(r.files, ", ")
		if len(r.files) == 0 {
			looked = "no settings of the client were found"
		}
		fix := r.install
		if err := e.tryInstall(r); err != nil {
			fix += ", after you mend " + err.Error()
		}
		e.Fail("settings", fix, "not registered: %s; %s", strings.Join(missing, ", "), looked)
		if slices.Contains(missing, clients.EventOf(promptHook)) {
			e.cutOff()
		}
	}
	return r
}

func (e *examination) checkCopies() {
	copies, older := settingsCopies(e.Project)
	for _, path := range older {
		e.Warn("copies", "move it out of the project",
			"%s is a copy of the settings by an earlier memctl: it may contain tokens, and git may commit it",
			e.shortPath(path))
	}
	if len(copies) > 0 {
		e.OK("copies", "settings as they were before memctl changed them: %s", strings.Join(copies, ", "))
	}
}

// settingsCopies lists the copies of the files that memctl has changed for a project and its user, and
// those in the project by earlier versions.
func settingsCopies(project string) (copies, older []string) {
	for _, client := range clients.All() {
		for _, t := range client.Targets(project) {
			for _, path := range []string{t.Settings, t.Servers} {
				found, _, err := clients.CopiesOf(clients.PlaceOf(project, path), path)
				for i, list := range []*[]string{&copies, &older} {
					if _, statErr := gate.Lstat(found[i]); err == nil && statErr == nil &&
						!slices.Contains(*list, found[i]) {
						*list = append(*list, found[i])
					}
				}
			}
		}
	}
	return copies, older
}

// checkLines offers to rewrite what an older memctl registered. Other clients ignore the
// arguments of a hook, and a person without memctl is told at every event.
func (e *examination) checkLines(r registrations) {
	var older []string
	for _, reg := range r.hooks {
		isOlder := reg.Name() != "" && clients.EventOf(reg.name) == reg.Event && !reg.IsCurrent()
		if isOlder && !slices.Contains(older, reg.path) {
			older = append(older, reg.path)
			fix := e.installLine(reg.path)
			if reg.isPlugins() {
				fix = updatePlugin
			}
			e.Warn("settings", fix, "%s runs the hooks as an older memctl registered them",
				reg.file)
		}
	}
}

// checkHook checks the registrations of a hook and reports whether there are any.
func (e *examination) checkHook(h clients.Hook, r registrations) bool {
	var places, commands []string
	before := len(e.Findings)
	for _, reg := range r.hooks {
		if reg.Event != h.Event || reg.name != h.Name() {
			continue
		}
		e.checkRegistration(reg)
		// The client runs the same command once, however often it is registered.
		if !slices.Contains(commands, reg.Command) {
			places, commands = append(places, reg.file), append(commands, reg.Command)
		}
	}
	silent := ""
	switch {
	case r.pluginHooks:
	case len(places) == 0 || len(r.plugins) > 1:
		places = append(places, r.plugins...)
	case len(r.plugins) == 1:
		silent = "; " + r.plugins[0] + " has it too and does nothing"
	}
	switch {
	case len(places) > 1:
		e.Warn(h.Event, "remove it from "+places[len(places)-1], "registered %d times, so it runs as often: in %s",
			len(places), strings.Join(places, " and "))
	case len(places) == 1 && len(e.Findings) == before:
		e.OK(h.Event, "registered in %s%s", places[0], silent)
	}
	return len(places) > 0
}

func (e *examination) checkRegistration(reg registration) {
	if reg.program != "" {
		e.checkHookProgram(reg.Event, e.registrationFix(reg), reg.file, reg.program)
	}
	if reg.Event == "PreToolUse" || reg.Event == "PostToolUse" {
		writers := []string{"Write", "Edit", "NotebookEdit"}
		unmatched := slices.DeleteFunc(writers, func(tool string) bool { return clients.Matches(reg.Matcher, tool) })
		if len(unmatched) > 0 {
			e.Warn(reg.Event, `write "matcher": "Write|Edit|MultiEdit|NotebookEdit"`, "%s leaves out %s", reg.file,
				strings.Join(unmatched, ", "))
		}
	}
	if reg.Timeout > maxTimeout {
		e.Warn(reg.Event, "write 10", "%s sets a timeout of %v seconds; the unit is seconds, not milliseconds",
			reg.file,
			reg.Timeout)
	}
}

func (e *examination) readSettings() registrations {
	var r registrations
	plugins := clients.Plugins{}
	files := clients.SettingsFiles(e.Project) // from the widest scope to the narrowest
	if plugin := os.Getenv("CLAUDE_PLUGIN_ROOT"); plugin != "" {
		files = append(files, filepath.Join(plugin, pluginHooks))
	}
	for _, path := range files {
		data, err := clients.ReadFile(e.Project, path)
		if err == nil && data != nil {
			err = e.readSettingsFile(path, data, &r, plugins)
		}
		if err != nil {
			e.Fail("settings", "fix the file; until then the client may run none of its hooks", "%s: %v",
				e.shortPath(path), err)
			e.cutOff()
		}
	}
	for name, file := range plugins {
		r.plugins = append(r.plugins, fmt.Sprintf("the plugin %s (%s)", name, e.shortPath(file)))
	}
	slices.Sort(r.plugins)
	return r
}

// readSettingsFile adds to r and plugins what a file says.
func (e *examination) readSettingsFile(path string, data []byte, r *registrations, plugins clients.Plugins) error {
	hooks, err := clients.Hooks(data)
	if err != nil {
		return err
	}
	if err := plugins.Read(path, data); err != nil {
		return err
	}
	var switches struct {
		DisableAllHooks any `json:"disableAllHooks"`
	}
	if err := json.Unmarshal(data, &switches); err != nil {
		return fmt.Errorf("decode settings: %w", err)
	}
	file := e.shortPath(path)
	r.files = append(r.files, file)
	if switches.DisableAllHooks == true {
		e.Warn("settings", "remove disableAllHooks from "+file, "%s switches every hook off", file)
	}
	for _, h := range hooks {
		if program, name, ok := h.Memctl(); ok {
			r.hooks = append(r.hooks, registration{h, path, file, name, program})
			r.pluginHooks = r.pluginHooks || r.hooks[len(r.hooks)-1].isPlugins()
		}
	}
	return nil
}

// checkServers checks where the client has the MCP server. A plugin brings its own,
// and a project needs none.
func (e *examination) checkServers(r registrations) {
	const name = "MCP server"
	places, before := slices.Clone(r.plugins), len(e.Findings)
	files := []string{clients.ServersFile(e.Project)} // where the client looks for servers
	if path, err := clients.StateFile(); err == nil {
		files = append(files, path)
	}
	for _, path := range files {
		file := e.shortPath(path)
		data, err := clients.ReadFile(e.Project, path)
		var servers []clients.Server
		if err == nil && data != nil {
			servers, err = clients.Servers(data, e.Project)
		}
		if err != nil {
			e.Warn(name, "fix the file; until then the client may start none of its servers", "%s: %v", file, err)
		}
		if len(servers) > 0 {
			places = append(places, file)
		}
		for _, s := range servers {
			e.checkRegistered(name, e.serverFix(path, s, r), file, s.Command)
			if !r.onlyOthers && len(r.plugins) == 0 { // where the plugin is, the other server has to go
				e.checkApproval(path, s.Name, r)
			}
		}
	}
	switch {
	case len(r.plugins) > 0 && len(places) > 1:
		e.Warn(name, "remove it from "+places[len(places)-1], "the agent has each tool %d times: registered in %s",
			len(places), strings.Join(places, " and "))
	case len(e.Findings) > before, len(places) == 0 && r.onlyOthers:
	case len(places) == 0:
		e.OK(name,
			`not registered; run "memctl install" to give agents the memories as tools, and a way to save `+
				`without asking you`)
	default:
		e.OK(name, "registered in %s", strings.Join(places, ", "))
	}
}

func (e *examination) checkApproval(path, server string, r registrations) {
	const name = "MCP server"
	if path != clients.ServersFile(e.Project) {
		return // the client does not ask about the user's own
	}
	approvedIn, declinedIn := clients.Approval(e.Project, server)
	switch {
	case declinedIn != "":
		e.Warn(name, "remove "+server+" from disabledMcpjsonServers",
			"%s tells Claude Code not to start the server of .mcp.json", e.shortPath(declinedIn))
	case approvedIn == "":
		fix := e.serverInstall(r)
		if server != clients.ServerName {
			fix = "approve " + server + " when Claude Code asks, or add it to enabledMcpjsonServers in " +
				".claude/settings.local.json"
		}
		e.Warn(name, fix, "Claude Code asks before it starts the server of .mcp.json, and its "+
			"default is not to")
	}
}

// checkProgram checks this program and the one that the PATH finds by its name.
func (e *examination) checkProgram(version string) {
	e.OK("binary", "memctl %s at %s", version, e.shortPath(e.self))
	path, err := exec.LookPath("memctl")
	switch {
	case err != nil && !errors.Is(err, exec.ErrDot):
		e.Warn("PATH", clients.PathAdvice(e.self), "no memctl is on the PATH; agents call it by that name")
	case !clients.SameProgram(path, e.self):
		e.Warn("PATH", "remove the one that is out of date, or put "+filepath.Dir(e.self)+" first in the PATH",
			"memctl on the PATH is another program: %s", e.shortPath(path))
	default:
		e.OK("PATH", "memctl is this program")
	}
}

// checkHookProgram checks the program of registered hooks. Without it no memory reaches the agent.
func (e *examination) checkHookProgram(check, fix, file, program string) {
	failed := e.Count(Failed)
	e.checkRegistered(check, fix, file, program)
	if e.Count(Failed) > failed {
		e.cutOff()
	}
}

// checkRegistered checks whether the program that a file of the client names is this
// one.
func (e *examination) checkRegistered(check, fix, file, program string) {
	path, err := clients.LookUp(program, e.Project)
	switch {
	case err != nil && !errors.Is(err, exec.ErrDot):
		e.Fail(check, fix, "%s runs a program that cannot be started: %v", file, err)
	case !clients.SameProgram(path, e.self):
		e.Warn(check, fix+", or run memctl doctor of that program", "%s runs another memctl: %s", file,
			e.shortPath(path))
	}
}
