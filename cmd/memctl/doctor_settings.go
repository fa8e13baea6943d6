package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/hooks"
	"memctl/settings"
)

// pluginName is memctl's as a plugin of the client.
const pluginName = "memctl"

// pluginHooks is where a plugin keeps its hooks.
const pluginHooks = "hooks/hooks.json"

// registration is a hook of memctl in one of the client's files.
type registration struct {
	settings.Hook
	file    string // that it stands in, as shown to people
	hook    string // "stop"
	program string // the path or name that is run; "" where a shell decides
	plugin  bool   // it is the plugin's own
}

// registrations are what the client's settings say of memctl.
type registrations struct {
	list    []registration
	files   []string          // that exist and were read
	plugins map[string]string // memctl as plugins that are on, with the file that says so
}

// byPlugin names the plugins that bring the hooks, unless their own file was read.
func (r registrations) byPlugin() []string {
	if slices.ContainsFunc(r.list, func(reg registration) bool { return reg.plugin }) {
		return nil
	}
	return r.pluginNames()
}

// pluginNames names the plugins, with the file that has them on.
func (r registrations) pluginNames() []string {
	var names []string
	for full, file := range r.plugins {
		names = append(names, fmt.Sprintf("the plugin %s (%s)", full, file))
	}
	slices.Sort(names)
	return names
}

func (d *diagnosis) checkSettings(self string, runs recollection) registrations {
	r := d.readSettings()
	var missing, running []string
	for _, h := range d.wanted {
		if d.checkRegistered(h.Event, h.Name(), self, r) {
			continue
		}
		if h.Name() == hooks.AfterFailure {
			continue // only observations need it
		}
		if runs.lately(h.Name()) {
			running = append(running, h.Event)
		} else {
			missing = append(missing, h.Event)
		}
	}
	d.checkMisplaced(r)
	if len(running) > 0 {
		d.warn("settings", "memctl install, unless a plugin or --settings runs them", "not registered, though they ran lately, perhaps by hand: %s", strings.Join(running, ", "))
	}
	if len(missing) > 0 {
		d.fail("settings", "memctl install", "not registered: %s; %s", strings.Join(missing, ", "), lookedIn(r.files))
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
func (d *diagnosis) settingsFiles() []string {
	var files []string
	if dir, err := clientFolder(); err == nil {
		files = append(files, filepath.Join(dir, "settings.json"))
	}
	for _, name := range []string{"settings.json", "settings.local.json"} {
		files = append(files, filepath.Join(d.Project, ".claude", name))
	}
	if plugin := os.Getenv("CLAUDE_PLUGIN_ROOT"); plugin != "" {
		files = append(files, filepath.Join(plugin, pluginHooks))
	}
	return slices.Compact(files) // a home may be a project
}

func (d *diagnosis) readSettings() registrations {
	r := registrations{plugins: map[string]string{}}
	for _, path := range d.settingsFiles() {
		file, err := readSettings(path)
		if err == nil && file.data == nil {
			continue
		}
		if err == nil {
			err = r.read(d, path, file.data)
		}
		if err != nil {
			d.fail("settings", "mend the file; until then the client may run none of its hooks", "%s: %v", d.shown(path), err)
		}
	}
	return r
}

func (r *registrations) read(d *diagnosis, path string, data []byte) error {
	list, err := settings.Hooks(data)
	if err != nil {
		return err
	}
	switches, err := settings.ReadSwitches(data)
	if err != nil {
		return err
	}
	file := d.shown(path)
	r.files = append(r.files, file)
	if switches.DisableAllHooks {
		d.warn("settings", "take disableAllHooks out of "+file, "%s switches every hook off", file)
	}
	for full, on := range switches.Plugins(pluginName) {
		delete(r.plugins, full)
		if on {
			r.plugins[full] = file
		}
	}
	for _, h := range list {
		if reg, ok := d.registrationOf(h, path); ok {
			r.list = append(r.list, reg)
		}
	}
	return nil
}

// registrationOf tells whether a hook is memctl's.
func (d *diagnosis) registrationOf(h settings.Hook, path string) (registration, bool) {
	words, plain := settings.Words(h)
	program, hook, ok := settings.MemctlHook(words)
	if !plain {
		program = ""
	}
	plugin := strings.HasSuffix(filepath.ToSlash(path), "/"+pluginHooks)
	return registration{h, d.shown(path), hook, os.Expand(program, d.variable), plugin}, ok
}

// variable is what the client's environment adds to this one's.
func (d *diagnosis) variable(name string) string {
	if name == "CLAUDE_PROJECT_DIR" {
		return d.Project
	}
	return os.Getenv(name)
}

// checkMisplaced looks for hooks under an event that is not theirs.
func (d *diagnosis) checkMisplaced(r registrations) {
	for _, reg := range r.list {
		if want := d.eventOf(reg.hook); want != reg.Event {
			d.fail("settings", "take it out of "+reg.file, "%s runs memctl hook %s at %s; it is for %s", reg.file, reg.hook, reg.Event, cmp.Or(want, "no event: there is no such hook"))
		}
	}
}

// eventOf is the event that a hook is for, "" where there is no such hook.
func (d *diagnosis) eventOf(hook string) string {
	for _, h := range d.wanted {
		if h.Name() == hook {
			return h.Event
		}
	}
	return ""
}
