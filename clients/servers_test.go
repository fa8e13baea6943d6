package clients

import (
	"strings"
	"testing"
)

var memctlServer = Entries{Server: &Server{Name: "memctl", Command: "memctl", Args: []string{"mcp"}}}

func TestServerComesAndGoes(t *testing.T) {
	for name, file := range map[string]string{
		"an empty object": "{}\n",
		"another server":  "{\n  \"mcpServers\": {\n    \"db\": {\"command\": \"db\", \"args\": [ \"x\" ]}\n  }\n}\n",
		"tabs and more":   "{\n\t\"$schema\": \"x\",\n\t\"mcpServers\": {\n\t\t\"db\": {}\n\t}\n}",
		"one line":        `{"mcpServers":{"db":{}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			with, err := inSettings.Add([]byte(file), memctlServer)
			if err != nil || !strings.Contains(strings.Join(strings.Fields(string(with)), ""), `"memctl":{"command":"memctl","args":["mcp"]}`) {
				t.Fatalf("got %s, %v", with, err)
			}
			if again, err := inSettings.Add(with, memctlServer); err != nil || string(again) != string(with) {
				t.Errorf("again: %s, %v", again, err)
			}
			without, err := inSettings.Remove(with, []byte(file))
			if err != nil || string(without) != file {
				t.Errorf("removed: %q, %v, want %q", without, err, file)
			}
		})
	}
}

func TestServerIsUpdatedWhereItStands(t *testing.T) {
	old := `{"mcpServers": {"memctl": {"command": "/old/memctl", "args": ["mcp"], "env": {"A": "b"}}, "z": {}}}`
	want := `{"mcpServers": {"memctl": {"command": "memctl", "args": ["mcp"], "env": {"A": "b"}}, "z": {}}}`
	if got, err := inSettings.Add([]byte(old), memctlServer); err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestServersOfOthersStay(t *testing.T) {
	const theirs = `{"mcpServers": {"memctl": {"command": "npx", "args": ["memctl-of-theirs"]}}}`
	if _, err := inSettings.Add([]byte(theirs), memctlServer); err == nil {
		t.Error("another program's server is replaced")
	}
	if got, err := inSettings.Remove([]byte(theirs), nil); err != nil || string(got) != theirs {
		t.Errorf("removed: %s, %v", got, err)
	}
	for _, file := range []string{`{"mcpServers": []}`, `[]`, `{`, `{"mcpServers": {"memctl": 5}}`} {
		if got, err := inSettings.Add([]byte(file), memctlServer); err == nil {
			t.Errorf("%s became %s", file, got)
		}
	}
}

func TestServersAreThoseOfTheProject(t *testing.T) {
	const file = `{"numStartups": 7, "mcpServers": {"memory": {"type": "stdio", "command": "/opt/memctl", "args": ["mcp"]}, "db": {"command": "db"}, "odd": 5},
		"projects": {"/here": {"mcpServers": {"mem": {"command": "memctl", "args": ["mcp", "--root", "x"]}}, "history": []}, "/there": {"mcpServers": {"m": {"command": "memctl", "args": ["mcp"]}}}}}`
	for project, want := range map[string]string{"/here": "mem memory", "/nowhere": "memory"} {
		servers, err := Servers([]byte(file), project)
		var names []string
		for _, s := range servers {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("of %s: %q, %v, want %q", project, got, err, want)
		}
	}
	for _, broken := range []string{"", "{", "[]", `{"mcpServers": []}`} {
		if servers, err := Servers([]byte(broken), "/here"); err == nil {
			t.Errorf("%q has %v", broken, servers)
		}
	}
}
