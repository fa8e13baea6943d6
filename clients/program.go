package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"memctl/gate"
	"memctl/text"
)

// Program is how the hooks of a scope run memctl.
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
func (p Program) IsOnPath() bool { return SameFile(p.Self, p.OnPath) }

// inShell is the program as the line of a hook has it. Where the PATH would find a
// launcher, the line searches the folder of this binary first: hooks do not wait for
// the launcher, and a teammate's memctl is found on the PATH as before.
func (p Program) inShell() string {
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
	return SameFile(path, self) || script != "" && (SameFile(path, script) || isShim(path, script))
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
		if SameFile(filepath.Join(filepath.Dir(path), filepath.FromSlash(below)), script) {
			return true
		}
	}
	return false
}

// SameFile reports whether two paths lead to the same file.
func SameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
