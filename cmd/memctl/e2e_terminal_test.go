package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// These tests hold what a person sees on a terminal of 120 columns, in a project with two
// memories. Each screen is compared with a file in testdata/screen, which "go test -update"
// writes.

const (
	kafkaPrompt = "why does kafka refuse large messages, and why does the consumer lag grow?"
	// kafkaAnswer is worth one memory.
	kafkaAnswer = "Kafka refuses it. We decided on object storage because photos are large.\nWe chose it over chunks."
)

// The prompt lists titles, the person sees which of them the agent opens, and the next prompt lists none again.
func TestScreenOfSessionInTheClient(t *testing.T) {
	c := newTerminalClient(t, "acceptEdits")
	c.install()
	open := map[string]string{"command": "memctl show kafka-m", "description": "Open the memory"}
	m := newModel(t, reply{tool: "Bash", input: open}, reply{text: kafkaAnswer}, reply{text: "There is nothing to add."},
		reply{text: "Two consumers are too few."})
	s := c.open(m)
	s.ask(kafkaPrompt, "There is nothing to add.")
	s.expect("session")
	s.ask(kafkaPrompt+" Once more.", "Two consumers are too few.")
	asked := m.asked(t)
	if len(asked) != 4 {
		t.Fatalf("the model was asked %d times", len(asked))
	}
	const line = "- constraint kafka-m: Kafka refuses messages larger than 1 MB"
	if asked[0].count(line) != 1 || asked[3].count(line) != 1 {
		t.Errorf("the list came %d times, and %d times with the next prompt", asked[0].count(line), asked[3].count(line))
	}
	if result, failed := asked[1].lastResult(); failed || !strings.Contains(result, "message.max.bytes") {
		t.Errorf("the agent opened %q", result)
	}
	if asked[2].count("memctl stage show triage-") != 1 {
		t.Error("the agent was not asked before it stopped")
	}
}

// However much there is to save, the question takes eight lines.
func TestScreenOfLongQuestionInTheClient(t *testing.T) {
	c := newTerminalClient(t, "acceptEdits")
	c.install()
	answer := kafkaAnswer + `
The upload failed with an error; the root cause was the broker's limit.
It failed again with an exception, fixed by a smaller payload.
It turns out that the platform cannot raise the limit.
We discovered that the quota is restricted permanently.
TODO: the workaround stays for now because a split is a risk.
We agreed on the convention: from now on, always use object storage as a rule.
The standard practice is to prefer keys going forward.`
	s := c.open(newModel(t, reply{text: answer}, reply{text: "There is nothing to add."}))
	s.ask(kafkaPrompt, "There is nothing to add.")
	s.expect("long-question")
}

// The agent saves with the server's tool, and the client asks the person nothing.
func TestScreenOfSaveInTheClient(t *testing.T) {
	c := newTerminalClient(t, "default")
	c.install()
	s := c.open(newModel(t,
		reply{tool: "ToolSearch", input: toolInput{"query": "select:" + saveTool}},
		reply{tool: saveTool, input: toolInput{"memory": palletLabel}},
		reply{text: "It is saved."},
	))
	s.ask("what do we do about grapefruit?", "It is saved.")
	s.expect("save")
	if _, err := os.Stat(c.path("constraints/grapefruit-pallets-need-a-phytosanitary-label.json")); err != nil {
		t.Error(err)
	}
}

func TestScreenOfGuardInTheClient(t *testing.T) {
	c := newTerminalClient(t, "acceptEdits")
	c.install()
	s := c.open(newModel(t, c.writeByHand(), reply{text: "It is refused."}))
	s.ask("save this", "It is refused.")
	s.expect("guard")
}

// A severe constraint asks the person before a command, and the person decides.
func TestScreenOfAskInTheClient(t *testing.T) {
	c := newTerminalClient(t, "bypassPermissions")
	c.configure(`{"retrieval": {"match_strategy": "hybrid"}, "moments": {"ask": true}}`)
	c.check(os.WriteFile(c.path("constraints/touch.json"), []byte(`{"title": "No markers", "tags": ["files"], "record_status": "active",
		"content": {"rule": "No marker files: `+"`touch`"+` is not for the work tree.", "severity": "high"}}`), 0o600))
	c.check(markSeen(filepath.Join(c.base, "home", ".local", "state", "memctl"), c.path(".")))
	c.install()
	confirm := exec.Command("memctl", "config", "confirm", "moments.ask")
	confirm.Dir, confirm.Env = c.dir, append(c.env(""), typedVariable+"=yes")
	if out, err := confirm.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	m := newModel(t, reply{tool: "Bash", input: toolInput{"command": "touch marker", "description": "Mark"}}, reply{text: "It is marked."})
	s := c.open(m)
	s.tmux("send-keys", "-l", "mark this")
	s.tmux("send-keys", "Enter")
	s.waitFor("Do you want to proceed?")
	if shown := s.text(); !strings.Contains(shown, `memctl: constraint "No markers" applies: No marker files: `) {
		t.Errorf("the question does not give the rule:\n%s", shown)
	}
	if _, err := os.Stat(filepath.Join(c.dir, "marker")); err == nil {
		t.Error("the command ran before the person agreed")
	}
	s.tmux("send-keys", "Enter")
	s.waitFor("It is marked.")
	if _, err := os.Stat(filepath.Join(c.dir, "marker")); err != nil {
		t.Error("the command did not run after the person agreed")
	}
	if asked := m.asked(t); len(asked) != 2 || asked[1].count("No marker files") < 1 {
		t.Errorf("the model was asked %d times, and did not get the rule", len(asked))
	}
}

// Without the guard, the hook after the tool sets an invalid memory aside.
func TestScreenAfterToolInTheClient(t *testing.T) {
	c := newTerminalClient(t, "bypassPermissions")
	c.install()
	c.editSettings(func(settings map[string]any) { delete(settings["hooks"].(map[string]any), "PreToolUse") })
	s := c.open(newModel(t, c.writeByHand(), reply{text: "It is set aside."}))
	s.ask("save this", "It is set aside.")
	s.expect("after-tool")
}

// writeByHand is an attempt of the agent to write a memory without memctl.
func (c *client) writeByHand() reply {
	return reply{tool: "Write", input: map[string]string{"file_path": c.path("decisions/by-hand.json"), "content": `{"title": "By hand"}`}}
}

// The person is warned at the start of each session, but not at its prompts and stops.
func TestScreenOfWarningsInTheClient(t *testing.T) {
	c := newTerminalClient(t, "acceptEdits")
	c.install()
	c.check(os.WriteFile(c.path("memory-config.json"), []byte("{broken"), 0o600))
	c.check(os.WriteFile(c.path("decisions/half.json"), []byte("<<<<<<< HEAD\n"), 0o600))
	s := c.open(newModel(t, reply{text: "It is too large."}, reply{text: "Two consumers are too few."}))
	s.ask(kafkaPrompt, "It is too large.")
	s.ask(kafkaPrompt+" Once more.", "Two consumers are too few.")
	s.expect("warnings")
	s.ask("/clear", "SessionStart:clear")
	s.expect("warnings-next-session")
}

// A teammate without memctl sees nothing of its hooks.
func TestScreenWithoutMemctlInTheClient(t *testing.T) {
	c := newTerminalClient(t, "acceptEdits")
	c.install()
	c.memctl = t.TempDir()
	write := map[string]string{"file_path": filepath.Join(c.dir, "notes.txt"), "content": "Kafka"}
	s := c.open(newModel(t, reply{tool: "Write", input: write}, reply{text: kafkaAnswer}))
	s.ask(kafkaPrompt, "over chunks.")
	s.expect("without-memctl")
	if _, below, _ := strings.Cut(s.text(), kafkaPrompt); strings.Contains(below, "memctl") {
		t.Errorf("the screen names memctl:\n%s", below)
	}
}

// With the plugin too, each thing is shown once.
func TestScreenWithPluginInTheClient(t *testing.T) {
	c := newTerminalClient(t, "acceptEdits")
	c.plugin = c.makePlugin("plugin")
	c.install()
	s := c.open(newModel(t, reply{text: kafkaAnswer}, reply{text: "There is nothing to add."}))
	s.ask(kafkaPrompt, "There is nothing to add.")
	s.expect("plugin")
}

// The client asks whether the person trusts a new folder. It does not ask about the
// server, because install has approved it.
func TestScreenOfFirstStartInTheClient(t *testing.T) {
	c := newTerminalClient(t, "acceptEdits")
	c.trust(false)
	memctl(t, c.dir, "", "install")
	s := c.start(newModel(t))
	s.waitFor("Enter to confirm")
	s.expect("trust")
	s.tmux("send-keys", "Down", "Enter")
	s.waitFor("review them with")
	s.expect("first-start")
}

// The client asks about a server that a teammate registered and install has not approved.
func TestScreenOfServerInTheClient(t *testing.T) {
	c := newTerminalClient(t, "acceptEdits")
	memctl(t, c.dir, "", "install", "--no-mcp")
	c.check(os.WriteFile(filepath.Join(c.dir, ".mcp.json"), []byte(`{"mcpServers": {"memctl": {"command": "memctl", "args": ["mcp"]}}}`), 0o600))
	s := c.start(newModel(t))
	s.waitFor("Enter to confirm")
	s.expect("server")
}

// After a compaction the context is new, and the digest of the memories comes again.
func TestCompactionInTheClient(t *testing.T) {
	c := newTerminalClient(t, "acceptEdits")
	c.configure(`{"retrieval": {"match_strategy": "hybrid"}, "triage": {"enabled": false}}`)
	c.install()
	m := newModel(t, reply{text: "It is too large."})
	s := c.open(m)
	s.ask(kafkaPrompt, "It is too large.")
	s.ask("/compact", "Compacted")
	s.ask("and why does the lag grow?", "There is nothing more to say.")
	asked := m.asked(t)
	first, last := asked[0], asked[len(asked)-1]
	if first.count("above 900 kB before compression") != 1 || first.count("There are no other memories.") != 1 {
		t.Error("the digest did not reach the model once at the start")
	}
	if last.count("It is too large.") != 0 {
		t.Error("the client has not compacted the session")
	}
	if last.count("above 900 kB before compression") != 1 || last.count("There are no other memories.") != 1 {
		t.Error("the digest did not reach the model once after the compaction")
	}
}
