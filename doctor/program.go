package doctor

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"

	"memctl/clients"
	"memctl/text"
)

// checkProgram checks this program and the one that the PATH finds by its name.
func (e *examination) checkProgram(version string) {
	e.ok("binary", "memctl %s at %s", version, e.shortPath(e.self))
	path, err := exec.LookPath("memctl")
	switch {
	case err != nil && !errors.Is(err, exec.ErrDot):
		e.warn("PATH", pathFix(e.self), "no memctl is on the PATH; agents call it by that name")
	case !clients.SameProgram(path, e.self):
		e.warn("PATH", "remove the one that is out of date, or put "+filepath.Dir(e.self)+" first in the PATH",
			"memctl on the PATH is another program: %s", e.shortPath(path))
	default:
		e.ok("PATH", "memctl is this program")
	}
}

func pathFix(self string) string {
	if runtime.GOOS == "windows" {
		return "add " + filepath.Dir(self) + " to the PATH"
	}
	return "export PATH=" + text.ShellWord(filepath.Dir(self)) + `:"$PATH"  (in your shell's profile)`
}

// checkRegistered checks whether the program that a file of the client names is this
// one.
func (e *examination) checkRegistered(check, fix, file, program string) {
	path, err := clients.LookUp(program, e.Project)
	switch {
	case err != nil && !errors.Is(err, exec.ErrDot):
		e.fail(check, fix, "%s runs a program that cannot be run: %v", file, err)
	case !clients.SameProgram(path, e.self):
		e.warn(check, fix+", or run memctl doctor of that program", "%s runs another memctl: %s", file,
			e.shortPath(path))
	}
}
