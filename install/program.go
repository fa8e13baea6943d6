package install

import (
	"os"
	"os/exec"
)

// Program is how the hooks of a scope run memctl.
type Program struct {
	Command string // what the hooks run
	Self    string // this binary
	OnPath  string // the memctl that the PATH finds, or ""
}

// FindProgram uses the name alone where other people read the settings, because their
// memctl lies elsewhere, and where the PATH finds this binary.
func FindProgram(scope string) Program {
	p := Program{Command: "memctl"}
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

// IsOnPath reports whether the PATH finds this binary, which agents run by its name.
func (p Program) IsOnPath() bool { return SameFile(p.Self, p.OnPath) }

// launcher is an environment variable with the path of the script that started this
// program, as the npm package has one.
const launcher = "MEMCTL_LAUNCHER"

// SameProgram reports whether a path leads to this binary, self, or to its launcher.
func SameProgram(path, self string) bool {
	script := os.Getenv(launcher)
	return SameFile(path, self) || script != "" && SameFile(path, script)
}

// SameFile reports whether two paths lead to the same file.
func SameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
