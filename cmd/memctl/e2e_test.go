package main

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// These tests run the real client with the hooks against a model on loopback that
// plays a script ("make e2e"). They need no key and no network, and they neither read
// nor change the configuration of a client on this machine.

// e2e turns these tests on; the client takes seconds.
const e2e = "MEMCTL_E2E"

const notesDecision = `{"title": "SQLite for the notes", "tags": ["notes", "database"], "content": {"status": "accepted",
 "context": "The notes need a database.", "decision": "SQLite, no server.", "rationale": ["There is one writer."]}}`

// The agent saves with Bash. In a mode that asks for permission, the client refuses a
// heredoc with JSON under any rule, but accepts a here-string.
func TestSessionInTheClient(t *testing.T) {
	program := findClient(t)
	const create = "memctl create --category decision --input - "
	for mode, command := range map[string]string{
		"bypassPermissions": create + "<<'END'\n" + notesDecision + "\nEND",
		"acceptEdits":       create + "<<< '" + notesDecision + "'",
	} {
		t.Run(mode, func(t *testing.T) {
			c := newClient(t, program, mode)
			c.install()
			c.saveDecision(command)
			c.remembersDecision()
		})
	}
}

// saveDecision plays a session in which the agent tries to write a memory by hand, makes
// a decision, is held up by the stop hook, and saves the decision with a command.
func (c *client) saveDecision(command string) {
	m := newModel(c.t,
		reply{tool: "Write", input: map[string]string{"file_path": c.path("decisions/by-hand.json"), "content": notesDecision}},
		reply{text: "We decided on SQLite because there is one writer.\nWe chose it over a server."},
		reply{tool: "Bash", input: map[string]string{"command": command, "description": "Save the decision"}},
		reply{text: "It is saved."},
	)
	asked := c.ask(m, evictionPrompt)
	if len(asked) != 4 {
		c.t.Fatalf("the model was asked %d times, want 4: %s", len(asked), c.said)
	}
	// In the digest, and in the memories of the prompt.
	if n := asked[0].count("the user has not seen these yet"); n != 2 {
		c.t.Errorf("the model learned %d times that the user has not seen memories, want 2", n)
	}
	if asked[0].count(" more memories; ") != 1 || asked[0].count("600 requests per minute and account") != 1 {
		c.t.Error("the digest of the memories did not reach the model, or the prompt repeated it")
	}
	if asked[0].count("- decision redis-eviction-p: Redis eviction: ") != 1 {
		c.t.Error("what the digest left out did not reach the model with the prompt")
	}
	if line := "Stop says: memctl: asks to save 1 decision\n"; !strings.Contains(c.shown, line) {
		c.t.Errorf("the person does not see %q but %q", line, c.shown)
	}
	if result, failed := asked[1].lastResult(); !failed || !strings.Contains(result, "is in a memory root") || !strings.Contains(result, "memctl create") {
		c.t.Errorf("the guard's words did not reach the model: %q", result)
	}
	if _, err := os.Stat(c.path("decisions/by-hand.json")); err == nil {
		c.t.Error("the guard did not keep the tool from writing")
	}
	if asked[2].count("[DECISION] We decided on SQLite") != 1 || asked[2].count("memctl stage show triage-") != 1 {
		c.t.Error("the agent was not asked before it stopped")
	}
	if question := asked[2].find("Before you stop, "); question == "" || strings.Count(strings.TrimSpace(question), "\n") >= 8 {
		c.t.Errorf("the question has more than eight lines: %s", question)
	}
	if result, failed := asked[3].lastResult(); failed || !strings.Contains(result, `"status": "created"`) {
		c.t.Errorf("the agent could not save: %q", result)
	}
	if asked[3].count("memctl stage show triage-") != 1 {
		c.t.Error("the agent was asked more than once")
	}
	if saved, err := os.ReadFile(c.path("decisions/sqlite-for-the-notes.json")); !strings.Contains(string(saved), "There is one writer.") {
		c.t.Errorf("the memory is not on disk: %v", err)
	}
	if _, err := os.Stat(filepath.Join(c.dir, ".claude/.stop_hook_active")); err == nil {
		c.t.Error("the flag of the stop is still there")
	}
}

// evictionPrompt is about one memory that the digest of the sample store leaves out, and
// about one that it has.
const evictionPrompt = "Hanbit Express refuses requests: which eviction policy has redis-coord?"

// remembersDecision plays a second session, which knows only what the first one saved.
func (c *client) remembersDecision() {
	asked := c.ask(newModel(c.t, reply{text: "SQLite."}), "which database do the notes use?")
	if len(asked) != 1 {
		c.t.Fatalf("the model was asked %d times, want 1: %s", len(asked), c.said)
	}
	if asked[0].count("- SQLite for the notes. SQLite, no server.\n") != 1 {
		c.t.Error("the next session does not know what the first one saved")
	}
	if asked[0].count("We decided") != 0 {
		c.t.Error("this is not a new session")
	}
}

// A subagent gets what fits its prompt and what stands, and its tools what they are about.
func TestSubagentInTheClient(t *testing.T) {
	c := newClient(t, findClient(t), "bypassPermissions")
	c.install()
	m := newModel(t,
		reply{tool: "Agent", input: map[string]any{"description": "Look", "prompt": evictionPrompt,
			"subagent_type": "general-purpose", "run_in_background": false}},
		reply{text: "It is noeviction."}, // of the subagent
		reply{text: "It is noeviction."},
	)
	asked := c.ask(m, "have somebody look")
	if len(asked) != 3 {
		t.Fatalf("the model was asked %d times, want 3: %s", len(asked), c.said)
	}
	if asked[1].count("have somebody look") != 0 || asked[1].count("</memory-context>") != 1 {
		t.Error("the subagent did not get a digest of its own, once")
	}
	for _, sentence := range []string{"redis-status (6 GB) has maxmemory-policy", "Sentinels (store.ErrNotFound) exist only"} {
		if asked[1].count(sentence) != 1 {
			t.Errorf("the subagent did not get %q once: %s", sentence, asked[1].find("<memory-context"))
		}
	}
	if asked[2].count("</memory-context>") != asked[0].count("</memory-context>") {
		t.Error("what the subagent got reached the session")
	}
}

// A session is asked by moments, in its second turn, and saves a text with the first call of the tool.
func TestMomentsInTheClient(t *testing.T) {
	c := newClient(t, findClient(t), "default")
	c.install()
	c.configure(`{"triage": {"strategy": "moments"}}`)
	const rule = "No, never write to the replica, since the nightly job reads it."
	asked := c.ask(newModel(t, reply{text: "The root cause was a stale lock. The job cannot run twice, so we decided on one writer."}), "why does the job hang?")
	const reminder = "memctl: if a later session would go wrong without these words of the user"
	if len(asked) != 1 || asked[0].count("before the turn ends, with "+saveTool) != 1 || asked[0].count(reminder) != 0 || c.shown != "" {
		t.Fatalf("the model was asked %d times, and the person sees %q: %s", len(asked), c.shown, c.said)
	}
	c.more = []string{"--continue"}
	asked = c.ask(newModel(t,
		reply{text: "The problem was the connection string. Writing is not possible there now."},
		reply{tool: "ToolSearch", input: toolInput{"query": "select:" + saveTool}},
		reply{tool: saveTool, input: toolInput{"text": "Never write to the replica: the nightly job reads it."}},
		reply{text: "It is saved."},
	), rule)
	if len(asked) != 4 || asked[0].count(reminder) != 1 {
		t.Fatalf("the model was asked %d times, want 4, and reminded to save %d times: %s", len(asked), asked[0].count(reminder), c.said)
	}
	question := asked[1].find("Before you stop: since turn 1, ")
	for _, want := range []string{"To save a text: " + saveTool + " ", "\n- user, turn 2: " + rule, "turn 1: The root cause"} {
		if !strings.Contains(question, want) {
			t.Errorf("the question does not say %q: %s", want, question)
		}
	}
	if result, failed := asked[3].lastResult(); failed || !strings.Contains(result, `"status":"created"`) {
		t.Errorf("the agent could not save: %q", result)
	}
	if saved, err := filepath.Glob(c.path("*/never-write-to-the-replica*.json")); len(saved) != 1 {
		t.Errorf("the memory is not on disk: %v", err)
	}
	const lines = "Stop says: memctl: asking the agent whether anything since turn 1 is worth saving\n" +
		"Stop says: memctl: a memory was saved or changed\n"
	if !strings.HasSuffix(c.shown, lines) {
		t.Errorf("the person sees %q, want %q", c.shown, lines)
	}
}

// A session with a broken configuration warns the person once, and the model never.
func TestWarningsInTheClient(t *testing.T) {
	c := newClient(t, findClient(t), "acceptEdits")
	c.install()
	c.check(os.WriteFile(c.path("memory-config.json"), []byte("{broken"), 0o600))
	asked := c.ask(newModel(t, reply{text: kafkaAnswer}), kafkaPrompt)
	if len(asked) != 2 || asked[1].count("memory-config.json") != 0 {
		t.Errorf("the model was asked %d times and gets the warning: %s", len(asked), c.said)
	}
	for _, warning := range []string{"memory-config.json: line 1", "1 file is not readable as a memory"} {
		if strings.Count(c.answers, warning) != 1 {
			t.Errorf("the person is not shown %q once: %s", warning, c.answers)
		}
	}
}

// In a project whose hooks find no memctl, the client shows nothing and no hook fails.
// A person whose own settings of the project say MEMCTL_HOOKS=off gets nothing of the project's hooks.
func TestSwitchedOffInTheClient(t *testing.T) {
	c := newClientIn(newProject(t), findClient(t), "bypassPermissions")
	c.install()
	memctl(t, c.dir, "", "add", "constraint", "Releases are never tagged on Fridays.")
	asksWith := func() int {
		asked := c.ask(newModel(t, reply{text: "Done."}), "when do we tag a release?")
		if len(asked) == 0 {
			t.Fatalf("the model was not asked: %s", c.said)
		}
		return asked[0].count("never tagged on Fridays")
	}
	if asksWith() == 0 {
		t.Fatal("the session does not have the rule")
	}
	c.check(os.WriteFile(filepath.Join(c.dir, ".claude", "settings.local.json"),
		[]byte(`{"env": {"MEMCTL_HOOKS": "off"}}`), 0o644))
	if asksWith() != 0 {
		t.Error("the session has the rule, although its hooks are off")
	}
}

func TestWithoutMemctlInTheClient(t *testing.T) {
	c := newClient(t, findClient(t), "acceptEdits")
	c.install()
	c.memctl = t.TempDir()
	write := map[string]string{"file_path": filepath.Join(c.dir, "notes.txt"), "content": "Kafka"}
	asked := c.ask(newModel(t, reply{tool: "Write", input: write}, reply{text: kafkaAnswer}), kafkaPrompt)
	if len(asked) != 2 || asked[1].count("hook error") != 0 || c.shown != "" {
		t.Errorf("the model was asked %d times, and the person sees %q: %s", len(asked), c.shown, c.said)
	}
	if !slices.Contains(c.hooks, "UserPromptSubmit success") || slices.ContainsFunc(c.hooks, func(hook string) bool { return !strings.HasSuffix(hook, " success") }) {
		t.Errorf("the hooks ended so: %q", c.hooks)
	}
}

// client is Claude Code with a temporary home, configuration and project.
type client struct {
	project
	program string
	mode    string   // of permissions
	base    string   // the folder of home, configuration and temporary files
	memctl  string   // the folder of memctl
	plugin  string   // the folder of a plugin, or ""
	more    []string // arguments
	said    string   // the end of its output, at most 4,000 bytes
	shown   string   // the lines for the person, without the hooks' output
	hooks   []string // each that ran, such as "Stop success"
	answers string   // of these hooks
}

// findClient returns the client's program, or skips the test and says why.
func findClient(t *testing.T) string {
	if os.Getenv(e2e) == "" {
		t.Skip("runs the real client: make e2e")
	}
	named := os.Getenv("CLAUDE_BIN")
	program, err := exec.LookPath(cmp.Or(named, "claude"))
	if err != nil && named != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip("SKIPPED: no Claude Code was found; put claude on the PATH, or name it in CLAUDE_BIN")
	}
	return program
}

func newClient(t *testing.T, program, mode string) *client {
	return newClientIn(parcelProject(t), program, mode)
}

func newClientIn(p project, program, mode string) *client {
	memctl, err := exec.LookPath("memctl")
	p.check(err)
	c := &client{project: p, program: program, mode: mode, base: p.t.TempDir(), memctl: filepath.Dir(memctl)}
	for _, dir := range []string{"home", "config", "tmp"} {
		c.check(os.Mkdir(filepath.Join(c.base, dir), 0o700))
	}
	c.trust(true)
	c.configure(`{"retrieval": {"match_strategy": "hybrid"}, "triage": {"strategy": "keywords"}}`)
	return c
}

// configure writes the project's configuration. The strategy "keywords" asks after a few words.
func (c *client) configure(settings string) {
	c.check(os.WriteFile(c.path("memory-config.json"), []byte(settings), 0o644))
}

// install registers the hooks in the project.
func (c *client) install() {
	memctl(c.t, c.dir, "", "install", "--permissions")
}

// noKey stands in for the key that the client wants.
const noKey = "not-a-key"

// editSettings changes the project's settings.
func (c *client) editSettings(edit func(map[string]any)) {
	editJSON(c.t, filepath.Join(c.dir, ".claude/settings.json"), edit)
}

// trust answers the questions that the client asks before it bypasses permissions, before
// it uses a key and, if the folder is trusted, before it applies the project's settings.
func (c *client) trust(folder bool) {
	type object = map[string]any
	dir, err := filepath.EvalSymlinks(c.dir)
	c.check(err)
	state, err := json.Marshal(object{
		"hasCompletedOnboarding":        true,
		"theme":                         "dark",
		"bypassPermissionsModeAccepted": true,
		"customApiKeyResponses":         object{"approved": []string{noKey}},
		"projects":                      object{dir: object{"hasTrustDialogAccepted": folder}},
	})
	c.check(err)
	c.check(os.WriteFile(filepath.Join(c.base, "config/.claude.json"), state, 0o600))
}

// ask starts a session with one prompt and returns what the model was asked.
func (c *client) ask(m *model, prompt string) []modelRequest {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.program, "-p", prompt, "--permission-mode", c.mode, "--output-format", "stream-json", "--verbose", "--include-hook-events")
	cmd.Args = append(cmd.Args, c.more...)
	if c.plugin != "" {
		cmd.Args = append(cmd.Args, "--plugin-dir", c.plugin)
	}
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.dir, c.env(m.URL), 5*time.Second
	out, err := cmd.CombinedOutput()
	c.said = string(out[max(0, len(out)-4000):])
	if err != nil {
		c.t.Fatalf("%s: %v\n%s", c.program, err, c.said)
	}
	c.readStream(out)
	return m.asked(c.t)
}

// env is the whole environment of the client.
func (c *client) env(url string) []string {
	path := strings.Join([]string{c.memctl, "/usr/local/bin", "/usr/bin", "/bin"}, string(filepath.ListSeparator))
	return []string{
		"PATH=" + path,
		"HOME=" + filepath.Join(c.base, "home"),
		"CLAUDE_CONFIG_DIR=" + filepath.Join(c.base, "config"),
		"TMPDIR=" + filepath.Join(c.base, "tmp"),
		"IS_SANDBOX=1", // lets root bypass permissions
		"SHELL=/bin/bash", "TERM=dumb", "LANG=C.UTF-8",
		"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=" + noKey,
		"HTTPS_PROXY=" + url, "HTTP_PROXY=" + url, "NO_PROXY=127.0.0.1",
		"DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	}
}

// readStream keeps the lines for the person, which a terminal would show, and how each
// hook ended. The stream has no such lines of a session's start.
func (c *client) readStream(stream []byte) {
	c.shown, c.hooks, c.answers = "", nil, ""
	for line := range strings.Lines(string(stream)) {
		var event struct {
			Subtype, Content, Outcome, Stdout string
			Hook                              string `json:"hook_event"`
		}
		switch {
		case json.Unmarshal([]byte(line), &event) != nil:
		case event.Subtype == "informational":
			c.shown += event.Content + "\n"
		case event.Subtype == "hook_response":
			c.hooks = append(c.hooks, event.Hook+" "+event.Outcome)
			c.answers += event.Stdout
		}
	}
}
