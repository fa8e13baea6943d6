package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"

	"memctl/text"
)

// checkBinary looks at the program itself, and at what its name leads to.
func (d *diagnosis) checkBinary(self string) {
	d.ok("binary", "memctl %s at %s", version, d.shown(self))
	path, err := exec.LookPath("memctl")
	switch {
	case err != nil && !errors.Is(err, exec.ErrDot):
		d.warn("PATH", pathFix(self), "no memctl is on the PATH; agents call it by that name")
	case !sameFile(path, self):
		d.warn("PATH", "remove the one that is out of date, or put "+filepath.Dir(self)+" first in the PATH",
			"memctl on the PATH is another program: %s", d.shown(path))
	default:
		d.ok("PATH", "memctl is this program")
	}
}

func pathFix(self string) string {
	if runtime.GOOS == "windows" {
		return "add " + filepath.Dir(self) + " to the PATH"
	}
	return "export PATH=" + text.ShellWord(filepath.Dir(self)) + `:"$PATH"  (in your shell's profile)`
}
