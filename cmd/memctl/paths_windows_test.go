package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func encodedEvent(t *testing.T, fields map[string]any) string {
	t.Helper()
	data, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The paths of an event have drive letters and backslashes. What the agent reads has none.
func TestEventsOfWindows(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put("decisions/kafka.json", "Kafka keeps the events")
	elsewhere := t.TempDir()
	out, _ := memctl(t, elsewhere, encodedEvent(t, map[string]any{"prompt": "what about kafka", "cwd": p.dir}), "hook", "user-prompt-submit")
	if context := readHookAnswer(t, out).Specific.Context; !strings.Contains(context, "-> .claude/memory/decisions/kafka.json ") {
		t.Errorf("the agent reads %q", context)
	}
	memory := p.path("decisions", "new.json")
	for _, path := range []string{memory, filepath.ToSlash(memory), strings.ToUpper(memory), `\\?\` + memory, `.claude\memory\decisions\new.json`, memory[2:]} {
		write := encodedEvent(t, map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": path}, "cwd": p.dir})
		out, _ := memctl(t, elsewhere, write, "hook", "pre-tool-use")
		isDevicePath := strings.HasPrefix(path, `\\?`) // which has backslashes alone
		if !strings.Contains(out, `"deny"`) || strings.Contains(out, `\\`) && !isDevicePath {
			t.Errorf("%s: %s", path, out)
		}
	}
}

func TestStateOfWindows(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put("decisions/kafka.json", "Kafka keeps the events")
	local := t.TempDir()
	cmd, _, errOut := process(p.dir, `{"source":"startup"}`, "hook", "session-start")
	cmd.Env = append(cmd.Env, "XDG_STATE_HOME=", "LOCALAPPDATA="+local)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, errOut)
	}
	if entries, err := os.ReadDir(filepath.Join(local, "memctl")); err != nil || len(entries) == 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// Windows does not rename over a file that a program has open: memctl waits for a second,
// and then changes nothing.
func TestMemoryThatAnotherProgramReads(t *testing.T) {
	t.Parallel()
	p := parcelProject(t)
	const target = "constraints/kafka-message-size.json"
	before, err := os.ReadFile(p.path(target))
	p.check(err)
	reader, err := os.Open(p.path(target))
	p.check(err)
	defer reader.Close()
	refused := start(p.dir, "", "retire", "--target", target, "--reason", "old")()
	if now, err := os.ReadFile(p.path(target)); refused.err == nil || string(now) != string(before) || err != nil {
		t.Errorf("%v, %q, %v", refused.err, refused.errOut, err)
	}
	wait := start(p.dir, "", "retire", "--target", target, "--reason", "old")
	reader.Close()
	if done := wait(); done.err != nil {
		t.Errorf("%v: %s", done.err, done.errOut)
	}
	if left, _ := filepath.Glob(p.path("*", ".memctl-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// MAX_PATH is 260 characters.
func TestLongPathOfWindows(t *testing.T) {
	t.Parallel()
	p := project{t, filepath.Join(t.TempDir(), strings.Repeat(strings.Repeat("f", 50)+`\`, 6))}
	p.check(os.MkdirAll(p.path("decisions"), 0o755))
	p.put("decisions/kafka.json", "Kafka keeps the events")
	here := t.TempDir() // Windows starts no program in so deep a folder
	if out, _ := memctl(t, here, "", "search", "--root", p.dir, "kafka"); !strings.Contains(out, "Kafka keeps the events") {
		t.Errorf("search says %s", out)
	}
	memctl(t, here, "", "add", "--root", p.dir, "decision", "Redis keeps the cache. It is fast.")
	if entries, err := os.ReadDir(p.path("decisions")); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
}

// Arguments and output are Unicode, whatever the code page.
func TestKoreanOnWindows(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	memctl(t, p.dir, "", "add", "decision", "카프카는 이벤트를 14일 보관한다. 재생에 일주일이 걸린다.")
	for _, args := range [][]string{{"list"}, {"list", "--json"}} {
		if out, _ := memctl(t, p.dir, "", args...); !strings.Contains(out, "카프카는 이벤트를 14일 보관한다") {
			t.Errorf("%v: %s", args, out)
		}
	}
}
