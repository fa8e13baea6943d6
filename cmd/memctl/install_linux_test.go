package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/schemas"

	"golang.org/x/sys/unix"
)

// On a terminal, setup asks at most two questions, and Return takes the default of each.
func TestSetupAsksTwoQuestions(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		typed           []string
		args            []string
		asks            int
		notes           string
		imports, serves bool
		code            int
	}{
		"return":      {typed: []string{"\n", "\n"}, asks: 2, imports: true, serves: true},
		"leave, no":   {typed: []string{"leave\n", "n\n"}, asks: 2, notes: schemas.LeaveNotes, serves: true},
		"other words": {typed: []string{"what\n", "read\n", "maybe\n"}, asks: 3, serves: true},
		"move":        {typed: []string{"move\n", "\n"}, asks: 2, notes: schemas.MoveNotes, imports: true, serves: true},
		"Ctrl-C":      {typed: []string{"\n", "\x03"}, asks: 2, code: console.ExitStopped},
		"--yes":       {args: []string{"--yes"}, imports: true, serves: true},
		"a dry run":   {args: []string{"--dry-run"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			dir := filepath.Join(home, "project")
			for path, data := range map[string]string{
				"project/docs/adr/0001-use-kafka.md":                                                      "# 1. Use Kafka\n\nStatus: accepted\n\n## Context\nWe need a log.\n\n## Decision\nWe use Kafka.\n",
				".claude/projects/" + filepath.Base(clients.ProjectTranscripts(dir)) + "/memory/token.md": "---\nname: token\ndescription: The token expires\ntype: project\n---\nThe token expires after an hour.\n",
				".claude/projects/" + filepath.Base(clients.ProjectTranscripts(dir)) + "/s.jsonl":         fmt.Sprintf("{\"cwd\":%q,\"sessionId\":\"s\"}\n", dir),
			} {
				file := filepath.Join(home, filepath.FromSlash(path))
				if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(data), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			seen, code := onTerminal(t, home, tt.typed, append([]string{"setup", "--root", dir}, tt.args...)...)
			if asked := strings.Count(seen, "[Y/n]") + strings.Count(seen, "[READ/move/leave]"); asked != tt.asks || code != tt.code {
				t.Errorf("asked %d times, want %d, exit status %d: %s", asked, tt.asks, code, seen)
			}
			_, err := os.Stat(filepath.Join(dir, ".claude/memory/decisions/use-kafka.json"))
			if imports := err == nil; imports != tt.imports {
				t.Errorf("imports %v, want %v: %s", imports, tt.imports, seen)
			}
			servers, _ := os.ReadFile(filepath.Join(dir, ".mcp.json"))
			if serves := len(servers) > 0; serves != tt.serves {
				t.Errorf("serves %v, want %v: %s", serves, tt.serves, seen)
			}
			config, _ := os.ReadFile(filepath.Join(home, ".claude/memory/memory-config.json"))
			if tt.notes != "" && !strings.Contains(string(config), tt.notes) {
				t.Errorf("the choice is not %s: %s", tt.notes, config)
			}
		})
	}
}

// In a git project, setup asks once about the merge driver. It says first what it changes, and Ctrl-C leaves all as it
// was. Where git has the configuration, as in a clone, it asks nothing.
func TestSetupAsksAboutGit(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		typed      []string
		shared     bool
		asks, code int
		registers  bool
		made       bool
	}{
		"return":                {typed: []string{"\n"}, asks: 1, registers: true, made: true},
		"no":                    {typed: []string{"n\n"}, asks: 1, made: true},
		"Ctrl-C":                {typed: []string{"\x03"}, asks: 1, code: console.ExitStopped},
		"Ctrl-C when importing": {typed: []string{"\n", "\x03"}, asks: 2, code: console.ExitStopped},
		"a clone":               {shared: true, made: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, false)
			if !tt.shared {
				r.git("rm", "-rq", ".claude")
				r.check(os.RemoveAll(filepath.Join(r.dir, ".claude")))
			}
			if len(tt.typed) > 1 || tt.shared {
				record := filepath.Join(r.dir, "docs/adr/0001-use-kafka.md")
				r.check(errors.Join(os.MkdirAll(filepath.Dir(record), 0o755), os.WriteFile(record, []byte("# 1. Use Kafka\n\nStatus: accepted\n\n## Context\nA log.\n\n## Decision\nWe use Kafka.\n"), 0o644)))
			}
			config, err := os.ReadFile(filepath.Join(r.dir, ".git/config"))
			r.check(err)
			seen, code := onTerminal(t, r.dir, tt.typed, "setup")
			if asked := strings.Count(seen, "[Y/n]"); asked != tt.asks || code != tt.code {
				t.Errorf("asked %d times, want %d, exit status %d: %s", asked, tt.asks, code, seen)
			}
			if plan, question := strings.Index(seen, "memctl: setup changes"), strings.Index(seen, "?"); plan < 0 || question >= 0 && question < plan {
				t.Errorf("asks before it says what it changes: %s", seen)
			}
			if tt.asks > 0 && !strings.Contains(seen, "Claude Code, and approves its server and tools") {
				t.Errorf("does not say that it approves itself: %s", seen)
			}
			after, err := os.ReadFile(filepath.Join(r.dir, ".git/config"))
			if r.check(err); strings.Contains(string(after), "merge-driver") != tt.registers || !tt.registers && string(after) != string(config) {
				t.Errorf("git config is\n%s\nafter %s", after, seen)
			}
			for _, path := range []string{".mcp.json", ".claude/settings.json", ".claude/memory/" + files.ConfigName} {
				if _, err := os.Stat(filepath.Join(r.dir, path)); (err == nil) != tt.made {
					t.Errorf("%s: %v", path, err)
				}
			}
		})
	}
}

// On a terminal, uninstall --leftovers asks once, after it has said what it removes. Only yes removes anything.
func TestUninstallAsksAboutLeftovers(t *testing.T) {
	for name, tt := range map[string]struct {
		typed   []string
		flag    string
		code    int
		removes bool
	}{
		"yes":          {typed: []string{"y\n"}, flag: "--leftovers", removes: true},
		"return":       {typed: []string{"\n"}, flag: "--leftovers", code: console.ExitFailed},
		"Ctrl-C":       {typed: []string{"\x03"}, flag: "--leftovers", code: console.ExitStopped},
		"all projects": {typed: []string{"y\n"}, flag: "--all-projects", removes: true},
		"all, no":      {typed: []string{"n\n"}, flag: "--all-projects", code: console.ExitFailed},
		"--yes":        {flag: "--yes", removes: true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			t.Setenv("XDG_STATE_HOME", filepath.Join(p.dir, "state"))
			t.Setenv("TMPDIR", t.TempDir())
			onTerminal(t, p.dir, nil, "setup")
			onTerminal(t, p.dir, nil, "add", "decision", "Kafka keeps events for 14 days. A replay takes a week.")
			args := []string{"uninstall", tt.flag}
			if tt.flag == "--yes" {
				args = append(args, "--leftovers")
			}
			seen, code := onTerminal(t, p.dir, tt.typed, args...)
			if asked := strings.Count(seen, "[y/N]"); asked != len(tt.typed) || code != tt.code {
				t.Errorf("asked %d times, exit status %d: %s", asked, code, seen)
			}
			if len(tt.typed) > 0 && !strings.Contains(seen, "would remove index and locks") {
				t.Errorf("does not say what it removes: %s", seen)
			}
			for _, path := range []string{".mcp.json", ".claude/memory/index.db"} {
				if _, err := os.Stat(filepath.Join(p.dir, path)); (err != nil) != tt.removes {
					t.Errorf("%s: %v", path, err)
				}
			}
			if _, err := os.Stat(p.path("decisions/kafka-keeps-events-for-14-days.json")); err != nil {
				t.Error(err)
			}
		})
	}
}

// On a terminal, reindex draws a bar and removes it when it is done.
func TestReindexShowsItsProgress(t *testing.T) {
	t.Parallel()
	seen, code := onTerminal(t, grownProject(t, 2000).dir, nil, "reindex")
	if code != 0 || !strings.HasPrefix(seen, "\rindexing ░") || !strings.Contains(seen, " of 2000") || !strings.HasSuffix(seen, "\r\x1b[K") {
		t.Errorf("exit status %d, shown %q", code, seen)
	}
}

// A terminal has no event to send.
func TestHookRefusesATerminal(t *testing.T) {
	t.Parallel()
	if seen, code := onTerminal(t, t.TempDir(), nil, "hook", "user-prompt-submit"); code != 0 || !strings.Contains(seen, "memctl: read the event on stdin: stdin is a terminal; a hook is given its event there") {
		t.Errorf("exit status %d, shown %q", code, seen)
	}
}

// onTerminal runs memctl with a terminal for stdin and stderr, types an answer to each
// question, and returns what the terminal showed.
func onTerminal(t *testing.T, dir string, typed []string, args ...string) (seen string, code int) {
	t.Helper()
	keyboard, terminal := openTerminal(t)
	cmd := exec.Command("memctl", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm", "HOME="+dir, "CLAUDE_PROJECT_DIR=", "MEMCTL_ROOT=", "MEMCTL_USER_ROOT=", "CLAUDE_CONFIG_DIR=")
	cmd.Stdin, cmd.Stderr = terminal, terminal
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	for buf := make([]byte, 1<<12); ; {
		n, err := keyboard.Read(buf)
		seen += string(buf[:n])
		if asked := strings.HasSuffix(seen, "[y/N] ") || strings.HasSuffix(seen, "[Y/n] ") || strings.HasSuffix(seen, "leave] "); asked && len(typed) > 0 {
			io.WriteString(keyboard, typed[0])
			typed = typed[1:]
		}
		if err != nil { // memctl has ended
			cmd.Wait()
			return seen, cmd.ProcessState.ExitCode()
		}
	}
}

// openTerminal makes a pseudo-terminal. Writing to the keyboard types; reading from it
// returns what the terminal shows.
func openTerminal(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	number, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return keyboard, terminal
}
