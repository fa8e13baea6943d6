package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memctl/clients"
)

// Of twenty things that the agent is to remember it saves ten into the client's own notes and ten
// with memctl's tool. The next prompts find all of them.
func TestNotesInTheClient(t *testing.T) {
	c := newClient(t, findClient(t), "bypassPermissions")
	t.Setenv("HOME", filepath.Join(c.base, "home"))
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(c.base, "config"))
	c.install()
	var replies []reply
	var subjects, found []string // what a prompt receives of each
	for i, s := range []string{"zeppelin", "marimba", "quokka", "tundra", "saffron", "obelisk", "walnut", "gazebo", "pelican", "turbine"} {
		path := filepath.Join(clients.ProjectNotes(c.dir), s+"_notes.md")
		note := fmt.Sprintf("---\nname: %s-notes\ndescription: The %[1]s service listens on port %d\nmetadata:\n  type: project\n---\n\n"+
			"The %[1]s service listens on port %d.\n", s, 7000+i, 7000+i)
		replies = append(replies, reply{tool: "Write", input: toolInput{"file_path": path, "content": note}})
		subjects, found = append(subjects, "on which port does the "+s+" service listen?"), append(found, fmt.Sprintf("The %s service listens on port %d (a note of Claude Code)", s, 7000+i))
	}
	replies = append(replies, reply{tool: "ToolSearch", input: toolInput{"query": "select:" + saveTool}})
	for prompt, text := range map[string]string{
		"what is the colour of the lantern?":     "Lanterns are painted in cobalt blue, never in red.",
		"how do we ship mangos?":                 "Mangos travel in boxes of forty because of customs.",
		"how deep is the glacier drilled?":       "Glacier drilling stops at ninety metres.",
		"who feeds the falcon?":                  "Falcons are fed by Mireille before sunrise.",
		"how is bamboo dried?":                   "Bamboo dries for six weeks under the roof.",
		"where is the sextant calibrated?":       "Sextant calibration happens in Lisbon.",
		"what is done with parsnips in winter?":  "Parsnips stay in sand through winter.",
		"which strings has the violin?":          "Violin strings come from the Kraków workshop.",
		"how many harpoons may the museum lend?": "The museum lends two harpoons a year at most.",
		"what does the beekeeper do with smoke?": "Beekeepers must not use smoke near the hives after noon.",
	} {
		replies = append(replies, reply{tool: saveTool, input: toolInput{"text": text}})
		subjects, found = append(subjects, prompt), append(found, strings.TrimSuffix(text, ".")) // from the digest or for the prompt
	}
	c.ask(newModel(t, append(replies, reply{text: "Noted."})...), "remember the ports of the services")
	for i, s := range subjects {
		asked := c.ask(newModel(t, reply{text: "Yes."}), s)
		if len(asked) == 0 {
			t.Fatal(c.said)
		}
		if asked[0].count(found[i]) == 0 {
			t.Errorf("%s %q is not found: %s", s, found[i], asked[0].find("<memory-context"))
		}
	}
}

// The client's own memory has a section in the system prompt and its index in the first message,
// until --notes move switches it off.
func TestOwnMemoryOffInTheClient(t *testing.T) {
	c := newClient(t, findClient(t), "bypassPermissions")
	t.Setenv("HOME", filepath.Join(c.base, "home"))
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(c.base, "config"))
	folder := clients.ProjectNotes(c.dir)
	c.check(os.MkdirAll(folder, 0o700))
	for name, data := range map[string]string{"MEMORY.md": "- [Ports](ports.md) of the zeppelin\n", "ports.md": "The zeppelin service listens on port 7000.\n"} {
		c.check(os.WriteFile(filepath.Join(folder, name), []byte(data), 0o600))
	}
	// Without a transcript of a past session beside them, notes may be another project's.
	past := fmt.Sprintf("{\"cwd\":%q,\"sessionId\":\"past\"}\n", c.dir)
	c.check(os.WriteFile(filepath.Join(filepath.Dir(folder), "past.jsonl"), []byte(past), 0o600))
	for _, choice := range []string{"read", "move"} {
		memctl(t, c.dir, "", "install", "--permissions", "--notes", choice)
		asked := c.ask(newModel(t, reply{text: "Yes."}), "on which port does the zeppelin service listen?")
		if len(asked) == 0 {
			t.Fatal(c.said)
		}
		system := slices.ContainsFunc(stringsIn(asked[0].System), func(s string) bool { return strings.Contains(s, folder) })
		index := asked[0].count("of the zeppelin") > 0
		if on := choice == "read"; system != on || index != on {
			t.Errorf("%s: the section of the client's memory is there: %t, its index: %t", choice, system, index)
		}
		if asked[0].count("The zeppelin service listens on port 7000") == 0 {
			t.Errorf("%s: the prompt did not receive what the note says: %s", choice, c.said)
		}
	}
}
