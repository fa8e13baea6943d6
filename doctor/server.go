package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/install"
	"memctl/text"
)

// checkServers checks where the client has the MCP server. A plugin brings its own,
// and a project needs none.
func (e *examination) checkServers(r registrations) {
	const name = "MCP server"
	places := r.pluginNames()
	plugins, before := len(places), len(e.Findings)
	for _, path := range e.serverFiles() {
		file := e.shortPath(path)
		servers, err := e.readServers(path)
		if err != nil {
			e.warn(name, "fix the file; until then the client may start none of its servers", "%s: %v", file, err)
		}
		for _, s := range servers {
			if !slices.Contains(places, file) {
				places = append(places, file)
			}
			if s.IsStale() {
				e.fail(name, "memctl install --mcp", "%s runs %s, which only version 0.1.0 had", file, oldServer)
			} else {
				e.checkProgram(name, "memctl install --mcp", file, os.Expand(s.Command, e.variable))
			}
		}
	}
	switch {
	case plugins > 0 && len(places) > 1:
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

// handshake is what a client sends before it uses a server; %s is memctl's version.
const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"memctl doctor","version":"%s"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`

// tryServer runs the MCP server of this program once.
func (e *examination) tryServer(ctx context.Context, t trial, version string) {
	const name = "memctl mcp"
	r, err := t.run(ctx, fmt.Appendf(nil, handshake, version), "mcp")
	if err == nil {
		err = checkTools(r)
	}
	if err != nil {
		e.fail(name, reinstall, "%v%s", err, quoteStderr(r.stderr))
		return
	}
	e.ok(name, "answered with the tools %s (%d ms)", strings.Join(install.ServerTools, ", "), r.took.Milliseconds())
}

func checkTools(r result) error {
	if err := r.expect(0, `"serverInfo"`); err != nil {
		return err
	}
	var names []string
	for line := range strings.Lines(r.stdout) {
		var answer struct {
			Result struct {
				Tools []struct{ Name string }
			}
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			return fmt.Errorf("it answered what is no JSON: %s", text.Brief(line))
		}
		for _, tool := range answer.Result.Tools {
			names = append(names, tool.Name)
		}
	}
	for _, tool := range install.ServerTools {
		if !slices.Contains(names, tool) {
			return fmt.Errorf("it has no tool %s, only %q", tool, names)
		}
	}
	return nil
}
