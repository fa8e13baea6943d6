package install

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// ServerName is the name of the MCP server in the client's files and rules.
const ServerName = "memctl"

// openCodeServers is where OpenCode has its servers, in its own form.
const openCodeServers = "mcp"

// Server is an MCP server in a file of a client.
type Server struct {
	Name         string   `json:"-"`
	Type         string   `json:"type,omitempty"`
	Command      string   `json:"command"`
	Args         []string `json:"args"`
	Tools        []string `json:"tools,omitempty"` // those that Copilot offers to the agent
	Trust        bool     `json:"trust,omitempty"` // Gemini CLI and Qwen Code do not ask about its tools
	ApprovalMode string   `json:"-"`               // Codex's, of its tools
	section      string   // of the file; "" is mcpServers
}

// openCodeServer is how a server stands in OpenCode's configuration.
type openCodeServer struct {
	Type    string   `json:"type"`
	Command []string `json:"command"`
	Enabled bool     `json:"enabled"`
}

// pointer names the server's place in a file.
func (s Server) pointer() string { return "/" + cmp.Or(s.section, "mcpServers") + "/" + ServerName }

// value is the server as it stands in a file.
func (s Server) value() hujson.Value {
	if s.section == openCodeServers {
		return encode(openCodeServer{"local", append([]string{s.Command}, s.Args...), true})
	}
	return encode(s)
}

// readServer reads the server of memctl's name in a section of a file.
func readServer(v *hujson.Value, section string) *Server {
	s := &Server{Name: ServerName, section: section}
	if section == openCodeServers {
		var found openCodeServer
		if decode(v, &found); len(found.Command) > 0 {
			s.Command, s.Args = found.Command[0], found.Command[1:]
		}
		return s
	}
	decode(v, s)
	return s
}

// runsMemctl reports whether the server is memctl's: "memctl mcp".
func (s Server) runsMemctl() bool {
	return isMemctl(s.Command) && slices.Contains(s.Args, "mcp")
}

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
	if v := member(d.section("mcpServers"), ServerName); v != nil {
		s = readServer(v, "")
	} else if v = d.root.Find(Server{section: openCodeServers}.pointer()); v != nil {
		s = readServer(v, openCodeServers)
	}
	return s, s != nil && s.runsMemctl()
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
	if existing, ours := d.server(); existing != nil && !ours {
		d.fail(d.root.Find(existing.pointer()).StartOffset, "%s has another %q already", cmp.Or(existing.section, "mcpServers"), ServerName)
		return
	}
	d.put(s.pointer(), s.value())
}

// UserServer is memctl's server for the configuration of any program.
func UserServer() Server {
	return Server{Name: ServerName, Command: FindProgram(UserScope).Command, Args: []string{"mcp"}}
}
