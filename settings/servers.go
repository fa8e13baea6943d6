package settings

import (
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// Server is an MCP server in a project's .mcp.json, which the client reads beside
// its settings.
type Server struct {
	Name    string
	Command string
	Args    []string
}

// isOurs tells whether a server of the file runs memctl's.
func isOurs(entry *hujson.Value) bool {
	var s struct {
		Command string
		Args    []string
	}
	return decode(entry, &s) && isMemctl(s.Command) && slices.Contains(s.Args, "mcp")
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
