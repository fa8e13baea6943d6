package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Server is an MCP server in a project's .mcp.json, which the client reads beside
// its settings.
type Server struct {
	Name    string
	Command string
	Args    []string
}

// serverEntry is what a file says of a server.
type serverEntry struct {
	Command string
	Args    []string
}

func (s serverEntry) isOurs() bool { return isMemctl(s.Command) && slices.Contains(s.Args, "mcp") }

// isOurs tells whether a server of the file runs memctl's.
func isOurs(entry *hujson.Value) bool {
	var s serverEntry
	return decode(entry, &s) && s.isOurs()
}

// Servers lists the servers of a file that are memctl's: those for everybody, and
// those that the client keeps for one project. Entries of another form are others'.
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
			var s serverEntry
			if json.Unmarshal(entry, &s) == nil && s.isOurs() {
				list = append(list, Server{name, s.Command, s.Args})
			}
		}
	}
	slices.SortFunc(list, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// AddServer puts a server into a .mcp.json. One of the same name is brought up to
// date if it is ours, else refused.
func AddServer(file []byte, s Server) ([]byte, error) {
	d, err := parse(file)
	if err != nil {
		return nil, err
	}
	servers, err := d.sectionOrNew("mcpServers")
	if err != nil {
		return nil, err
	}
	object, l := new(hujson.Object), d.layout
	if found := member(servers, s.Name); found == nil {
		l = d.addMember(servers, inSection, s.Name, object)
	} else if !isOurs(found) {
		return nil, fmt.Errorf("%s: mcpServers has another %q already", d.place(found.StartOffset), s.Name)
	} else if object, err = d.object(found, "mcpServers."+s.Name); err != nil {
		return nil, err
	}
	for _, f := range []field{{"command", hujson.String(s.Command)}, {"args", l.list(s.Args)}} {
		old := member(object, f.name)
		if old == nil {
			l.addMember(object, inEvent, f.name, f.value)
		} else if !same(old.Value, f.value) {
			old.Value = f.value
		}
	}
	return d.bytes(file), nil
}

// RemoveServer takes out of a .mcp.json the server of the name, if it is ours, and
// a section that this empties.
func RemoveServer(file []byte, name string) ([]byte, error) {
	d, err := parse(file)
	if err != nil {
		return nil, err
	}
	servers, err := d.section("mcpServers")
	if err != nil {
		return nil, err
	}
	if servers == nil || member(servers, name) == nil || !isOurs(member(servers, name)) {
		return file, nil
	}
	removeMember(servers, name)
	if len(servers.Members) == 0 {
		removeMember(d.top(), "mcpServers")
	}
	return d.bytes(file), nil
}
