package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A session in which a command failed until another one had run leaves a line to the next ones: at their start, which
// is before the command, and once more if the command fails.
func TestFixesInTheClient(t *testing.T) {
	c := newClient(t, findClient(t), "bypassPermissions")
	c.install()
	c.configure(`{"retrieval": {"match_strategy": "hybrid"}, "observations": {"enabled": true}}`)
	token := filepath.Join(c.dir, "token")
	c.check(os.WriteFile(filepath.Join(c.dir, "deploy.sh"), []byte("cat token\n"), 0o644))
	c.check(os.WriteFile(filepath.Join(c.dir, "login.sh"), []byte("echo secret > token\n"), 0o644))
	run := func(command string) reply {
		return reply{tool: "Bash", input: map[string]string{"command": command, "description": "Run it"}}
	}
	const line = "memctl: `sh deploy.sh` failed 3 times on "
	deploy, login, done := run("sh deploy.sh"), run("sh login.sh"), reply{text: "It is deployed."}
	counts := func(replies ...reply) (list []int) {
		for _, asked := range c.ask(newModel(t, replies...), "deploy it") {
			list = append(list, asked.count(line))
		}
		return list
	}
	expect := func(session string, got []int, want ...int) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: the model was asked %d times, want %d: %s", session, len(got), len(want), c.said)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: the requests have the line %d times, want %d", session, got, want)
				return
			}
		}
	}
	expect("the first session", counts(deploy, deploy, deploy, login, deploy, done), 0, 0, 0, 0, 0, 0)
	expect("the next one", counts(run("ls"), deploy, done), 1, 1, 1)
	c.check(os.Remove(token))
	expect("one in which it fails", counts(deploy, deploy, done), 1, 2, 2)
}
