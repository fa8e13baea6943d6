package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"memctl/files/systemtest"
	"memctl/observe"
	"memctl/schemas"
)

// Tests of the tool hooks that do not fit into a script: sizes, pipes.

// toolEvent is the event of a tool that writes a file.
func toolEvent(path string) string {
	data, err := json.Marshal(map[string]any{"tool_name": "Write", "tool_input": map[string]string{"file_path": path}})
	if err != nil {
		panic(err)
	}
	return string(data)
}

// written runs the hook after a tool wrote a file in the root, and returns the reason
// that the agent receives.
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

// The reason why a file stays is the true one, and what it asks for can be done.
func TestInvalidFileThatStays(t *testing.T) {
	t.Parallel()
	const notAside = " is not a valid memory and could not be moved aside "
	long := "decisions/" + strings.Repeat("a", 245) + ".json"
	for name, test := range map[string]struct {
		path    string
		prepare func(p project) error
		want    string
		links   bool
	}{
		"a folder in the lock's place": {"decisions/x.json", func(p project) error {
			return os.Mkdir(p.path("index.db.write.lock"), 0o755)
		}, notAside + "(index.db.write.lock: expected a regular file, found a folder). Tell the user, who has to fix that first:\n- ", false},
		"a link in the folder's place": {"tech-debt/x.json", func(p project) error {
			out := filepath.Join(p.dir, "out")
			return errors.Join(os.RemoveAll(p.path("tech-debt")), os.Mkdir(out, 0o755), os.Symlink(out, p.path("tech-debt")))
		}, notAside + "(tech-debt: expected a folder, found a symbolic link (links are not followed)). Tell the user, who has to fix that first:\n- ", true},
		"no name for it": {long, nil, notAside + "(its new name: file name too long). Delete it:\n- ", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.links && !systemtest.HasLinks() || name == "no name for it" && runtime.GOOS == "windows" {
				t.Skip("this system has none")
			}
			p := newProject(t)
			if test.prepare != nil {
				p.check(test.prepare(p))
			}
			p.check(os.WriteFile(p.path(test.path), []byte("{"), 0o600))
			if reason := p.written(test.path); !strings.Contains(reason, test.want) {
				t.Errorf("the reason is %q\nwant %q", reason, test.want)
			}
			if _, err := os.Stat(p.path(test.path)); err != nil {
				t.Error(err)
			}
		})
	}
}

// A memory in conflict stays where git and memctl resolve look for it.
func TestConflictIsNotSetAside(t *testing.T) {
	t.Parallel()
	p := parcelProject(t)
	data, err := os.ReadFile(p.path("constraints/kafka-message-size.json"))
	p.check(err)
	in := strings.Replace(string(data), "{\n", "{\n<<<<<<< HEAD\n=======\n>>>>>>> theirs\n", 1)
	p.check(os.WriteFile(p.path("constraints/kafka-message-size.json"), []byte(in), 0o600))
	reason := p.written("constraints/kafka-message-size.json")
	if !strings.HasPrefix(reason, ".claude/memory/constraints/kafka-message-size.json has an unresolved merge conflict:\n- line 2: ") ||
		!strings.Contains(reason, "memctl resolve kafka-message-size") || strings.Contains(reason, "memctl create") {
		t.Errorf("the reason is %q", reason)
	}
	memctl(t, p.dir, "", "resolve", "kafka-message-size", "--ours")
	if reason := p.written("constraints/kafka-message-size.json"); reason != "" {
		t.Errorf("resolved: %q", reason)
	}
}

// A reason longer than 10,000 characters would not reach the model whole.
func TestGuardIsBriefAboutHugeValues(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	p := newProject(t)
	p.check(os.WriteFile(p.path("decisions/x.json"), nil, 0o644))
	p.check(os.Truncate(p.path("decisions/x.json"), schemas.MaxFileBytes+1))
	if reason := p.written("decisions/x.json"); !strings.Contains(reason, "too large") {
		t.Errorf("the reason is %q", reason)
	}
	if aside, there := fate(t, p.path("decisions/x.json")); !aside || there {
		t.Errorf("set aside %v, still there %v", aside, there)
	}
}

func TestInvalidFilesOfOneSecondAreAllKept(t *testing.T) {
	t.Parallel()
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

// For an ordinary file, the tool hooks neither create nor open an index.
func TestToolHooksLeaveTheIndexAlone(t *testing.T) {
	t.Parallel()
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

// An observation is already a record of the run, so only a failure is logged.
func TestRecordedToolIsNotLogged(t *testing.T) {
	t.Parallel()
	p := observedProject(t)
	p.hookLog()
	for _, hook := range []string{observe.AfterTool, observe.AfterFailure} {
		if out, errOut := memctl(t, p.dir, ran(hook, "x"), "hook", hook); out != "" || errOut != "" {
			t.Errorf("%s: stdout %q, stderr %q", hook, out, errOut)
		}
	}
	if runs := p.hookRuns(); len(runs) > 0 {
		t.Errorf("the log holds %+v", runs)
	}
	p.check(os.RemoveAll(p.path("observations")))
	p.check(os.WriteFile(p.path("observations"), nil, 0o600))
	for _, hook := range []string{observe.AfterTool, observe.AfterFailure} {
		memctl(t, p.dir, ran(hook, "x"), "hook", hook)
	}
	if runs := p.hookRuns(); len(runs) != 2 || runs[0].Outcome != observe.Failed || runs[1].Outcome != observe.Failed {
		t.Errorf("the log holds %+v", runs)
	}
}

// A file that a tool wrote is checked even if the observation cannot be recorded.
func TestFileIsCheckedThoughRecordingFails(t *testing.T) {
	t.Parallel()
	p := observedProject(t)
	p.hookLog()
	p.check(os.WriteFile(p.path("observations"), nil, 0o600))
	p.check(os.MkdirAll(p.path("decisions"), 0o755))
	p.check(os.WriteFile(p.path("decisions/x.json"), []byte("{"), 0o644))
	out, errOut := memctl(t, p.dir, toolEvent(p.path("decisions/x.json")), "hook", "post-tool-use")
	if !strings.Contains(out, `"decision":"block"`) || errOut != "memctl: record the tool: observations: expected a folder, found a regular file\n" {
		t.Errorf("stdout %q, stderr %q", out, errOut)
	}
	if runs := p.hookRuns(); len(runs) != 1 || runs[0].Outcome != observe.Blocked {
		t.Errorf("the log holds %+v", runs)
	}
}

func TestRecordingRedactsThePatternsOfTheProject(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.check(os.WriteFile(p.path("memory-config.json"), []byte(`{"observations":{"enabled":true},"privacy":{"excludePatterns":["falcon-[0-9]+"]}}`), 0o644))
	for _, hook := range []string{"post-tool-use", "post-tool-use-failure"} {
		event := `{"session_id":"0123456789","tool_name":"Bash","tool_input":{"command":"echo falcon-7"},"error":"no falcon-8"}`
		if out, errOut := memctl(t, p.dir, event, "hook", hook); out != "" || errOut != "memctl: 2 secrets redacted: 2 pattern\n" {
			t.Errorf("%s: stdout %q, stderr %q", hook, out, errOut)
		}
	}
	data, err := os.ReadFile(p.path("observations/0123456789.jsonl"))
	if err != nil || strings.Count(string(data), "\n") != 2 || strings.Contains(string(data), "falcon") || !strings.Contains(string(data), "[REDACTED]") {
		t.Errorf("%v: %s", err, data)
	}
}
