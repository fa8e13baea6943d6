package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memctl/cmd/console"
	"memctl/files"

	"golang.org/x/sys/unix"
)

// On a terminal, add asks for each field.
func TestAddAsksOnATerminal(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args  []string
		typed []string
		code  int
		says  string            // on the screen
		saved map[string]string // what is in each file, besides Kafka's
	}{
		"a decision": {
			args: []string{"add"},
			typed: []string{"x\n", "7\n", "1\n", "\n", "웹훅은 세 번 다시 시도한다\n", "maybe\n", "\n", "Payments were lost\n", "Retry three times\n",
				"Twice: too few\n", "\n", "It helped\n", "cheap, too\n", "\n", "\n", "retry, 웹훅\n", "\n", "0.9\n"},
			says: "title: One line that names the memory",
			saved: map[string]string{"decisions/webhugeun-se-beon-dasi-sidohanda.json": `(?s)"tags": \[\s+"retry",\s+"웹훅"\s+\],\s+"confidence": 0.9,.*"status": "accepted",\s+"context": "Payments were lost",` +
				`\s+"decision": "Retry three times",\s+"alternatives": \[\s+\{\s+"option": "Twice",\s+"rejected_reason": "too few"\s+\}\s+\],\s+"rationale": \[\s+"It helped",\s+"cheap, too"\s+\]\s+\}`},
		},
		"no more than the command asks for": {
			args:  []string{"add", "decision"},
			typed: []string{"\n", "Retry\n", "\n", "\n", "\n", "\n", "\n", "\n", "\n", "\n", "\n"},
			says:  "this field is required",
			saved: map[string]string{"decisions/retry.json": `(?s)"context": "",\s+"decision": "Retry",\s+"rationale": \[\s+""\s+\]`},
		},
		"what flags do not give": {
			args:  []string{"add", "constraint", "--rule", "No IPv6", "--impact", "Proxies", "--kind", "policy"},
			typed: []string{"IPv6\n", "\n", "\n", "perhaps\n", "n\n", "\n", "\n", "\n", "2\n", "\n"},
			says:  `expected yes or no, got "perhaps"`,
			saved: map[string]string{"constraints/ipv6.json": `(?s)"untagged".*"rule": "No IPv6".*"active": false`},
		},
		"what another memory says, anyway": {
			args:  []string{"add", "preference"},
			typed: []string{"Use Kafka\n", "Kafka\n", "Use it\n", "fast\n", "\n", "\n", "\n", "\n", "\n", "\n", "y\n"},
			says:  `preferences/use-kafka.json already says this: "Use Kafka. Kafka, or none. Use it. Fast. It is cheap"`,
			saved: map[string]string{"preferences/use-kafka-2.json": `"reason": "fast"`},
		},
		"what another memory says, after all not": {
			args:  []string{"add", "preference"},
			typed: []string{"Use Kafka\n", "Kafka\n", "Use it\n", "fast\n", "\n", "\n", "\n", "\n", "\n", "\n", "n\n"},
			code:  console.ExitFailed,
			says:  `"memctl create --category preference --input FILE" takes them`,
		},
		"Ctrl-C":           {args: []string{"add", "debt"}, typed: []string{"A title\n", "\x03"}, code: console.ExitStopped, says: "memctl: stopped"},
		"Ctrl-D":           {args: []string{"add"}, typed: []string{"2\n", "\x04"}, code: console.ExitFailed, says: "the answers ended early; nothing was saved"},
		"arrow keys":       {args: []string{"add", "debt"}, typed: []string{"Flaky\x1b[D\n", "\x03"}, code: console.ExitStopped, says: "arrow keys do not work here"},
		"a text":           {args: []string{"add", "debt", "-"}, typed: []string{"Flaky tests\n\x04"}, says: "reading the text from the terminal", saved: map[string]string{"tech-debt/flaky-tests.json": `"description": "Flaky tests"`}},
		"an unread draft":  {args: []string{"create", "--category", "decision", "--input", "-"}, typed: []string{"\x03"}, code: console.ExitStopped, says: "reading the memory from the terminal; press Ctrl-D"},
		"a draft, unended": {args: []string{"stage", "put", "--category", "decision", "--input", "-"}, typed: []string{"{\n\x04"}, code: console.ExitFailed, says: "INPUT_ERROR"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			memctl(t, p.dir, "", "add", "preference", "--title", "Use Kafka", "--topic", "Kafka, or none", "--reason", "Fast. It is cheap", "Use it")
			seen, code := typeInto(t, p.dir, tt.typed, tt.args...)
			if code != tt.code || !strings.Contains(seen, tt.says) {
				t.Errorf("exit status %d, want %d; no %q in\n%s", code, tt.code, tt.says, seen)
			}
			files, err := filepath.Glob(p.path("*/*.json"))
			if p.check(err); len(files) != len(tt.saved)+1 {
				t.Errorf("saved %v", files)
			}
			for path, want := range tt.saved {
				data, err := os.ReadFile(p.path(path))
				if p.check(err); !regexp.MustCompile(want).Match(data) {
					t.Errorf("%s has no %s:\n%s", path, want, data)
				}
			}
		})
	}
}

// On a terminal, install --git asks once whose the history of the memories is. The answer is a setting.
func TestInstallGitAsksAboutHistory(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		typed []string
		saved string
	}{
		"return is yes": {typed: []string{"\n"}, saved: `"history": true`},
		"no":            {typed: []string{"n\n"}, saved: `"history": false`},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, false)
			seen, code := typeInto(t, r.dir, tt.typed, "install", "--git")
			if code != 0 || strings.Count(seen, "Leave the history of the memories in .claude/memory to git's log?") != 1 {
				t.Errorf("exit status %d:\n%s", code, seen)
			}
			config, err := os.ReadFile(r.path(files.ConfigName))
			if r.check(err); !strings.Contains(string(config), tt.saved) {
				t.Errorf("no %s in\n%s", tt.saved, config)
			}
			if again, code := typeInto(t, r.dir, nil, "install", "--git"); code != 0 || strings.Contains(again, "Leave the history") {
				t.Errorf("it asks again, exit status %d:\n%s", code, again)
			}
		})
	}
}

// On a terminal, edit offers to open the editor again, with the text as it was left.
func TestEditOffersToReopen(t *testing.T) {
	const path = "preferences/use-kafka-always.json"
	tests := map[string]struct {
		typed    []string
		code     int
		strength string
	}{
		"Return":  {[]string{"\n"}, 0, "soft"},
		"yes":     {[]string{"Yes\n"}, 0, "soft"},
		"no":      {[]string{"n\n"}, console.ExitFailed, "default"},
		"Ctrl-D":  {[]string{"\x04"}, console.ExitFailed, "default"},
		"Ctrl-C":  {[]string{"\x03"}, console.ExitFailed, "default"},
		"no, yes": {[]string{"\n", "n\n"}, console.ExitFailed, "default"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			memctl(t, p.dir, "", "add", "preference", "Use Kafka always", "--strength", "default")
			second := "soft"
			if len(tt.typed) > 1 {
				second = "wrong again"
			}
			editor := filepath.Join(p.dir, "editor.sh")
			p.check(os.WriteFile(editor, []byte("sed -i -e 's/: \"wrong\"/: \""+second+"\"/; s/: \"default\"/: \"wrong\"/' \"$1\"\n"), 0o644))
			t.Setenv("VISUAL", "")
			t.Setenv("EDITOR", "sh "+editor)
			seen, code := typeInto(t, p.dir, tt.typed, "edit", "use-kafka")
			data, err := os.ReadFile(p.path(path))
			if p.check(err); code != tt.code || !strings.Contains(string(data), `"strength": "`+tt.strength+`"`) {
				t.Errorf("exit status %d, want %d:\n%s\n%s", code, tt.code, seen, data)
			}
			if !strings.Contains(seen, `content.strength: expected one of strong, default, soft, got "wrong"`) {
				t.Errorf("does not say what is wrong: %s", seen)
			}
			kept := regexp.MustCompile(`your text is in (\S+)`).FindStringSubmatch(seen)
			if kept == nil {
				t.Fatalf("does not say where the text is: %s", seen)
			}
			if _, err := os.Stat(kept[1]); (err == nil) != (tt.code != 0) {
				t.Errorf("the text: %v", err)
			}
		})
	}
}

// What only a person may is asked on the terminal itself: no answer comes from stdin or a flag.
func TestAPersonIsAskedOnTheTerminal(t *testing.T) {
	hub := []string{"config", "set", "hub.url", "https://hub.example", "--user"}
	for name, tt := range map[string]struct {
		args    []string
		answer  string // "" for no terminal
		code    int
		says    string
		allowed bool
	}{
		"yes":              {hub, "y\n", 0, "memctl then sends your hub token, and what is asked with --hub, to hub.example. Allow it?", true},
		"no":               {hub, "n\n", console.ExitFailed, "not allowed: nothing was changed", false},
		"return":           {hub, "\n", console.ExitFailed, "not allowed: nothing was changed", false},
		"Ctrl-D":           {hub, "\x04", console.ExitFailed, "not allowed: nothing was changed", false},
		"no terminal":      {hub, "", console.ExitFailed, "only a person on a terminal may do this, and there is none", false},
		"install --yes":    {[]string{"install", "--yes"}, "", console.ExitFailed, "only a person on a terminal", false},
		"sessions forget":  {[]string{"sessions", "forget", "5b1c"}, "", console.ExitFailed, "only a person on a terminal", false},
		"roots add":        {[]string{"roots", "add"}, "", console.ExitFailed, "only a person on a terminal", false},
		"a plain setting":  {[]string{"config", "set", "retrieval.max_inject", "7", "--user"}, "", 0, "max_inject", false},
		"what lifts none":  {[]string{"config", "set", "sources.agent_all", "false", "--user"}, "", 0, "agent_all", false},
		"back to defaults": {[]string{"config", "unset", "hub.url", "--user"}, "", 0, "hub.url", false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			t.Setenv("MEMCTL_USER_ROOT", filepath.Join(t.TempDir(), "mine"))
			memctl(t, p.dir, "", "init", "--user")
			seen, code := "", 0
			if tt.answer != "" {
				seen, code = typeInto(t, p.dir, []string{tt.answer}, tt.args...)
			} else {
				cmd := exec.Command("memctl", tt.args...)
				cmd.Dir, cmd.Stdin = p.dir, strings.NewReader("y\ny\n")
				cmd.Env = append(os.Environ(), "HOME="+p.dir, "CLAUDE_PROJECT_DIR=", "MEMCTL_ROOT=")
				cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true}
				out, _ := cmd.CombinedOutput()
				seen, code = string(out), cmd.ProcessState.ExitCode()
			}
			if code != tt.code || !strings.Contains(seen, tt.says) {
				t.Errorf("exit status %d, want %d; no %q in\n%s", code, tt.code, tt.says, seen)
			}
			config, err := os.ReadFile(filepath.Join(os.Getenv("MEMCTL_USER_ROOT"), files.ConfigName))
			if p.check(err); strings.Contains(string(config), "hub.example") != tt.allowed {
				t.Errorf("the settings:\n%s", config)
			}
		})
	}
}

// Ctrl-C ends a command that asks after the pager has shown its list.
func TestCtrlCStopsAfterThePager(t *testing.T) {
	p := newProject(t)
	t.Setenv("PAGER", "sed s/^/paged:/")
	p.check(os.MkdirAll(p.path("decisions"), 0o755))
	p.check(exec.Command("git", "-C", p.dir, "init", "--quiet").Run())
	for i := range 30 {
		data := fmt.Sprintf(`{"title": "Kafka keeps %d events", "tags": ["queue"]}`, i)
		p.check(os.WriteFile(p.path(fmt.Sprintf("decisions/kafka-%d.json", i)), []byte(data), 0o644))
	}
	seen, code := typeInto(t, p.dir, []string{"\x03"}, "trust")
	if !strings.Contains(seen, "paged:") || !strings.Contains(seen, "stopped") || code != console.ExitStopped {
		t.Errorf("exit status %d:\n%s", code, seen)
	}
}

// prompts end what the screen shows while memctl waits for an answer.
var prompts = []string{"> ", "- ", "category? ", "[Y/n] ", "[y/N] ", "empty line to end it\r\n"}

// typeInto runs memctl on a terminal, types an answer at each prompt, and returns what
// the terminal showed.
func typeInto(t *testing.T, dir string, typed []string, args ...string) (seen string, code int) {
	t.Helper()
	keyboard, terminal := openTerminal(t)
	cmd := exec.Command("memctl", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm", "HOME="+dir, "CLAUDE_PROJECT_DIR=", "MEMCTL_ROOT=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	for buf := make([]byte, 1<<12); ; {
		n, err := keyboard.Read(buf)
		seen += string(buf[:n])
		asks := slices.ContainsFunc(prompts, func(prompt string) bool { return strings.HasSuffix(seen, prompt) })
		if n > 0 && asks && len(typed) > 0 {
			io.WriteString(keyboard, typed[0])
			typed = typed[1:]
		}
		if err != nil { // memctl has ended
			cmd.Wait()
			if len(typed) > 0 {
				t.Errorf("did not ask for %q:\n%s", typed, seen)
			}
			return seen, cmd.ProcessState.ExitCode()
		}
	}
}

// On a terminal, review asks about each finding, and takes the keys of the page.
func TestReviewAsksOneByOne(t *testing.T) {
	tests := map[string]struct {
		typed []string
		says  []string
		file  string // what the first one says afterwards
	}{
		"retire, skip":     {[]string{"r\n", "s\n"}, []string{"1 of 2  missing  Use Kafka always", "answered 1 of 2 findings"}, `"record_status": "retired"`},
		"an unknown key":   {[]string{"x\n", "retire\n", "q\n"}, []string{"answered 1 of 2 findings"}, `"retired_reason": "src/none.go does not exist"`},
		"enough":           {[]string{"q\n"}, []string{"r retire", "answered 0 of 2 findings"}, `"record_status": "active"`},
		"the end of input": {[]string{"\x04"}, []string{"answered 0 of 2 findings"}, `"record_status": "active"`},
		"correct":          {[]string{"e\n", "q\n"}, []string{"answered 1 of 2 findings"}, `"title": "Use Kafka at times"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			memctl(t, p.dir, "", "add", "preference", "--related", "src/none.go", "Use Kafka always")
			memctl(t, p.dir, "", "add", "preference", "--related", "src/no.go", "Write logs as JSON lines")
			editor := filepath.Join(p.dir, "editor.sh")
			p.check(os.WriteFile(editor, []byte("sed -i 's/Use Kafka always/Use Kafka at times/' \"$1\"\n"), 0o644))
			t.Setenv("VISUAL", "")
			t.Setenv("EDITOR", "sh "+editor)
			seen, code := typeInto(t, p.dir, tt.typed, "review", "-i", "--only", "missing")
			for _, want := range tt.says {
				if code != 0 || !strings.Contains(seen, want) {
					t.Errorf("exit status %d, no %q in\n%s", code, want, seen)
				}
			}
			files, err := filepath.Glob(p.path("preferences/use-kafka-*.json")) // a new title is a new name
			p.check(err)
			data, err := os.ReadFile(files[0])
			if p.check(err); !strings.Contains(string(data), tt.file) {
				t.Errorf("the file has no %s:\n%s", tt.file, data)
			}
		})
	}
}
