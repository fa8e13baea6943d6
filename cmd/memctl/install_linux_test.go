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

	"golang.org/x/sys/unix"
)

// On a terminal install asks whether the agent may run memctl: yes is yes, all
// else is no.
func TestInstallAsksOnATerminal(t *testing.T) {
	tests := map[string]struct {
		typed          string
		args           []string
		asks, permits  bool
		interruptedAsk bool
	}{
		"yes":               {typed: "y\n", asks: true, permits: true},
		"Yes":               {typed: " Yes \n", asks: true, permits: true},
		"return":            {typed: "\n", asks: true},
		"another word":      {typed: "maybe\n", asks: true},
		"end of input":      {typed: "\x04", asks: true},
		"Ctrl-C":            {typed: "\x03", asks: true, interruptedAsk: true},
		"told to":           {args: []string{"--permissions"}, permits: true},
		"told not to":       {args: []string{"--no-permissions"}},
		"nothing is to ask": {args: []string{"--dry-run"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			seen, code := onTerminal(t, dir, tt.typed, append([]string{"install"}, tt.args...)...)
			if asked := strings.Contains(seen, "[y/N]"); asked != tt.asks {
				t.Errorf("asked %v, want %v: %s", asked, tt.asks, seen)
			}
			settings, _ := os.ReadFile(filepath.Join(dir, ".claude/settings.json"))
			if permits := bytes.Contains(settings, []byte("Bash(memctl create:*)")); permits != tt.permits {
				t.Errorf("permits %v, want %v: %s", permits, tt.permits, settings)
			}
			if tt.interruptedAsk && (code != exitStopped || settings != nil) {
				t.Errorf("exit status %d, settings %q", code, settings)
			}
		})
	}
}

// onTerminal runs memctl with a terminal for stdin and stderr, at which somebody
// types an answer, and returns what it showed.
func onTerminal(t *testing.T, dir, typed string, args ...string) (seen string, code int) {
	t.Helper()
	keyboard, terminal := openTerminal(t)
	cmd := exec.Command("memctl", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm", "HOME="+dir, "CLAUDE_PROJECT_DIR=", "MEMCTL_ROOT=")
	cmd.Stdin, cmd.Stderr = terminal, terminal
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	for buf := make([]byte, 1<<12); ; {
		n, err := keyboard.Read(buf)
		seen += string(buf[:n])
		if strings.HasSuffix(seen, "[y/N] ") {
			io.WriteString(keyboard, typed)
		}
		if err != nil { // memctl, the last to write there, is gone
			cmd.Wait()
			return seen, cmd.ProcessState.ExitCode()
		}
	}
}

// openTerminal makes a pseudo-terminal: what is written to the keyboard's end is
// typed, what is read from it was shown.
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
