package install

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// ServerName is the name of the MCP server in the client's files and rules.
const ServerName = "memctl"

// Server is an MCP server in a project's .mcp.json.
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

// addServer adds a server or updates it. Another program's server of the same name is
// an error.
func (d *document) addServer(s Server) error {
	servers, err := d.makeSection("mcpServers")
	if err != nil {
		return err
	}
	existing, err := d.memctlServer()
	if err != nil {
		return err
	}
	object, l := new(hujson.Object), d.layout
	switch found := member(servers, s.Name); {
	case found == nil:
		l = d.addMember(servers, inSection, s.Name, object)
	case existing == nil:
		return fmt.Errorf("%s: mcpServers has another %q already", d.position(found.StartOffset), s.Name)
	default:
		object = found.Value.(*hujson.Object)
	}
	l.set(object, inEvent, field{"command", hujson.String(s.Command)})
	l.set(object, inEvent, field{"args", l.array(s.Args)})
	return nil
}

// memctlServer returns the server of memctl's name if it runs memctl, or nil.
func (d *document) memctlServer() (*Server, error) {
	servers, err := d.section("mcpServers")
	if err != nil || servers == nil {
		return nil, err
	}
	s := &Server{Name: ServerName}
	if !decode(member(servers, ServerName), s) || !s.runsMemctl() {
		return nil, nil
	}
	return s, nil
}
