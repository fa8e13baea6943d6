package clients

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pluginName is memctl's name among the client's plugins, before an @ and the name of
// the marketplace.
const pluginName = "memctl"

// pluginServer is what the client calls the MCP server that the plugin brings.
const pluginServer = "plugin_" + pluginName + "_" + ServerName

// Plugins are the enabled plugins that are memctl, each with the settings file that
// enables it.
type Plugins map[string]string

// Read takes in what a settings file says. Files are read from the widest scope to the
// narrowest, which decides.
func (p Plugins) Read(path string, settings []byte) error {
	s, err := parse(settings)
	if err != nil {
		return err
	}
	enabled := s.Root().Member("enabledPlugins")
	if enabled.IsNull() {
		return nil
	}
	for _, m := range enabled.Members() {
		if !strings.HasPrefix(m.Name, pluginName+"@") {
			continue
		}
		delete(p, m.Name)
		on := false
		if m.Decode(&on); on {
			p[m.Name] = path
		}
	}
	return s.Err()
}

// EnabledPlugins reads the settings of all scopes. It skips files that it cannot read.
func EnabledPlugins(project string) Plugins {
	plugins := Plugins{}
	for _, path := range SettingsFiles(project) {
		if data, err := ReadFile(project, path); err == nil {
			_ = plugins.Read(path, data) // doctor reports it
		}
	}
	return plugins
}

// Repeats reports whether this process is a hook that the client runs although settings
// of Claude Code have it run the same hook: one of the plugin, or one of Copilot's own
// files, since Copilot reads the project's .claude/settings.json too. The hook is then
// silent, or everything would be done twice.
func Repeats(client, hook string) bool {
	project := os.Getenv("CLAUDE_PROJECT_DIR")
	if os.Getenv("CLAUDE_PLUGIN_ROOT") != "" {
		return settingsRun(hook, project, SettingsFiles(project))
	}
	shared, err := NewTarget(ProjectScope, project)
	c := Named(client)
	return c != nil && c.sharesHooks && err == nil && settingsRun(hook, project, []string{shared.Settings})
}

// settingsRun reports whether one of the settings files runs a hook of memctl, by a
// program that is there.
func settingsRun(hook, project string, files []string) bool {
	for _, path := range files {
		data, err := ReadFile(project, path)
		if err != nil || !bytes.Contains(data, []byte("memctl")) || !bytes.Contains(data, []byte(hook)) {
			continue // most files, so a hook of the plugin need not parse them
		}
		list, _ := Hooks(data)
		for _, h := range list {
			program, name, _ := h.Memctl()
			if name == hook && h.Event == EventOf(hook) && isRunnable(program, project) {
				return true
			}
		}
	}
	return false
}

func isRunnable(program, project string) bool {
	_, err := LookUp(program, project)
	return program != "" && err == nil
}

// LookUp finds the program of a registration, which may name variables of the client's
// and folders of the project.
func LookUp(program, project string) (string, error) {
	program = os.Expand(program, func(name string) string {
		if name == "CLAUDE_PROJECT_DIR" {
			return project
		}
		return os.Getenv(name)
	})
	if strings.ContainsAny(program, `/\`) && !filepath.IsAbs(program) {
		program = filepath.Join(project, program) // where the client runs it
	}
	return exec.LookPath(program)
}
