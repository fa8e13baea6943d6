package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"memctl/text/jsonedit"
)

// ServerName is the name of the MCP server in the client's files and rules.
const ServerName = "memctl"

// OpenCodeServers is where OpenCode has its servers, in its own form.
const OpenCodeServers = "mcp"

// Server is an MCP server in a file of a client.
type Server struct {
	Name         string   `json:"-"`
	Type         string   `json:"type,omitempty"`
	Command      string   `json:"command"`
	Args         []string `json:"args"`
	Tools        []string `json:"tools,omitempty"` // those that Copilot offers to the agent
	Trust        bool     `json:"trust,omitempty"` // Gemini CLI and Qwen Code do not ask about its tools
	ApprovalMode string   `json:"-"`               // Codex's, of its tools
	OneProject   bool     `json:"-"`               // Claude Code keeps it in the user's file, for one project
	Section      string   `json:"-"`               // of the file; "" is mcpServers
}

type openCodeServer struct {
	Type    string   `json:"type"`
	Command []string `json:"command"`
	Enabled bool     `json:"enabled"`
}

// pointer names the server's place in a file.
func (s Server) pointer() string { return "/" + cmp.Or(s.Section, "mcpServers") + "/" + ServerName }

func (s Server) value() any {
	if s.Section == OpenCodeServers {
		return openCodeServer{"local", append([]string{s.Command}, s.Args...), true}
	}
	return s
}

// readServer reads the server of memctl's name in a section of a file.
func readServer(v jsonedit.Value, section string) *Server {
	s := &Server{Name: ServerName, Section: section}
	if section == OpenCodeServers {
		var found openCodeServer
		if v.Decode(&found); len(found.Command) > 0 {
			s.Command, s.Args = found.Command[0], found.Command[1:]
		}
		return s
	}
	v.Decode(s)
	return s
}

// RunsMemctl reports whether the server is memctl's: "memctl mcp".
func (s Server) RunsMemctl() bool {
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
	for i, part := range []section{all.section, all.Projects[project]} {
		for name, entry := range part.Servers {
			s := Server{Name: name, OneProject: i > 0}
			if json.Unmarshal(entry, &s) == nil && s.RunsMemctl() {
				list = append(list, s)
			}
		}
	}
	slices.SortFunc(list, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// HasServer implements hooks.Client.
func (c *Client) HasServer(project string) bool {
	if c != Claude {
		return slices.ContainsFunc(c.Targets(project), func(t Target) bool {
			server, err := t.RegisteredServer()
			return err == nil && server != nil && server.RunsMemctl()
		})
	}
	files := []string{ServersFile(project)}
	if approvedIn, declinedIn := Approval(project, ServerName); approvedIn == "" || declinedIn != "" {
		files = nil // it is not started
	}
	if path, err := StateFile(); err == nil {
		files = append(files, path)
	}
	return slices.ContainsFunc(files, func(path string) bool {
		data, err := ReadFile(project, path)
		if err != nil || !bytes.Contains(data, []byte(ServerName)) {
			return false
		}
		list, err := Servers(data, project)
		return err == nil && slices.ContainsFunc(list, func(s Server) bool { return s.Name == ServerName })
	})
}

// server returns the server of memctl's name, nil if there is none, and its place.
func (s settings) server() (*Server, jsonedit.Value) {
	if v := s.Root().Member("mcpServers").Member(ServerName); v.Exists() {
		return readServer(v, ""), v
	}
	if v := s.At(Server{Section: OpenCodeServers}.pointer()); v.Exists() {
		return readServer(v, OpenCodeServers), v
	}
	return nil, jsonedit.Value{}
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
		data, err := ReadFile(project, path)
		if err != nil || json.Unmarshal(jsonedit.WithoutMark(data), &settings) != nil {
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

// approved is the list of the servers of .mcp.json that the client starts without asking.
func (s settings) approved() jsonedit.Value { return s.Root().Member("enabledMcpjsonServers") }

// approveServer has the client start memctl's server without asking.
func (s settings) approveServer() {
	var all bool
	s.Root().Member("enableAllProjectMcpServers").Decode(&all)
	if !all && !slices.Contains(s.approved().Strings(), ServerName) {
		s.Put(s.approved().Pointer+"/-", ServerName)
	}
}

// addServer adds memctl's server or updates it. Another program's server of that name
// is an error.
func (s settings) addServer(server Server, e Entries) {
	existing, at := s.server()
	if existing != nil && !existing.RunsMemctl() {
		at.Fail("%s has another %q already", cmp.Or(existing.Section, "mcpServers"), ServerName)
		return
	}
	if existing != nil && e.Replaced != nil {
		more := s.Strip(at.Pointer, server.value())
		if !slices.Equal(existing.Args, server.Args) {
			more = append(more, "other arguments")
		}
		e.AddReplaced(fmt.Sprintf("the server %q", ServerName), more)
	}
	s.Put(server.pointer(), server.value())
}

// UserServer is memctl's server for the configuration of any program.
func UserServer() Server {
	return Server{Name: ServerName, Command: FindProgram(UserScope).Command, Args: []string{"mcp"}}
}
