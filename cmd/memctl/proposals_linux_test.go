package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// byAgent runs memctl as an agent of a person whose home is the project.
func byAgent(t *testing.T, p project, args ...string) {
	t.Helper()
	cmd := exec.Command("memctl", args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "HOME="+p.dir, "CLAUDE_PROJECT_DIR=", "MEMCTL_ROOT=", "CLAUDECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// On a terminal, proposals are taken, edited, dropped or left one by one.
func TestProposalsAreAskedOneByOne(t *testing.T) {
	tests := map[string]struct {
		typed []string
		says  string
		saved []string
		left  string // of the list
	}{
		"take, later":           {[]string{"t\n", "l\n", "q\n"}, "answered 1 of 3 proposals", []string{"use-kafka"}, "Write logs"},
		"drop with a reason":    {[]string{"x\n", "d\n", "too old\n", "q\n"}, "why? Return: no reason", nil, "Write logs"},
		"edit":                  {[]string{"e\n", "q\n"}, "taken: ", []string{"use-kafka-at-times"}, "Write logs"},
		"an edit that is wrong": {[]string{"l\n", "e\n", "q\n"}, "not taken: ", nil, "Write logs"},
		"all":                   {[]string{"t\n", "t\n", "t\n"}, "answered 3 of 3 proposals", []string{"use-kafka", "write-logs"}, ""},
		"the end of input":      {[]string{"\x04"}, "answered 0 of 3 proposals", nil, "Use Kafka"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			t.Setenv("XDG_STATE_HOME", "")
			memctl(t, p.dir, "", "add", "decision", "Parcels are weighed. It is the law.")
			memctl(t, p.dir, "", "config", "set", "capture.review", "true")
			byAgent(t, p, "add", "preference", "Use Kafka always")
			byAgent(t, p, "add", "preference", "Write logs as JSON lines")
			byAgent(t, p, "retire", "parcels-are-weighed")
			editor := filepath.Join(p.dir, "editor.sh")
			p.check(os.WriteFile(editor, []byte("sed -i -e 's/use-kafka-always/use-kafka-at-times/' -e 's/Use Kafka always/Use Kafka at times/' -e '/Write logs/s/\"title\"/\"titel\"/' \"$1\"\n"), 0o644))
			t.Setenv("VISUAL", "")
			t.Setenv("EDITOR", "sh "+editor)
			seen, code := typeInto(t, p.dir, tt.typed, "proposals")
			if code != 0 || !strings.Contains(seen, tt.says) {
				t.Errorf("exit status %d, no %q in\n%s", code, tt.says, seen)
			}
			files, err := filepath.Glob(p.path("preferences/*.json"))
			if p.check(err); len(files) != len(tt.saved) {
				t.Fatalf("saved %v\n%s", files, seen)
			}
			for i, want := range tt.saved {
				if !strings.Contains(files[i], want) {
					t.Errorf("saved %v, want %s\n%s", files, want, seen)
				}
			}
			list, err := filepath.Glob(filepath.Join(p.dir, ".local/state/memctl/proposals-*.json"))
			if p.check(err); len(list) != 1 {
				t.Fatal(list)
			}
			data, err := os.ReadFile(list[0])
			waiting, _, _ := strings.Cut(string(data), `"dropped":[`)
			if p.check(err); tt.left != "" && !strings.Contains(waiting, tt.left) || tt.left == "" && strings.Contains(waiting, "number") {
				t.Errorf("left\n%s\n%s", data, seen)
			}
		})
	}
}
