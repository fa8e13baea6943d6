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
)

// registration is a hook of memctl in one of the client's files.
type registration struct {
	install.Hook
	file    string // as people see it
	name    string // of the hook: "stop"
	program string // the path or name that is run; "" if a shell decides
	plugin  bool   // the file is the plugin's own
}

// registrations are what the client's settings say of memctl.
type registrations struct {
	hooks   []registration
	files   []string          // that exist and were read
	plugins map[string]string // the enabled plugins that are memctl, with the file that says so
}

// pluginsWithHooks names the plugins that bring the hooks, unless their own file was
// read.
func (r registrations) pluginsWithHooks() []string {
	if slices.ContainsFunc(r.hooks, func(reg registration) bool { return reg.plugin }) {
		return nil
	}
	return r.pluginNames()
}

// pluginNames names the plugins and the files that enable them.
func (r registrations) pluginNames() []string {
	var names []string
	for full, file := range r.plugins {
		names = append(names, fmt.Sprintf("the plugin %s (%s)", full, file))
	}
	slices.Sort(names)
	return names
}

// checkSettings checks whether every hook is registered.
func (e *examination) checkSettings(runs hookRuns) registrations {
	r := e.readSettings()
	var missing, running []string
	for _, h := range e.hooks {
		if e.checkRegistered(h, r) {
			continue
		}
		if h.Name() == hooks.AfterFailure {
			continue // only observations need it
		}
		if runs.tallies[h.Name()].Runs > 0 {
			running = append(running, h.Event)
		} else {
			missing = append(missing, h.Event)
		}
	}
	e.checkEvents(r)
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
	r := registrations{plugins: map[string]string{}}
	for _, path := range e.settingsFiles() {
		data, err := install.ReadFile(path)
		if err == nil && data == nil {
			continue
		}
		if err == nil {
			err = e.readSettingsFile(path, data, &r)
		}
		if err != nil {
			e.fail("settings", "fix the file; until then the client may run none of its hooks", "%s: %v", e.shortPath(path), err)
		}
	}
	return r
}

// readSettingsFile adds to r what a file says.
func (e *examination) readSettingsFile(path string, data []byte, r *registrations) error {
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
	for full, enabled := range switches.EnabledPlugins {
		if !strings.HasPrefix(full, pluginName+"@") {
			continue
		}
		delete(r.plugins, full) // the narrower scope decides
		if enabled == true {
			r.plugins[full] = file
		}
	}
	for _, h := range found {
		if program, name, ok := h.Memctl(); ok {
			r.hooks = append(r.hooks, registration{
				Hook:    h,
				file:    file,
				name:    name,
				program: os.Expand(program, e.variable),
				plugin:  strings.HasSuffix(filepath.ToSlash(path), "/"+pluginHooks),
			})
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

// checkEvents looks for hooks that are registered for another hook's event.
func (e *examination) checkEvents(r registrations) {
	for _, reg := range r.hooks {
		if event := e.eventOf(reg.name); event != reg.Event {
			e.fail("settings", "take it out of "+reg.file, "%s runs memctl hook %s at %s; it is for %s", reg.file, reg.name, reg.Event, cmp.Or(event, "no event: there is no such hook"))
		}
	}
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
