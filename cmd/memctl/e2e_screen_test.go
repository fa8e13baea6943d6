package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// newTerminalClient is a client in a new project with two memories, whose path is always
// of the same length, because the client wraps lines that name it.
func newTerminalClient(t *testing.T, mode string) *client {
	t.Helper()
	program := findClient(t)
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("SKIPPED: no tmux was found, which shows the client's screen")
	}
	parent, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(parent) })
	const lengthOfPath = 60
	p := project{t, filepath.Join(parent, strings.Repeat("p", max(1, lengthOfPath-len(parent)-1)))}
	p.check(os.MkdirAll(p.dir, 0o755))
	memctl(t, p.dir, "", "init")
	for _, name := range []string{"constraints/kafka-message-size.json", "runbooks/kafka-consumer-lag.json"} {
		data, err := os.ReadFile(filepath.Join("../../testdata/stores/parcel", name))
		p.check(err)
		p.check(os.WriteFile(p.path(name), data, 0o600))
	}
	c := newClientIn(p, program, mode)
	// Without a digest, prompts receive memories.
	c.configure(`{"retrieval": {"match_strategy": "hybrid", "start_tokens": 0}, "triage": {"strategy": "keywords"}}`)
	return c
}

// screen is a terminal in which the client runs.
type screen struct {
	*client
	socket string // of tmux
}

const screenWidth, screenHeight = 120, 60

// open starts the client on a terminal and waits until it takes a prompt.
func (c *client) open(m *model) *screen {
	c.t.Helper()
	s := c.start(m)
	s.waitFor("\n❯")
	return s
}

// start starts the client on a terminal.
func (c *client) start(m *model) *screen {
	c.t.Helper()
	s := &screen{c, filepath.Join(c.base, "tmux")}
	args := []string{"-f", os.DevNull, "new-session", "-d", "-x", strconv.Itoa(screenWidth), "-y", strconv.Itoa(screenHeight), "-c", c.dir, "env", "-i"}
	args = append(args, slices.DeleteFunc(c.env(m.URL), func(variable string) bool { return strings.HasPrefix(variable, "TERM=") })...)
	args = append(args, "TERM=tmux-256color", c.program, "--permission-mode", c.mode)
	if c.plugin != "" {
		args = append(args, "--plugin-dir", c.plugin)
	}
	s.tmux(args...)
	c.t.Cleanup(s.close)
	return s
}

// close ends the client and waits until it is gone, because it writes to the last.
func (s *screen) close() {
	s.tmux("run-shell", "-b", "kill #{pane_pid}")
	late := time.After(time.Minute)
	ticks := time.NewTicker(100 * time.Millisecond)
	defer ticks.Stop()
	for exec.Command("tmux", "-S", s.socket, "has-session").Run() == nil {
		select {
		case <-ticks.C:
		case <-late:
			s.t.Error("the client does not end")
			s.tmux("kill-server")
			return
		}
	}
}

func (s *screen) tmux(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...)
	cmd.Env = append(os.Environ(), "LANG=C.UTF-8", "TMUX=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %s: %v: %s", args[0], err, out)
	}
	return string(out)
}

// ask types a prompt and waits for an answer.
func (s *screen) ask(prompt, answer string) {
	s.t.Helper()
	s.tmux("send-keys", "-l", prompt)
	s.waitFor(prompt)
	s.tmux("send-keys", "Enter")
	s.waitFor(answer)
}

func (s *screen) text() string { return s.tmux("capture-pane", "-p", "-S", "-") }

// busy is the line with which the client says that a turn has not ended.
var busy = regexp.MustCompile(`(?m)^[^\s●❯⎿─] \S+…`)

// waitFor waits until the screen shows a text, the client is not busy, and the screen no
// longer changes.
func (s *screen) waitFor(want string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	ticks := time.NewTicker(500 * time.Millisecond)
	defer ticks.Stop()
	before := ""
	for {
		now := s.text()
		if strings.Contains(now, want) && !busy.MatchString(now) && now == before {
			return
		}
		before = now
		select {
		case <-ticks.C:
		case <-ctx.Done():
			s.t.Fatalf("the screen does not show %q:\n%s", want, now)
		}
	}
}

var (
	sessionInName = regexp.MustCompile(`triage-[0-9a-f-]{36}-`)
	timeInName    = regexp.MustCompile(`\.invalid\.\d+`)
	clientTook    = regexp.MustCompile(`(?m)^(✻| +◐) .*\n?`)
	blankLines    = regexp.MustCompile(`\n\s*\n`)
)

// expect compares what the screen shows, without the client's head and the line that takes
// the next prompt, with a file.
func (s *screen) expect(name string) {
	s.t.Helper()
	whole := s.text()
	if strings.Contains(whole, "stop hook problem") || strings.Contains(whole, "Stop hook reported a problem") {
		s.t.Errorf("the client shows a fault:\n%s", whole)
	}
	file := filepath.Join("testdata/screen", name+".txt")
	shown := s.normal(whole)
	if *update {
		s.check(os.MkdirAll(filepath.Dir(file), 0o755))
		s.check(os.WriteFile(file, []byte(shown), 0o644))
	}
	want, err := os.ReadFile(file)
	if diff := cmp.Diff(string(want), shown); diff != "" {
		s.t.Errorf("%v (-want +got):\n%s\n%s", err, diff, whole)
	}
}

// normal removes from a screen what differs from run to run.
func (s *screen) normal(shown string) string {
	if head, rest, found := strings.Cut(shown, "\n\n"); found && strings.Contains(head, "Claude Code v") {
		shown, _, _ = strings.Cut(rest, "\n────")
	}
	shown = strings.ReplaceAll(shown, s.dir, "PROJECT")
	shown = sessionInName.ReplaceAllString(shown, "triage-SESSION-")
	shown = timeInName.ReplaceAllString(shown, ".invalid.TIME")
	shown = clientTook.ReplaceAllString(strings.ReplaceAll(shown, "\u00a0", " "), "")
	return strings.TrimSpace(blankLines.ReplaceAllString(shown, "\n\n")) + "\n"
}
