package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"memctl/schemas"
)

// Tests of the hooks around tools that a script cannot hold: sizes, pipes.

// toolEvent is a Write of a file.
func toolEvent(path string) string {
	data, err := json.Marshal(map[string]any{"tool_name": "Write", "tool_input": map[string]string{"file_path": path}})
	if err != nil {
		panic(err)
	}
	return string(data)
}

// written runs the hook after a file of the root was written and returns what
// the agent is told.
func (p project) written(path string) string {
	p.t.Helper()
	out, errOut := memctl(p.t, p.dir, toolEvent(p.path(path)), "hook", "post-tool-use")
	if errOut != "" {
		p.t.Errorf("stderr: %s", errOut)
	}
	var answer struct{ Reason string }
	if out != "" {
		p.check(json.Unmarshal([]byte(out), &answer))
	}
	return answer.Reason
}

// A reason longer than 10,000 characters would not reach the model whole.
func TestGuardSaysLittleOfHugeThings(t *testing.T) {
	const most = 5000
	huge := strings.Repeat("a", 1<<20)
	p := newProject(t)
	for _, path := range []string{".claude/memory/" + huge, ".claude/memory/decisions/" + huge + ".json", strings.Repeat("a/", 1<<19) + ".claude/memory/x"} {
		out, _ := memctl(t, p.dir, toolEvent(path), "hook", "pre-tool-use")
		if n := utf8.RuneCountInString(out); n == 0 || n > most {
			t.Errorf("a path of 1 MB: %d characters", n)
		}
	}
	p.check(os.WriteFile(p.path("decisions/x.json"), []byte(`{"id": "`+huge+`", "`+huge+`": "`+huge+`"}`), 0o644))
	if n := utf8.RuneCountInString(p.written("decisions/x.json")); n == 0 || n > most {
		t.Errorf("a file of huge fields: %d characters", n)
	}
}

func TestTooLargeFileIsSetAside(t *testing.T) {
	p := newProject(t)
	p.check(os.WriteFile(p.path("decisions/x.json"), nil, 0o644))
	p.check(os.Truncate(p.path("decisions/x.json"), schemas.MaxFileBytes+1))
	if reason := p.written("decisions/x.json"); !strings.Contains(reason, "too large") {
		t.Errorf("the agent is told %q", reason)
	}
	if aside, there := fate(t, p.path("decisions/x.json")); !aside || there {
		t.Errorf("set aside %v, still there %v", aside, there)
	}
}

func TestInvalidFilesOfOneSecondAreAllKept(t *testing.T) {
	p := newProject(t)
	for range 5 {
		p.check(os.WriteFile(p.path("decisions/x.json"), []byte("{"), 0o644))
		p.written("decisions/x.json")
	}
	entries, err := os.ReadDir(p.path("decisions"))
	if err != nil || len(entries) != 5 {
		t.Errorf("of 5 files these are left: %v, %v", entries, err)
	}
}

// They run around every tool: no index is made or opened for an ordinary file.
func TestHooksAroundToolsTouchNothing(t *testing.T) {
	p := newProject(t)
	p.put("decisions/x.json", "X")
	p.age()
	before, err := os.ReadDir(p.path())
	p.check(err)
	for _, hook := range []string{"pre-tool-use", "post-tool-use"} {
		for _, path := range []string{"main.go", "docs/new/a.md", p.path("memory-config.json")} {
			if out, errOut := memctl(t, p.dir, toolEvent(path), "hook", hook); out != "" || errOut != "" {
				t.Errorf("%s of %s: stdout %q, stderr %q", hook, path, out, errOut)
			}
		}
	}
	if after, err := os.ReadDir(p.path()); err != nil || len(after) != len(before) {
		t.Errorf("the root now holds %v, %v", after, err)
	}
}
