package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memctl/files/systemtest"
	"memctl/schemas"
)

// Tests of observations that do not fit into a script: many hooks at once, sizes, half
// lines.

const session = "11111111-2222-4333-8444-555555555555"

// observedProject is a project in which observations are on.
func observedProject(t *testing.T) project {
	t.Helper()
	p := project{t, t.TempDir()}
	memctl(t, p.dir, "", "init", "--observations")
	return p
}

func (p project) sessionFile() string { return p.path("observations", session+".jsonl") }

// ran is the event of a command with an output.
func ran(id, output string) string {
	return fmt.Sprintf(`{"session_id":%q,"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"run %s"},"tool_response":{"stdout":%q},"tool_use_id":%q}`, session, id, output, id)
}

// runs returns how many runs the index has, and how many broken lines were skipped.
func (p project) runs() (runs, broken int) {
	p.t.Helper()
	out, _ := memctl(p.t, p.dir, "", "stats", "--json")
	var s struct {
		Observations int
		BrokenLines  int `json:"broken_lines"`
	}
	decode(p.t, out, &s)
	return s.Observations, s.BrokenLines
}

func TestSixteenHooksAppendWholeLines(t *testing.T) {
	t.Parallel()
	systemtest.SkipUnderWine(t, "a line that is appended may replace another that is appended at the same time")
	const hooks, rounds = 16, 5
	p := observedProject(t)
	output := strings.Repeat("0123456789 ", 900)
	for round := range rounds {
		var waits []func() answer
		for i := range hooks {
			waits = append(waits, start(p.dir, ran(fmt.Sprintf("%d-%d", round, i), output), "hook", "post-tool-use"))
		}
		for _, wait := range waits {
			if a := wait(); a.err != nil || a.out != "" || a.errOut != "" {
				t.Errorf("%v, stdout %q, stderr %q", a.err, a.out, a.errOut)
			}
		}
		if runs, broken := p.runs(); runs != hooks*(round+1) || broken != 0 {
			t.Errorf("%d runs and %d broken lines after round %d", runs, broken, round)
		}
	}
	data, err := os.ReadFile(p.sessionFile())
	p.check(err)
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	ids := map[string]bool{}
	for _, line := range lines {
		if line == "" {
			continue // a reader saw a line that was being written
		}
		o, _, torn, err := schemas.DecodeObservation([]byte(line))
		if err != nil || torn {
			t.Errorf("%v: %.80s", err, line)
		}
		ids[o.EventID] = true
	}
	if len(ids) != hooks*rounds {
		t.Errorf("%d lines, %d ids", len(lines), len(ids))
	}
}

// Hooks append while other commands read: each observation is indexed once.
func TestReadersAndHooksAtOnce(t *testing.T) {
	t.Parallel()
	systemtest.SkipUnderWine(t, "a line that is appended may replace another that is appended at the same time")
	p := observedProject(t)
	var waits []func() answer
	nameless := func(id int) string { return strings.Replace(ran(fmt.Sprint(id), "x"), `"tool_use_id"`, `"id"`, 1) }
	memctl(t, p.dir, nameless(0), "hook", "post-tool-use")
	one, err := os.ReadFile(p.sessionFile())
	p.check(err)
	p.check(os.WriteFile(p.path("observations", "many-runs.jsonl"), bytes.Repeat(one, 2000), 0o600))
	for i := range 24 {
		waits = append(waits, start(p.dir, nameless(i), "hook", "post-tool-use"))
		if i%3 == 0 {
			waits = append(waits, start(p.dir, "", "stats"))
		}
	}
	for _, wait := range waits {
		if a := wait(); a.err != nil {
			t.Errorf("%v: %s", a.err, a.errOut)
		}
	}
	if runs, broken := p.runs(); runs != 2025 || broken != 0 {
		t.Errorf("%d runs, %d broken lines", runs, broken)
	}
}

// Wherever in a line a process died, the next one begins a new line.
func TestHalfALineCostsOnlyItself(t *testing.T) {
	t.Parallel()
	p := observedProject(t)
	memctl(t, p.dir, ran("first", "x"), "hook", "post-tool-use")
	whole, err := os.ReadFile(p.sessionFile())
	p.check(err)
	for _, cut := range []int{1, 20, len(whole) / 2, len(whole) - 2, len(whole) - 1} {
		p.check(os.WriteFile(p.sessionFile(), append(whole, whole[:cut]...), 0o600))
		if a := start(p.dir, "", "validate")(); a.err == nil || !strings.Contains(a.out, fmt.Sprintf("half a line of %d bytes", cut)) {
			t.Errorf("cut at %d: %s", cut, a.out)
		}
		if runs, _ := p.runs(); runs != 1 {
			t.Errorf("cut at %d: %d runs before", cut, runs)
		}
		memctl(t, p.dir, ran("next", "x"), "hook", "post-tool-use")
		if runs, _ := p.runs(); runs != 2 {
			t.Errorf("cut at %d: %d runs after", cut, runs)
		}
		data, err := os.ReadFile(p.sessionFile())
		p.check(err)
		lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		if _, _, torn, err := schemas.DecodeObservation([]byte(lines[len(lines)-1])); torn || err != nil {
			t.Errorf("cut at %d: the next one has no line of its own: %v", cut, err)
		}
	}
}

// A hook reads no larger event, because it needs its size several times in memory.
func TestHugeOutputsAreCut(t *testing.T) {
	t.Parallel()
	const size = 7 << 20
	p := observedProject(t)
	for name, event := range map[string]string{
		"output": ran("huge", strings.Repeat("0123456789abcdef ", size/17)),
		"write":  fmt.Sprintf(`{"session_id":%q,"tool_name":"Write","tool_input":{"file_path":"a.txt","content":%q}}`, session, strings.Repeat("line of a file\n", size/15)),
	} {
		if out, errOut := memctl(t, p.dir, event, "hook", "post-tool-use"); out != "" || errOut != "" {
			t.Errorf("%s: stdout %q, stderr %q", name, out, errOut)
		}
	}
	data, err := os.ReadFile(p.sessionFile())
	p.check(err)
	if len(data) > 12_000 || !strings.Contains(string(data), fmt.Sprintf(`"content_lines":%d`, size/15)) || !strings.Contains(string(data), "...[TRUNCATED]...") {
		t.Errorf("%d bytes are kept", len(data))
	}
}

// The prompt hook does not index observations. The next command does.
func TestPromptLeavesObservationsAlone(t *testing.T) {
	t.Parallel()
	p := observedProject(t)
	p.put("decisions/x.json", "Observed pipelines")
	memctl(t, p.dir, ran("a", "x"), "hook", "post-tool-use")
	p.check(os.RemoveAll(p.index()))
	memctl(t, p.dir, event("observed pipelines please"), "hook", "user-prompt-submit")
	if got := strings.TrimSpace(sqlite3(t, p.index(), "-list", "SELECT count(*) FROM observations")); got != "0" {
		t.Errorf("a prompt indexed %s", got)
	}
	memctl(t, p.dir, `{"source":"startup"}`, "hook", "session-start")
	if got := strings.TrimSpace(sqlite3(t, p.index(), "-list", "SELECT count(*) FROM observations")); got != "1" {
		t.Errorf("the start of a session indexed %s", got)
	}
}

func TestGCRemovesOldSessions(t *testing.T) {
	t.Parallel()
	p := observedProject(t)
	for name, age := range map[string]time.Duration{"old-session": 31 * 24 * time.Hour, "new-session": time.Minute} {
		memctl(t, p.dir, strings.ReplaceAll(ran("a", "x"), session, name), "hook", "post-tool-use")
		then := time.Now().Add(-age)
		p.check(os.Chtimes(p.path("observations", name+".jsonl"), then, then))
	}
	if out, _ := memctl(t, p.dir, "", "gc", "--dry-run"); !strings.Contains(out, "would have removed the observations of 1 session, 0.0 MB:\n  observations/old-session.jsonl\n") {
		t.Errorf("a dry run says %s", out)
	}
	if runs, _ := p.runs(); runs != 2 {
		t.Errorf("a dry run left %d", runs)
	}
	if out, _ := memctl(t, p.dir, "", "gc", "--json"); !strings.Contains(out, `"observations/old-session.jsonl"`) {
		t.Errorf("gc says %s", out)
	}
	if runs, _ := p.runs(); runs != 1 {
		t.Errorf("%d are left", runs)
	}
}

// The context for a runbook names what failed and then worked.
func TestStopNamesFixes(t *testing.T) {
	p := observedProject(t)
	memctl(t, p.dir, "", "config", "set", "triage.strategy", "keywords")
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	memctl(t, p.dir, fmt.Sprintf(`{"session_id":%q,"tool_name":"Bash","tool_input":{"command":"make deploy"},"tool_use_id":"1","error":"Exit code 2\nno network"}`, session), "hook", "post-tool-use-failure")
	memctl(t, p.dir, fmt.Sprintf(`{"session_id":%q,"tool_name":"Edit","tool_input":{"file_path":"net.conf","new_string":"x"},"tool_use_id":"2","cwd":%q}`, session, p.dir), "hook", "post-tool-use")
	memctl(t, p.dir, fmt.Sprintf(`{"session_id":%q,"tool_name":"Bash","tool_input":{"command":"make deploy"},"tool_use_id":"3","tool_response":{"stdout":"done"}}`, session), "hook", "post-tool-use")
	transcript := filepath.Join(temp, "transcript.jsonl")
	line := `{"type":"user","message":{"content":"The deploy failed with an error. Root cause: the network. Fixed by net.conf."}}` + "\n"
	p.check(os.WriteFile(transcript, []byte(strings.Repeat(line, 6)), 0o600))
	a := start(p.dir, fmt.Sprintf(`{"session_id":%q,"cwd":%q,"transcript_path":%q}`, session, p.dir, transcript), "hook", "stop")()
	if !strings.Contains(a.out, "[RUNBOOK]") {
		t.Fatalf("no runbook is asked for: %v, %s%s", a.err, a.out, a.errOut)
	}
	data, _ := memctl(t, p.dir, "", "stage", "show", "triage-"+session+"-runbook.txt")
	if want := "Failed, then worked in this session:\n  - Bash make deploy (failed 1 time), after Edit net.conf\n"; !strings.Contains(data, want) {
		t.Errorf("the context does not say %q:\n%s", want, data)
	}
}
