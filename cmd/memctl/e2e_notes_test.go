package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"memctl/clients"
)

// What the agent saves into the client's own notes is found by the next fitting prompt.
func TestNotesInTheClient(t *testing.T) {
	c := newClient(t, findClient(t), "bypassPermissions")
	t.Setenv("HOME", filepath.Join(c.base, "home"))
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(c.base, "config"))
	c.install()
	subjects := []string{"zeppelin", "marimba", "quokka", "tundra", "saffron", "obelisk", "walnut", "gazebo", "pelican", "turbine"}
	var replies []reply
	for i, s := range subjects {
		path := filepath.Join(clients.ProjectNotes(c.dir), s+"_notes.md")
		text := fmt.Sprintf("---\nname: %s-notes\ndescription: The %s service listens on port %d\nmetadata:\n  type: project\n---\n\nThe %s service listens on port %d.\n", s, s, 7000+i, s, 7000+i)
		replies = append(replies, reply{tool: "Write", input: map[string]string{"file_path": path, "content": text}})
	}
	c.ask(newModel(t, append(replies, reply{text: "Noted."})...), "remember the ports of the services")
	for _, s := range subjects {
		if _, err := os.Stat(filepath.Join(clients.ProjectNotes(c.dir), s+"_notes.md")); err != nil {
			t.Error(err)
		}
	}
	for i, s := range subjects {
		asked := c.ask(newModel(t, reply{text: "Yes."}), "on which port does the "+s+" service listen?")
		if len(asked) == 0 || asked[0].count(s+"_notes.md (a note of Claude Code)") != 1 {
			t.Errorf("%d %s: not found: %s", i, s, c.said)
		}
	}
}
