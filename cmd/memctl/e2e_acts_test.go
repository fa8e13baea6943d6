package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// In the real client, without a person: a file's rule comes with what is read, before the first edit, which repeats
// nothing; a forced push is stopped once, with the rule, and goes through if it is repeated; after forty more turns the
// rule comes again at its file.
func TestActsInTheClient(t *testing.T) {
	c := newClientIn(newProject(t), findClient(t), "bypassPermissions")
	c.install()
	for name, content := range map[string]string{"pay.go": "package pay\n", "other.txt": "x\n"} {
		c.check(os.WriteFile(filepath.Join(c.dir, name), []byte(content), 0o644))
	}
	add := func(text string) reply {
		return reply{tool: "Bash", input: toolInput{"command": "memctl add constraint '" + text + "'", "description": "save"}}
	}
	c.ask(newModel(t, add("Amounts in pay.go are whole cents, never floats."),
		add("Never `git push --force` here: the mirror breaks."), reply{text: "Saved."}), "save two rules")
	read := func(name string) reply {
		return reply{tool: "Read", input: toolInput{"file_path": filepath.Join(c.dir, name)}}
	}
	edit := func(old, new string) reply {
		return reply{tool: "Edit", input: toolInput{"file_path": filepath.Join(c.dir, "pay.go"), "old_string": old,
			"new_string": new}}
	}
	push := reply{tool: "Bash", input: toolInput{"command": "git push --force origin main", "description": "push"}}
	replies := []reply{read("pay.go"), edit("package pay", "package pay // cents"), push, push}
	for range 40 {
		replies = append(replies, read("other.txt"))
	}
	replies = append(replies, edit("// cents", "// whole cents"), reply{text: "Done."})
	asked := c.ask(newModel(t, replies...), "charge the card")
	if len(asked) < len(replies) {
		t.Fatalf("the model was asked %d times: %s", len(asked), c.said)
	}
	const rule, forced = "-> .claude/memory/constraints/amounts-in-pay-go", "constraints/never-git-push-force"
	for _, want := range []struct {
		request, rules, stops int
		what                  string
	}{
		{0, 0, 0, "the prompt"}, {1, 1, 0, "what is read"}, {2, 1, 0, "the edit"}, {3, 1, 1, "the push"},
		{4, 1, 1, "the repeated push"}, {44, 1, 1, "forty more turns"}, {45, 2, 1, "the next edit"},
	} {
		given := asked[want.request]
		if n := given.count(rule); n != want.rules+asked[0].count(rule) {
			t.Errorf("after %s the rule was given %d times", want.what, n)
		}
		if n := strings.Count(given.find("memctl stops this call once"), forced); min(n, 1) != want.stops {
			t.Errorf("after %s the push was stopped %d times", want.what, n)
		}
	}
	if result, failed := asked[3].lastResult(); !failed || !strings.Contains(result, "it goes through") {
		t.Errorf("the first push: %q", result)
	}
	if result, _ := asked[4].lastResult(); strings.Contains(result, "memctl") {
		t.Errorf("the repeated push did not go through: %q", result)
	}
}
