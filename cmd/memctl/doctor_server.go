package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/settings"
	"memctl/text"
)

const (
	serverCheck = "MCP server"
	serverTrial = "memctl mcp"
)

// checkServer looks at the registration of the MCP server, which is optional, and
// runs the server.
func (d *diagnosis) checkServer(ctx context.Context, t trial, r registrations) {
	d.checkServers(t.self, r)
	d.tryServer(ctx, t)
}

// checkServers looks for the server in the files of the client and in its plugins.
func (d *diagnosis) checkServers(self string, r registrations) {
	places := r.pluginNames()
	plugins, before := len(places), len(d.Checks)
	for _, path := range d.serverFiles() {
		servers, err := d.readServers(path)
		if err != nil {
			d.warn(serverCheck, "mend the file; until then the client may start none of its servers", "%s: %v", d.shown(path), err)
		}
		for _, s := range servers {
			if shown := d.shown(path); !slices.Contains(places, shown) {
				places = append(places, shown)
			}
			d.checkRunsSelf(serverCheck, "memctl install --mcp", d.shown(path), os.Expand(s.Command, d.variable), self)
		}
	}
	switch {
	case plugins > 0 && len(places) > 1:
		d.warn(serverCheck, "take it out of "+places[len(places)-1], "the agent has each tool %d times: registered in %s", len(places), strings.Join(places, " and "))
	case len(d.Checks) > before:
	case len(places) == 0:
		d.ok(serverCheck, `not registered; "memctl install --mcp" gives agents the memories as tools too`)
	default:
		d.ok(serverCheck, "registered in %s", strings.Join(places, ", "))
	}
}

// serverFiles are where the client looks for servers.
func (d *diagnosis) serverFiles() []string {
	files := []string{place{project: d.Project}.serversFile()}
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return append(files, filepath.Join(dir, ".claude.json"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".claude.json"))
	}
	return files
}

func (d *diagnosis) readServers(path string) ([]settings.Server, error) {
	file, err := readSettings(path)
	if err != nil || file.data == nil {
		return nil, err
	}
	return settings.Servers(file.data, d.Project)
}

// greeting is what a client says before it uses the server.
const greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"memctl doctor","version":"` + version + `"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`

// tryServer runs the server once, as a client does.
func (d *diagnosis) tryServer(ctx context.Context, t trial) {
	r, err := t.run(ctx, []byte(greeting), "mcp")
	if err == nil {
		err = checkTools(r)
	}
	if err != nil {
		d.fail(serverTrial, "install memctl anew; if that does not help, report this line", "%v%s", err, saying(r.stderr))
		return
	}
	d.ok(serverTrial, "answered with the tools %s (%d ms)", strings.Join(serverTools, ", "), r.took.Milliseconds())
}

func checkTools(r result) error {
	if err := r.expect(exitDone, `"serverInfo"`); err != nil {
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
	for _, tool := range serverTools {
		if !slices.Contains(names, tool) {
			return fmt.Errorf("it has no tool %s, only %q", tool, names)
		}
	}
	return nil
}
