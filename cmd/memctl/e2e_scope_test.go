package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// indentation is a draft of a preference.
func indentation(title, value string) toolInput {
	return toolInput{
		"category": "preference", "title": title, "tags": []string{"indentation", "style"},
		"content": toolInput{"topic": "Indentation", "value": value, "reason": "It was agreed.", "strength": "strong"},
	}
}

const indentationPrompt = "which indentation style do we use here?"

// What an agent saves in one project with scope user reaches the prompts of another one,
// until a preference of that project stands for it.
func TestUsersMemoriesInTheClient(t *testing.T) {
	program := findClient(t)
	first := newClient(t, program, "default")
	home := filepath.Join(first.base, "home")
	t.Setenv("HOME", home)
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(first.base, "config"))
	t.Setenv("MEMCTL_USER_ROOT", "")
	memctl(t, first.dir, "", "init", "--user")
	first.install()
	first.saveOwn(indentation("Indentation is a tab everywhere", "tabs"))

	second := newClient(t, program, "default")
	second.base = first.base // the same person
	second.trust(true)
	second.install()
	const own = "PREFERENCE\n- Indentation is a tab everywhere. tabs\n"
	if asked := second.ask(newModel(t, reply{text: "Tabs."}), indentationPrompt); len(asked) != 1 || asked[0].count(own) != 1 {
		t.Errorf("the model was asked %d times and does not know the user's memory: %s", len(asked), second.said)
	}

	memctl(t, second.dir, "", "add", "preference", "Indentation is two spaces here.", "--topic", "indentation", "--tag", "style")
	const projects = "\n- Indentation is two spaces here"
	asked := second.ask(newModel(t, reply{text: "Two spaces."}), indentationPrompt)
	if len(asked) != 1 || asked[0].count(projects) != 1 || asked[0].count(own) != 0 {
		t.Errorf("the project's preference does not stand for the user's: %s", second.said)
	}

	report, _ := memctl(t, second.dir, "", "doctor", "--json")
	for _, root := range []string{`"root": "` + second.path(), `"user_root": "` + filepath.Join(home, ".claude/memory")} {
		if !strings.Contains(report, root) {
			t.Errorf("doctor does not say %s: %s", root, report)
		}
	}
}

// saveOwn plays a session in which the agent saves one of the user's own memories.
func (c *client) saveOwn(memory toolInput) {
	m := newModel(c.t,
		reply{tool: "ToolSearch", input: toolInput{"query": "select:" + saveTool}},
		reply{tool: saveTool, input: toolInput{"memory": memory, "scope": "user"}},
		reply{text: "It is saved."},
	)
	asked := c.ask(m, "remember how I indent, in every project")
	if len(asked) < 3 {
		c.t.Fatalf("the model was asked %d times: %s", len(asked), c.said)
	}
	if result, failed := asked[2].lastResult(); failed || !strings.Contains(result, `"status":"created"`) || !strings.Contains(result, `"scope":"user"`) {
		c.t.Errorf("the agent could not save: %q", result)
	}
	if _, err := os.Stat(c.path("preferences/indentation-is-a-tab-everywhere.json")); err == nil {
		c.t.Error("the memory is in the project")
	}
}
