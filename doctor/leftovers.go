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

// oldServer is the program that version 0.1.0 had for its MCP server.
const oldServer = "memctl-mcp"

// checkLeftovers names what version 0.1.0 left behind.
func (e *examination) checkLeftovers() {
	for _, path := range e.oldServers() {
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
func (e *examination) oldServers() []string {
	var found []string
	name := oldServer
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	self, err := filepath.EvalSymlinks(e.self)
	if err != nil {
		self = e.self
	}
	adjacent := filepath.Join(filepath.Dir(self), name)
	if _, err := os.Stat(adjacent); err == nil {
		found = append(found, adjacent)
	}
	onPath, err := exec.LookPath(name)
	if (err == nil || errors.Is(err, exec.ErrDot)) && !slices.ContainsFunc(found, func(path string) bool { return install.SameFile(path, onPath) }) {
		found = append(found, onPath)
	}
	return found
}
