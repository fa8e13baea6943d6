//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The agent is asked even if neither the staging folder nor the flag can be written.
func TestStopHookWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	p := newGuarded(t)
	transcript, temp := filepath.Join(p.dir, "session.jsonl"), filepath.Join(p.dir, "tmp")
	p.check(os.WriteFile(transcript, []byte(`{"type":"human","content":"decided because a\ndecided because b"}`), 0o644))
	p.check(os.Mkdir(temp, 0o555))
	p.check(os.WriteFile(p.path("memory-config.json"), []byte("{}"), 0o644))
	cmd, out, errOut := p.guestCommand(`{"transcript_path": "`+transcript+`"}`, "hook", "stop")
	cmd.Env = append(cmd.Env, "HOME="+p.dir, "TMPDIR="+temp)
	p.chmod(0o555, "..")
	defer p.chmod(0o755, "..")
	p.check(cmd.Run())
	answer := readHookAnswer(t, out.String())
	if !strings.Contains(answer.Specific.Context, "[DECISION]") || strings.Contains(answer.Specific.Context, "memctl stage show") {
		t.Errorf("the agent is told %q", answer.Specific.Context)
	}
	if !strings.Contains(answer.Message, "cannot be kept for the agent: ") || !strings.Contains(answer.Message, "permission denied") {
		t.Errorf("the person is told %q, stderr %q", answer.Message, errOut)
	}
	if _, err := os.Stat(filepath.Join(p.dir, ".claude/.stop_hook_active")); err == nil {
		t.Error("the flag was set")
	}
}
