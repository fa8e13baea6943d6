package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A session of the real client starts with where the one before stopped: what it was about, the file that it changed, and
// what its last answer left open. A rule that it saved names that file, and comes back at the next edit of it.
func TestLastSessionInTheClient(t *testing.T) {
	c := newClientIn(newProject(t), findClient(t), "bypassPermissions")
	c.install()
	file := filepath.Join(c.dir, "send.txt")
	c.check(os.WriteFile(file, []byte("old\n"), 0o644))
	edit := func(old, new string) []reply {
		return []reply{{tool: "Read", input: toolInput{"file_path": file}},
			{tool: "Edit", input: toolInput{"file_path": file, "old_string": old, "new_string": new}}}
	}
	replies := append(edit("old", "new"), reply{tool: "ToolSearch", input: toolInput{"query": "select:" + saveTool}},
		reply{tool: saveTool, input: toolInput{"text": "Senders carry the name of the operation."}},
		reply{text: "The sender uses the queue.\n\nNext steps:\n- the backoff for 429s"})
	if asked := c.ask(newModel(t, replies...), "move the sender to the queue, with the name of the operation"); len(asked) < len(replies) {
		t.Fatalf("the model was asked %d times: %s", len(asked), c.said)
	}
	asked := c.ask(newModel(t, append(edit("new", "newer"), reply{text: "Done."})...), "hello again, go on please")
	if len(asked) < 3 {
		t.Fatalf("the model was asked %d times: %s", len(asked), c.said)
	}
	start := asked[0].find("Last session (")
	for _, want := range []string{`"move the sender to the queue`, "changed send.txt.", "Open: the backoff for 429s"} {
		if !strings.Contains(start, want) {
			t.Errorf("the start does not have %q: %.400s", want, start)
		}
	}
	if got := asked[2].count("-> .claude/memory/preferences/senders-carry"); got != 1 {
		t.Errorf("the edit gets the rule %d times", got)
	}
}
