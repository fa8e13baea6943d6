package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memctl/cmd/console"
	"memctl/schemas"

	"golang.org/x/sys/unix"
)

// On a terminal, install asks whether to register the server, whether the agent may run
// memctl, and whether to observe its tools. An empty line means yes for the server and no
// for the others; every other answer except yes means no.
func TestInstallAsksOnATerminal(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		typed                     []string
		args                      []string
		asks                      int
		serves, permits, observes bool
		stopped                   bool
	}{
		"yes":               {typed: []string{"y\n", "y\n", "y\n"}, asks: 3, serves: true, permits: true, observes: true},
		"Yes, return":       {typed: []string{"YES\n", " Yes \n", "\n"}, asks: 3, serves: true, permits: true},
		"return, yes":       {typed: []string{"\n", "\n", "yes\n"}, asks: 3, serves: true, observes: true},
		"return":            {typed: []string{"\n", "\n", "\n"}, asks: 3, serves: true},
		"no, yes":           {typed: []string{"n\n", "y\n", "n\n"}, asks: 3, permits: true},
		"other words":       {typed: []string{"not now\n", "maybe\n", "later\n"}, asks: 3},
		"Ctrl-C":            {typed: []string{"\x03"}, asks: 1, stopped: true},
		"yes, Ctrl-C":       {typed: []string{"y\n", "y\n", "\x03"}, asks: 3, stopped: true},
		"flag to serve":     {typed: []string{"\n", "\n"}, args: []string{"--mcp"}, asks: 2, serves: true},
		"flag not to serve": {typed: []string{"\n", "\n"}, args: []string{"--no-mcp"}, asks: 2},
		"flag to permit":    {typed: []string{"\n", "y\n"}, args: []string{"--permissions"}, asks: 2, serves: true, permits: true, observes: true},
		"flags for all":     {args: []string{"--mcp", "--no-permissions", "--observations"}, serves: true, observes: true},
		"flags for none":    {args: []string{"--no-mcp", "--no-permissions", "--no-observations"}},
		"a dry run":         {args: []string{"--dry-run"}},
		"for all projects":  {typed: []string{"\n", "y\n", "n\n"}, args: []string{"--scope", "user"}, asks: 3, serves: true, permits: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			seen, code := onTerminal(t, dir, tt.typed, append([]string{"install"}, tt.args...)...)
			if asked := strings.Count(seen, "[y/N]") + strings.Count(seen, "[Y/n]"); asked != tt.asks {
				t.Errorf("asked %d times, want %d: %s", asked, tt.asks, seen)
			}
			settings, _ := os.ReadFile(filepath.Join(dir, ".claude/settings.json"))
			if permits := bytes.Contains(settings, []byte("Bash(memctl create:*)")); permits != tt.permits {
				t.Errorf("permits %v, want %v: %s", permits, tt.permits, settings)
			}
			servers, _ := os.ReadFile(filepath.Join(dir, ".mcp.json"))
			usersServers, _ := os.ReadFile(filepath.Join(dir, ".claude.json"))
			if serves := len(servers)+len(usersServers) > 0; serves != tt.serves {
				t.Errorf("serves %v, want %v: %s", serves, tt.serves, seen)
			}
			config, _ := os.ReadFile(filepath.Join(dir, ".claude/memory/memory-config.json"))
			decoded, _ := schemas.DecodeConfig(config)
			if observes := decoded.Observations.Enabled; observes != tt.observes || config != nil && !observes {
				t.Errorf("observes %v, want %v: %s", observes, tt.observes, config)
			}
			if tt.stopped && (code != console.ExitStopped || settings != nil) {
				t.Errorf("exit status %d, settings %q", code, settings)
			}
		})
	}
}

// install for all projects offers to make the user's root, once.
func TestInstallOffersTheUsersRoot(t *testing.T) {
	dir := t.TempDir()
	for _, answer := range []string{"n\n", "y\n", ""} {
		seen, code := onTerminal(t, dir, []string{answer}, "install", "--scope", "user", "--mcp", "--permissions")
		if asked := strings.Contains(seen, "where: ~/.claude/memory"); asked != (answer != "") || code != 0 {
			t.Errorf("answer %q: asked %v, exit status %d: %s", answer, asked, code, seen)
		}
		_, err := os.Stat(filepath.Join(dir, ".claude/memory/preferences"))
		if made := err == nil; made != (answer != "n\n") {
			t.Errorf("answer %q: made %v: %s", answer, made, seen)
		}
	}
}

// install does not ask about a server that is registered.
func TestInstallAsksAboutTheServerOnce(t *testing.T) {
	dir := t.TempDir()
	for _, asks := range []int{1, 0} {
		seen, code := onTerminal(t, dir, []string{"\n"}, "install", "--permissions", "--no-observations")
		if asked := strings.Count(seen, "[Y/n]"); asked != asks || code != 0 {
			t.Errorf("asked %d times, want %d, exit status %d: %s", asked, asks, code, seen)
		}
	}
}

// install does not ask if the configuration already decides, or cannot be read.
func TestInstallAsksAboutObservationsOnce(t *testing.T) {
	for config, asks := range map[string]int{
		`{}`: 1, `{"observations": {"max_mb": 8}}`: 1, `{"observations": {"enabled": false}}`: 0, `{"observations": {"enabled": true}}`: 0, `{"obs`: 0,
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, ".claude/memory/memory-config.json")
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(config), 0o644); err != nil {
			t.Fatal(err)
		}
		seen, code := onTerminal(t, dir, []string{"\n"}, "install", "--no-mcp", "--no-permissions")
		if asked := strings.Count(seen, "[y/N]"); asked != asks || code != 0 {
			t.Errorf("%s: asked %d times, want %d, exit status %d: %s", config, asked, asks, code, seen)
		}
		if found, err := os.ReadFile(name); err != nil || string(found) != config {
			t.Errorf("%s: became %s, %v", config, found, err)
		}
	}
}

// The question says how long observations stay, by the settings of the project.
func TestInstallSaysHowLongObservationsStay(t *testing.T) {
	for config, want := range map[string]string{
		`{}`:                              "until:  memctl gc removes what is older than 30 days, and the oldest above 64 MB",
		`{"observations": {"max_mb": 0}}`: "until:  memctl gc removes what is older than 30 days\r\n",
		`{"observations": {"retention_days": 0}}`:              "until:  memctl gc removes the oldest above 64 MB",
		`{"observations": {"retention_days": 0, "max_mb": 0}}`: "until:  you remove it",
	} {
		p := newProject(t)
		p.check(os.WriteFile(p.path("memory-config.json"), []byte(config), 0o644))
		if seen, _ := onTerminal(t, p.dir, []string{"\n"}, "install", "--no-mcp", "--no-permissions"); !strings.Contains(seen, want) {
			t.Errorf("%s: no %q in %s", config, want, seen)
		}
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
		if asked := strings.HasSuffix(seen, "[y/N] ") || strings.HasSuffix(seen, "[Y/n] "); asked && len(typed) > 0 {
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
