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

// What a person sees on a terminal of 120 columns: the titles that a prompt received, and
// the question before a stop. The screen is compared with a file that "go test -update"
// writes.
func TestScreenOfSessionInTheClient(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("SKIPPED: no tmux was found, which shows the client's screen")
	}
	c := newClient(t, findClient(t), "acceptEdits")
	c.install()
	m := newModel(t,
		reply{text: "Kafka refuses it. We decided on object storage because photos are large.\nWe chose it over chunks."},
		reply{text: "There is nothing to add."},
	)
	s := c.open(m)
	s.enter("why does kafka refuse the large message?")
	s.waitFor("There is nothing to add.")
	s.expect("testdata/screen/session.txt")
	if asked := m.asked(t); len(asked) != 2 || asked[1].count("memctl stage show triage-") != 1 {
		t.Errorf("the model was asked %d times", len(asked))
	}
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
	s := &screen{c, filepath.Join(c.base, "tmux")}
	args := []string{"-f", os.DevNull, "new-session", "-d", "-x", strconv.Itoa(screenWidth), "-y", strconv.Itoa(screenHeight), "-c", c.dir, "env", "-i"}
	args = append(args, slices.DeleteFunc(c.env(m.URL), func(variable string) bool { return strings.HasPrefix(variable, "TERM=") })...)
	s.tmux(append(args, "TERM=tmux-256color", c.program, "--permission-mode", c.mode)...)
	c.t.Cleanup(func() { s.tmux("kill-server") })
	s.waitFor("\n❯")
	return s
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

// enter types a prompt.
func (s *screen) enter(prompt string) {
	s.tmux("send-keys", "-l", prompt)
	s.waitFor(prompt)
	s.tmux("send-keys", "Enter")
}

func (s *screen) text() string { return s.tmux("capture-pane", "-p", "-S", "-") }

// waitFor waits until the screen shows a text and no longer changes.
func (s *screen) waitFor(want string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	ticks := time.NewTicker(500 * time.Millisecond)
	defer ticks.Stop()
	before := ""
	for {
		now := s.text()
		if strings.Contains(now, want) && now == before {
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
	sessionInName = regexp.MustCompile(`triage-[0-9a-f]{32}-`)
	clientTook    = regexp.MustCompile(`(?m)^(✻| +◐) .*\n?`)
	blankLines    = regexp.MustCompile(`\n\s*\n`)
)

// expect compares what the screen shows, from the start of the session to the line that
// takes the next prompt, with a file.
func (s *screen) expect(file string) {
	s.t.Helper()
	_, shown, _ := strings.Cut(s.text(), "\n\n")
	shown, _, _ = strings.Cut(shown, "\n────")
	shown = sessionInName.ReplaceAllString(shown, "triage-SESSION-")
	shown = clientTook.ReplaceAllString(strings.ReplaceAll(shown, "\u00a0", " "), "")
	shown = strings.TrimSpace(blankLines.ReplaceAllString(shown, "\n\n")) + "\n"
	if *update {
		s.check(os.MkdirAll(filepath.Dir(file), 0o755))
		s.check(os.WriteFile(file, []byte(shown), 0o644))
	}
	want, err := os.ReadFile(file)
	if diff := cmp.Diff(string(want), shown); diff != "" {
		s.t.Errorf("%v (-want +got):\n%s\n%s", err, diff, s.text())
	}
}
