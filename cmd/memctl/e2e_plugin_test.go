package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"memctl/triage"
)

// The plugin's hooks and server work wherever the plugin is, and without a memctl on the
// PATH. If the settings run the hooks too, each does its work once.
func TestPluginInTheClient(t *testing.T) {
	program := findClient(t)
	withPlugin := func(t *testing.T) *client {
		c := newClient(t, program, "default")
		c.plugin = c.makePlugin(`the "plugins" of $HOME & it's`)
		return c
	}
	for name, tt := range map[string]struct {
		onPath, settings bool
		tool             string // that the question before a stop names
	}{
		"the plugin alone":                  {false, false, triage.PluginSaveTool},
		"with settings that find no memctl": {false, true, triage.PluginSaveTool},
		"with settings":                     {true, true, triage.SaveTool},
	} {
		t.Run(name, func(t *testing.T) {
			c := withPlugin(t)
			if !tt.onPath {
				c.memctl = t.TempDir()
			}
			if tt.settings {
				memctl(t, c.dir, "", "install", "--no-mcp")
			}
			asked := c.ask(newModel(t, reply{text: kafkaAnswer}), evictionPrompt)
			if len(asked) != 2 {
				t.Fatalf("the model was asked %d times, want 2: %s", len(asked), c.said)
			}
			for _, given := range []string{" more memories; ", "- decision redis-eviction-p: "} {
				if asked[0].count(given) != 1 {
					t.Errorf("%q reached the model %d times", given, asked[0].count(given))
				}
			}
			if asked[1].count("with the tool "+tt.tool) != 1 {
				t.Errorf("the question does not name the tool %s: %s", tt.tool, asked[1].find("Before you stop"))
			}
		})
	}
	c := withPlugin(t)
	c.memctl = t.TempDir()
	m := newModel(t,
		reply{tool: "ToolSearch", input: toolInput{"query": "select:" + triage.PluginSaveTool}},
		reply{tool: triage.PluginSaveTool, input: toolInput{"memory": palletLabel}},
		reply{text: "It is saved."},
	)
	c.check(os.WriteFile(filepath.Join(c.dir, ".claude/settings.json"), []byte(`{"permissions": {"allow": ["`+triage.PluginSaveTool+`"]}}`), 0o600))
	if asked := c.ask(m, "what do we do about grapefruit?"); len(asked) != 3 {
		t.Errorf("the model was asked %d times: %s", len(asked), c.said)
	}
	if _, err := os.Stat(c.path("constraints/grapefruit-pallets-need-a-phytosanitary-label.json")); err != nil {
		t.Error(err)
	}
}

// makePlugin puts the plugin with its program into a folder of that name.
func (c *client) makePlugin(name string) string {
	plugin := filepath.Join(c.base, name)
	for _, part := range []string{".claude-plugin", "commands", "skills", "hooks"} {
		c.check(os.CopyFS(filepath.Join(plugin, part), os.DirFS(filepath.Join(pluginRoot, part))))
	}
	program, err := exec.LookPath("memctl")
	c.check(err)
	c.check(os.Mkdir(filepath.Join(plugin, "bin"), 0o755))
	c.check(os.Link(program, filepath.Join(plugin, "bin", "memctl")))
	return plugin
}
