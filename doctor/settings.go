package doctor

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/hooks"
	"memctl/install"
)

const (
	pluginName  = "memctl"           // of memctl as a plugin of the client
	pluginHooks = "hooks/hooks.json" // where a plugin keeps its hooks
	maxTimeout  = 600                // seconds; a longer one is a mistake
)

// registration is a hook of memctl in one of the client's files.
type registration struct {
	install.Hook
	file    string // as people see it
	name    string // of the hook: "stop"
	program string // the path or name that is run; "" if a shell decides
}

// registrations are what the client's settings say of memctl.
type registrations struct {
	hooks       []registration
	files       []string // that exist and were read
	plugins     []string // the enabled plugins that are memctl, with the file that says so
	pluginHooks bool     // the plugin's own file is among the files
}

// checkSettings checks whether every hook is registered.
func (e *examination) checkSettings(runs hookRuns) registrations {
	r := e.readSettings()
	var missing, running []string
	for _, h := range e.hooks {
		switch {
		case e.checkHook(h, r):
		case h.Name() == hooks.AfterFailure: // only observations need it
		case runs.tallies[h.Name()].Runs > 0:
			running = append(running, h.Event)
		default:
			missing = append(missing, h.Event)
		}
	}
	for _, reg := range r.hooks {
		if event := e.eventOf(reg.name); event != reg.Event {
			e.fail("settings", "take it out of "+reg.file, "%s runs memctl hook %s at %s; it is for %s", reg.file, reg.name, reg.Event, cmp.Or(event, "no event: there is no such hook"))
		}
	}
	if len(running) > 0 {
		e.warn("settings", "memctl install, unless a plugin or --settings runs them", "not registered, though they ran lately, perhaps by hand: %s", strings.Join(running, ", "))
	}
	if len(missing) > 0 {
		e.fail("settings", "memctl install", "not registered: %s; %s", strings.Join(missing, ", "), lookedIn(r.files))
	}
	return r
}

func lookedIn(files []string) string {
	if len(files) == 0 {
		return "no settings of the client were found"
	}
	return "looked in " + strings.Join(files, ", ")
}

// eventOf is the event of a hook, "" if there is no such hook.
func (e *examination) eventOf(name string) string {
	for _, h := range e.hooks {
		if h.Name() == name {
			return h.Event
		}
	}
	return ""
}

// checkHook checks the registrations of a hook and reports whether there are any.
func (e *examination) checkHook(h install.Hook, r registrations) bool {
	var places, commands []string
	before := len(e.Findings)
	for _, reg := range r.hooks {
		if reg.Event != h.Event || reg.name != h.Name() {
			continue
		}
		e.checkRegistration(reg)
		// The client runs the same command once, however often it is registered.
		if command := reg.Command + " " + strings.Join(reg.Args, " "); !slices.Contains(commands, command) {
			places, commands = append(places, reg.file), append(commands, command)
		}
	}
	if !r.pluginHooks {
		places = append(places, r.plugins...)
	}
	switch {
	case len(places) > 1:
		e.warn(h.Event, "take it out of "+places[len(places)-1], "registered %d times, so it runs as often: in %s", len(places), strings.Join(places, " and "))
	case len(places) == 1 && len(e.Findings) == before:
		e.ok(h.Event, "registered in %s", places[0])
	}
	return len(places) > 0
}

func (e *examination) checkRegistration(reg registration) {
	if reg.program != "" {
		e.checkRegistered(reg.Event, "memctl install", reg.file, reg.program)
	}
	if reg.Event == "PreToolUse" || reg.Event == "PostToolUse" {
		writers := []string{"Write", "Edit", "NotebookEdit"}
		missed := slices.DeleteFunc(writers, func(tool string) bool { return install.Matches(reg.Matcher, tool) })
		if len(missed) > 0 {
			e.warn(reg.Event, `write "matcher": "Write|Edit|MultiEdit|NotebookEdit"`, "%s leaves out %s", reg.file, strings.Join(missed, ", "))
		}
	}
	if reg.Timeout > maxTimeout {
		e.warn(reg.Event, "write 10", "%s gives it %v seconds; a timeout is not in milliseconds", reg.file, reg.Timeout)
	}
}

// settingsFiles are where the client looks for hooks, from the widest scope to the
// narrowest.
func (e *examination) settingsFiles() []string {
	var files []string
	if dir, err := install.ClientFolder(); err == nil {
		files = append(files, filepath.Join(dir, "settings.json"))
	}
	for _, name := range []string{"settings.json", "settings.local.json"} {
		files = append(files, filepath.Join(e.Project, ".claude", name))
	}
	if plugin := os.Getenv("CLAUDE_PLUGIN_ROOT"); plugin != "" {
		files = append(files, filepath.Join(plugin, pluginHooks))
	}
	return slices.Compact(files) // the project may be the home folder
}

func (e *examination) readSettings() registrations {
	var r registrations
	plugins := map[string]string{} // the file that enables each plugin
	for _, path := range e.settingsFiles() {
		data, err := install.ReadFile(path)
		if err == nil && data != nil {
			err = e.readSettingsFile(path, data, &r, plugins)
		}
		if err != nil {
			e.fail("settings", "fix the file; until then the client may run none of its hooks", "%s: %v", e.shortPath(path), err)
		}
	}
	for name, file := range plugins {
		r.plugins = append(r.plugins, fmt.Sprintf("the plugin %s (%s)", name, file))
	}
	slices.Sort(r.plugins)
	return r
}

// readSettingsFile adds to r and plugins what a file says.
func (e *examination) readSettingsFile(path string, data []byte, r *registrations, plugins map[string]string) error {
	found, err := install.Hooks(data)
	if err != nil {
		return err
	}
	var switches struct {
		DisableAllHooks any            `json:"disableAllHooks"`
		EnabledPlugins  map[string]any `json:"enabledPlugins"` // by NAME@MARKETPLACE
	}
	if err := json.Unmarshal(data, &switches); err != nil {
		return fmt.Errorf("decode settings: %w", err)
	}
	file := e.shortPath(path)
	r.files = append(r.files, file)
	if switches.DisableAllHooks == true {
		e.warn("settings", "take disableAllHooks out of "+file, "%s switches every hook off", file)
	}
	for name, enabled := range switches.EnabledPlugins {
		if !strings.HasPrefix(name, pluginName+"@") {
			continue
		}
		delete(plugins, name) // the narrower scope decides
		if enabled == true {
			plugins[name] = file
		}
	}
	for _, h := range found {
		if program, name, ok := h.Memctl(); ok {
			r.hooks = append(r.hooks, registration{h, file, name, os.Expand(program, e.variable)})
			r.pluginHooks = r.pluginHooks || filepath.Base(path) == filepath.Base(pluginHooks)
		}
	}
	return nil
}

// variable is an environment variable as the client sets it for hooks.
func (e *examination) variable(name string) string {
	if name == "CLAUDE_PROJECT_DIR" {
		return e.Project
	}
	return os.Getenv(name)
}
