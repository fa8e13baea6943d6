package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A new user needs two commands until a memory is in the client's context: setup, which asks nothing where
// there is nothing to ask about, and add.
func TestSetupInTheClient(t *testing.T) {
	c := newClientIn(newProject(t), findClient(t), "default")
	c.check(os.RemoveAll(filepath.Join(c.dir, ".claude")))
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(c.base, "config"))
	if out, _ := memctl(t, c.dir, "", "setup", "--client", "claude-code"); !strings.Contains(out, ".claude/settings.json, .mcp.json (changed)") {
		t.Error(out)
	}
	memctl(t, c.dir, "", "add", "decision", "Kafka keeps events for 14 days. A replay takes a week.")
	asked := c.ask(newModel(t, reply{text: "For 14 days."}), "how long does kafka keep our events?")
	if len(asked) == 0 || asked[0].count("Kafka keeps events for 14 days") == 0 {
		t.Errorf("the memory is not in the context: %s", c.said)
	}
}
