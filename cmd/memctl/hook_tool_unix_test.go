//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Nothing writes to the pipe, so opening it would wait forever.
func TestPipeIsSetAside(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.check(syscall.Mkfifo(p.path("decisions/x.json"), 0o644))
	if reason := p.written("decisions/x.json"); !strings.Contains(reason, "a named pipe") {
		t.Errorf("the reason is %q", reason)
	}
	if aside, there := fate(t, p.path("decisions/x.json")); !aside || there {
		t.Errorf("set aside %v, still there %v", aside, there)
	}
}

// The agent gets the reason even if the file cannot be renamed.
func TestInvalidFileInReadOnlyFolderIsReported(t *testing.T) {
	t.Parallel()
	p := newGuarded(t)
	p.chmod(0o555, "decisions")
	reports := func(why string) {
		t.Helper()
		out, errOut := p.guest(toolEvent(p.path("decisions/kafka.json")), "hook", "post-tool-use")
		want := "decisions/kafka.json is not a valid memory and could not be moved aside (" + why +
			": permission denied). Tell the user, who has to fix that first:\\n- "
		if !strings.Contains(out, `"decision":"block"`) || !strings.Contains(out, want) || errOut != "" {
			t.Errorf("stdout %q, stderr %q", out, errOut)
		}
	}
	reports("index.db.write.lock")
	p.check(os.WriteFile(p.path("index.db.write.lock"), nil, 0o600))
	p.chmod(0o666, "index.db.write.lock")
	reports("decisions is not writable")
}

// If a folder may not be entered, the name alone decides.
func TestGuardBelowAnUnreadableFolder(t *testing.T) {
	t.Parallel()
	p := newGuarded(t)
	closed := filepath.Join(p.dir, "closed")
	p.check(os.MkdirAll(filepath.Join(closed, ".claude/memory"), 0o755))
	p.check(os.Symlink(p.path(), filepath.Join(closed, "alias")))
	p.check(os.Chmod(closed, 0))
	t.Cleanup(func() { os.Chmod(closed, 0o755) })
	for path, denied := range map[string]bool{".claude/memory/a.json": true, "alias/a.json": false, "a.txt": false} {
		out, errOut := p.guest(toolEvent(filepath.Join(closed, path)), "hook", "pre-tool-use")
		if strings.Contains(out, `"deny"`) != denied || errOut != "" {
			t.Errorf("%s: stdout %q, stderr %q", path, out, errOut)
		}
	}
}
