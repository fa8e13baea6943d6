package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// ServerName is the name of the MCP server in the client's files and rules.
const ServerName = "memctl"

// Server is an MCP server in a project's .mcp.json, or among those of the user.
type Server struct {
	Name    string   `json:"-"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// runsMemctl reports whether the server is memctl's: "memctl mcp", or the program
// memctl-mcp of version 0.1.0.
func (s Server) runsMemctl() bool {
	return isProgram(s.Command, "memctl") && slices.Contains(s.Args, "mcp") || s.IsStale()
}

// IsStale reports whether the server runs memctl-mcp, which only version 0.1.0 had.
func (s Server) IsStale() bool { return isProgram(s.Command, "memctl-mcp") }

// Servers lists memctl's servers in a file: those of every project, and those that
// the client keeps for one project. It skips entries that have another format.
func Servers(file []byte, project string) ([]Server, error) {
	type section struct {
		Servers map[string]json.RawMessage `json:"mcpServers"`
	}
	var all struct {
		section
		Projects map[string]section `json:"projects"`
	}
	if err := json.Unmarshal(file, &all); err != nil {
		return nil, fmt.Errorf("decode servers: %w", err)
	}
	var list []Server
	for _, part := range []section{all.section, all.Projects[project]} {
		for name, entry := range part.Servers {
			s := Server{Name: name}
			if json.Unmarshal(entry, &s) == nil && s.runsMemctl() {
				list = append(list, s)
			}
		}
	}
	slices.SortFunc(list, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// server returns the server of memctl's name, and whether it runs memctl.
func (d *document) server() (s *Server, ours bool) {
	v := member(d.section("mcpServers"), ServerName)
	if v == nil {
		return nil, false
	}
	s = &Server{Name: ServerName}
	decode(v, s)
	return s, s.runsMemctl()
}

// Approval finds the file that has the client start a server of the project's .mcp.json
// without asking, and the file that has it not start; "" if there is none.
func Approval(project, server string) (approvedIn, declinedIn string) {
	for _, path := range SettingsFiles(project) {
		var settings struct {
			All      bool     `json:"enableAllProjectMcpServers"`
			Approved []string `json:"enabledMcpjsonServers"`
			Declined []string `json:"disabledMcpjsonServers"`
		}
		data, err := ReadFile(path)
		if err != nil || json.Unmarshal(bytes.TrimPrefix(data, byteOrderMark), &settings) != nil {
			continue // doctor reports it
		}
		if settings.All || slices.Contains(settings.Approved, server) {
			approvedIn = path
		}
		if slices.Contains(settings.Declined, server) {
			declinedIn = path
		}
	}
	return approvedIn, declinedIn
}

const approvedPointer = "/enabledMcpjsonServers"

// approved lists the servers of .mcp.json that the client starts without asking.
func (d *document) approved() []string {
	return d.strings(d.root.Find(approvedPointer), "enabledMcpjsonServers")
}

// approveServer has the client start memctl's server without asking.
func (d *document) approveServer() {
	var all bool
	decode(d.root.Find("/enableAllProjectMcpServers"), &all)
	if !all && !slices.Contains(d.approved(), ServerName) {
		d.put(approvedPointer+"/-", encode(ServerName))
	}
}

// addServer adds memctl's server or updates it. Another program's server of that name
// is an error.
func (d *document) addServer(s Server) {
	const pointer = "/mcpServers/" + ServerName
	if existing, ours := d.server(); existing != nil && !ours {
		d.fail(d.root.Find(pointer).StartOffset, "mcpServers has another %q already", ServerName)
		return
	}
	d.put(pointer, encode(s))
}
