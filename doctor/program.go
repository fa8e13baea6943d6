package doctor

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"memctl/install"
	"memctl/text"
)

// checkProgram checks this program and the one that the PATH finds by its name.
func (e *examination) checkProgram(version string) {
	e.ok("binary", "memctl %s at %s", version, e.shortPath(e.self))
	path, err := exec.LookPath("memctl")
	switch {
	case err != nil && !errors.Is(err, exec.ErrDot):
		e.warn("PATH", pathFix(e.self), "no memctl is on the PATH; agents call it by that name")
	case !install.SameProgram(path, e.self):
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
	path, err := install.LookUp(program, e.Project)
	switch {
	case err != nil && !errors.Is(err, exec.ErrDot):
		e.fail(check, fix, "%s runs a program that cannot be run: %v", file, err)
	case !install.SameProgram(path, e.self):
		e.warn(check, fix+", or run memctl doctor of that program", "%s runs another memctl: %s", file, e.shortPath(path))
	}
}

// oldServer is the program that version 0.1.0 had for its MCP server.
const oldServer = "memctl-mcp"

// checkLeftovers names what version 0.1.0 left behind.
func (e *examination) checkLeftovers() {
	for _, path := range oldServers(e.self) {
		e.warn(oldServer, "rm "+text.ShellWord(path), "%s is left over from version 0.1.0 and not used any more", e.shortPath(path))
	}
	var backups []string
	for _, path := range append(e.settingsFiles(), install.ServersFile(e.Project)) {
		for _, backup := range install.OldBackups(path) {
			backups = append(backups, e.shortPath(backup))
		}
	}
	if len(backups) > 0 {
		e.ok("backups", "memctl no longer uses these, which version 0.1.0 made: %s", strings.Join(backups, ", "))
	}
}

// oldServers finds memctl-mcp next to this program and on the PATH.
func oldServers(self string) []string {
	if target, err := filepath.EvalSymlinks(self); err == nil {
		self = target
	}
	adjacent := filepath.Join(filepath.Dir(self), oldServer+filepath.Ext(self)) // ".exe" on Windows
	onPath, _ := exec.LookPath(oldServer)
	return slices.CompactFunc(slices.DeleteFunc([]string{adjacent, onPath}, isMissing), install.SameFile)
}

func isMissing(path string) bool {
	_, err := os.Stat(path)
	return err != nil
}
