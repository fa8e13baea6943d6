//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memctl/hooks"
)

// The agent is asked even if neither the staging folder nor the flag can be written.
func TestStopHookWhereNothingCanBeWritten(t *testing.T) {
	p := newGuarded(t)
	transcript, temp := filepath.Join(p.dir, "session.jsonl"), filepath.Join(p.dir, "tmp")
	p.check(os.WriteFile(transcript, []byte(`{"type":"human","content":"decided because a\ndecided because b"}`), 0o644))
	p.check(os.Mkdir(temp, 0o555))
	cmd, out, errOut := p.guestCommand(`{"transcript_path": "`+transcript+`"}`, "hook", "stop")
	cmd.Env = append(cmd.Env, "HOME="+p.dir, "TMPDIR="+temp)
	p.chmod(0o555, "..")
	defer p.chmod(0o755, "..")
	_ = cmd.Run() // the test checks the exit status
	said := errOut.String()
	if cmd.ProcessState.ExitCode() != hooks.ExitBlock || out.Len() > 0 {
		t.Errorf("exit status %d, stdout %q", cmd.ProcessState.ExitCode(), out)
	}
	if !strings.HasPrefix(said, "memctl: no context files: ") || !strings.Contains(said, "permission denied") || !strings.Contains(said, "[DECISION]") {
		t.Errorf("stderr %q", said)
	}
	if _, err := os.Stat(filepath.Join(p.dir, ".claude/.stop_hook_active")); err == nil {
		t.Error("the flag was set")
	}
}
