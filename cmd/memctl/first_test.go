package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memctl/answers"
)

// Go tells what it initialises. The test binary is memctl, with testing and what the
// tests use besides.
func TestUnindexedHooksComeFirst(t *testing.T) {
	p := newProject(t)
	p.put("decisions/x.json", "X")
	late := []string{"modernc.org/sqlite", "github.com/urfave/cli/v2", "github.com/pressly/goose/v3", "github.com/dustin/go-humanize", "memctl/retrieve"}
	for _, tt := range []struct {
		hook, event string
		first       bool
	}{
		{"stop", `{"stop_hook_active":true}`, true},
		{"pre-tool-use", toolEvent("main.go"), true},
		{"post-tool-use", toolEvent("main.go"), true},
		{"post-tool-use", toolEvent(p.path("decisions/x.json")), false},
		{"post-tool-use-failure", toolEvent("main.go"), true},
		{"user-prompt-submit", event("what about x and y"), false},
	} {
		cmd, _, errOut := command(p.dir, tt.event, "hook", tt.hook)
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v: %s", tt.hook, err, errOut)
		}
		for _, name := range late {
			if set := strings.Contains(errOut.String(), "init "+name+" "); set == tt.first {
				t.Errorf("%s on %s: %s was set up: %v", tt.hook, tt.event, name, set)
			}
		}
	}
}

// A user's own patterns need package regexp: those hooks are answered late, once.
func TestHooksWithPatternsWaitForThem(t *testing.T) {
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
	b := newTriageSandbox(t)
	b.check(os.MkdirAll(filepath.Join(b.dir, ".claude/memory"), 0o700))
	b.check(os.WriteFile(filepath.Join(b.dir, ".claude/memory/memory-config.json"), []byte(`{"privacy":{"excludePatterns":["falcon-[0-9]+","("]}}`), 0o644))
	path := filepath.Join(b.home, "session.jsonl")
	b.append(path, `{"type":"human","content":"decided because of falcon-7\ndecided because"}`)
	if exit, _, errOut := b.stop(path, ""); exit != answers.ExitBlock || strings.Contains(errOut, "falcon-7") || !strings.Contains(errOut, "of [REDACTED]") {
		t.Errorf("exit status %d, stderr %q", exit, errOut)
	}
}
