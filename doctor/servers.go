package doctor

import (
	"slices"
	"strings"

	"memctl/clients"
)

// checkServers checks where the client has the MCP server. A plugin brings its own,
// and a project needs none.
func (e *examination) checkServers(r registrations) {
	const (
		name = "MCP server"
		fix  = "memctl install"
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
			e.checkRegistered(name, fix, file, s.Command)
			if !r.onlyOthers {
				e.checkApproval(path, s.Name)
			}
		}
	}
	switch {
	case len(r.plugins) > 0 && len(places) > 1:
		e.warn(name, "take it out of "+places[len(places)-1], "the agent has each tool %d times: registered in %s",
			len(places), strings.Join(places, " and "))
	case len(e.Findings) > before, len(places) == 0 && r.onlyOthers:
	case len(places) == 0:
		e.ok(name, `not registered; "memctl install" gives agents the memories as tools, and a way to save without asking you`)
	default:
		e.ok(name, "registered in %s", strings.Join(places, ", "))
	}
}

// checkApproval checks whether the client starts a server of the project without asking.
func (e *examination) checkApproval(path, server string) {
	const name = "MCP server"
	if path != clients.ServersFile(e.Project) {
		return // the client does not ask about the user's own
	}
	approvedIn, declinedIn := clients.Approval(e.Project, server)
	switch {
	case declinedIn != "":
		e.warn(name, "remove "+server+" from disabledMcpjsonServers",
			"%s tells Claude Code not to start the server of .mcp.json", e.shortPath(declinedIn))
	case approvedIn == "":
		e.warn(name, "memctl install", "Claude Code asks before it starts the server of .mcp.json, and its "+
			"default is not to")
	}
}

// serverFiles are where the client looks for servers.
func (e *examination) serverFiles() []string {
	files := []string{clients.ServersFile(e.Project)}
	if path, err := clients.StateFile(); err == nil {
		files = append(files, path)
	}
	return files
}

func (e *examination) readServers(path string) ([]clients.Server, error) {
	data, err := clients.ReadFile(e.Project, path)
	if err != nil || data == nil {
		return nil, err
	}
	return clients.Servers(data, e.Project)
}
