package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/install"
)

// checkServers checks where the client has the MCP server. A plugin brings its own,
// and a project needs none.
func (e *examination) checkServers(r registrations) {
	const (
		name = "MCP server"
		fix  = "memctl install --mcp"
	)
	places, before := slices.Clone(r.plugins), len(e.Findings)
	for _, path := range e.serverFiles() {
		file := e.shortPath(path)
		servers, err := e.readServers(path)
		if err != nil {
			e.warn(name, "fix the file; until then the client may start none of its servers", "%s: %v", file, err)
		}
		if len(servers) > 0 {
			places = append(places, file)
		}
		for _, s := range servers {
			if s.IsStale() {
				e.fail(name, fix, "%s runs %s, which only version 0.1.0 had", file, oldServer)
			} else {
				e.checkRegistered(name, fix, file, os.Expand(s.Command, e.variable))
			}
		}
	}
	switch {
	case len(r.plugins) > 0 && len(places) > 1:
		e.warn(name, "take it out of "+places[len(places)-1], "the agent has each tool %d times: registered in %s", len(places), strings.Join(places, " and "))
	case len(e.Findings) > before:
	case len(places) == 0:
		e.ok(name, `not registered; "memctl install --mcp" gives agents the memories as tools too`)
	default:
		e.ok(name, "registered in %s", strings.Join(places, ", "))
	}
}

// serverFiles are where the client looks for servers.
func (e *examination) serverFiles() []string {
	files := []string{install.ServersFile(e.Project)}
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return append(files, filepath.Join(dir, ".claude.json"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".claude.json"))
	}
	return files
}

func (e *examination) readServers(path string) ([]install.Server, error) {
	data, err := install.ReadFile(path)
	if err != nil || data == nil {
		return nil, err
	}
	return install.Servers(data, e.Project)
}
