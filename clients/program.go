package clients

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"memctl/files/gate"
	"memctl/text"
)

// Program is the command by which the hooks of a scope run memctl.
type Program struct {
	Command  string // what the hooks run
	Self     string // this binary
	OnPath   string // the memctl that the PATH finds, or ""
	launched bool   // by a script, which the PATH finds in place of this binary
}

// FindProgram uses the name alone where other people read the settings, because their
// memctl lies elsewhere, and where the PATH finds this binary.
func FindProgram(scope string) Program {
	p := Program{Command: "memctl", launched: os.Getenv(launcher) != ""}
	if self, err := os.Executable(); err == nil {
		p.Self = self
	}
	if found, err := exec.LookPath("memctl"); err == nil {
		p.OnPath = found
	}
	if scope != ProjectScope && p.Self != "" && !p.IsOnPath() {
		p.Command = p.Self
	}
	return p
}

// word is the command as one word of the shell that runs the hooks.
func (p Program) word() string {
	if runtime.GOOS == "windows" {
		return windowsWord(p.Command)
	}
	return text.ShellQuoted(p.Command)
}

// windowsWord is a word for Git Bash, which takes bare backslashes away, and for
// PowerShell, which clients use where there is no Git: for it, a word that begins with a
// quote is no program. So the folders of a path are quoted one by one.
func windowsWord(path string) string {
	folders := strings.Split(strings.ReplaceAll(path, `\`, "/"), "/")
	for i, folder := range folders {
		switch {
		case folder == "":
		case strings.Contains(folder, "'"):
			folders[i] = `"` + folder + `"`
		default:
			folders[i] = text.ShellQuoted(folder)
		}
	}
	return strings.Join(folders, "/")
}

// IsOnPath reports whether the PATH finds this binary, which agents run by its name.
func (p Program) IsOnPath() bool { return gate.SameFile(p.Self, p.OnPath) }

// PathAdvice says how the PATH comes to find this binary, self, by the name memctl.
func PathAdvice(self string) string {
	advice := "add the folder of this memctl to the PATH: "
	if !isMemctl(self) {
		advice = "rename " + self + " to memctl, and add its folder to the PATH: "
	}
	if runtime.GOOS == "windows" {
		return advice + filepath.Dir(self)
	}
	return advice + "export PATH=" + text.ShellWord(filepath.Dir(self)) + `:"$PATH"  (in your shell's profile)`
}

// InShell is the program as the line of a hook has it. Where the PATH would find a
// launcher, the line searches the folder of this binary first: hooks do not wait for
// the launcher, and a teammate's memctl is found on the PATH as before.
func (p Program) InShell() string {
	if !p.launched || p.Command == p.Self || p.IsOnPath() {
		return p.word()
	}
	home, _ := os.UserHomeDir()
	return "PATH=" + shellFolder(filepath.Dir(p.Self), home, runtime.GOOS) + searched + p.word()
}

// searched ends the assignment of a PATH before a program.
const searched = `:"$PATH" `

// shellFolder is a folder as a POSIX shell reads it in the PATH. In the user's home it
// names that by its variable, since people share the line. On Windows the shell is Git
// Bash, which writes drives as /c.
func shellFolder(folder, home, system string) string {
	separator := "/"
	if system == "windows" {
		separator = `\`
	}
	if below, ok := strings.CutPrefix(folder, home+separator); ok && home != "" {
		return `"$HOME"/` + text.ShellQuoted(strings.ReplaceAll(below, separator, "/"))
	}
	if drive, below, ok := strings.Cut(folder, ":"); ok && system == "windows" {
		folder = "/" + strings.ToLower(drive) + below
	}
	return text.ShellQuoted(strings.ReplaceAll(folder, separator, "/"))
}

// launcher is an environment variable with the path of the script that started this
// program, as the npm package has one.
const launcher = "MEMCTL_LAUNCHER"

// SameProgram reports whether a path leads to this binary, self, or to its launcher.
func SameProgram(path, self string) bool {
	script := os.Getenv(launcher)
	return gate.SameFile(path, self) || script != "" && (gate.SameFile(path, script) || isShim(path, script))
}

// maxShim is more than the size of a shim.
const maxShim = 16 << 10

// isShim reports whether a path is a shim that starts the script. npm writes shims in
// place of links on Windows, and other package managers write them everywhere.
func isShim(path, script string) bool {
	data, err := gate.Place{Folder: filepath.Dir(path), Owner: gate.User}.Read(path, maxShim)
	if err != nil {
		return false
	}
	// The script is named from the folder of the shim, for cmd and for a shell.
	target := regexp.MustCompile(`(?:%~?dp0%?\\|\$basedir/)([^"%$]+\.js)"`)
	for _, found := range target.FindAllSubmatch(data, -1) {
		below := strings.ReplaceAll(string(found[1]), `\`, "/")
		if gate.SameFile(filepath.Join(filepath.Dir(path), filepath.FromSlash(below)), script) {
			return true
		}
	}
	return false
}

// pluginName is memctl's name among the client's plugins, before an @ and the name of
// the marketplace.
const pluginName = "memctl"

// pluginServer is the client's name for the MCP server of the plugin.
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
	return c != nil && c.SharesHooks && err == nil && settingsRun(hook, project, []string{shared.Settings})
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
			if name != hook || h.Event != EventOf(hook) || program == "" {
				continue
			}
			if _, err := LookUp(program, project); err == nil {
				return true
			}
		}
	}
	return false
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
