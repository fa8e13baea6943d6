package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A flag lets the session stop that it was set for, or any session if it names none.
func TestTakeStopFlag(t *testing.T) {
	tests := map[string]struct {
		content string // of the flag
		session string // that wants to stop
		passes  bool
	}{
		"its own session":         {"session s1\n", "s1", true},
		"another session":         {"session s1\n", "s2", false},
		"a session without an id": {"session s1\n", "", true},
		"a flag of version 5":     {"0", "s1", true},
		"an empty flag":           {"", "s1", true},
		"too long a flag":         {"session " + strings.Repeat("s", 10_000), "s1", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			project := t.TempDir()
			path := filepath.Join(project, ".claude", ".stop_hook_active")
			if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(tt.content), 0o644); err != nil {
				t.Fatal(err)
			}
			if got := TakeStopFlag(project, tt.session, time.Now()); got != tt.passes {
				t.Errorf("passes: %v", got)
			}
			if _, err := os.Lstat(path); (err != nil) != tt.passes {
				t.Errorf("the flag: %v", err)
			}
		})
	}
}

func TestOldStopFlagOfAnotherSessionIsRemoved(t *testing.T) {
	project := t.TempDir()
	if err := SetStopFlag(project, "s1"); err != nil {
		t.Fatal(err)
	}
	if err := SetStopFlag(project, "s2"); err == nil {
		t.Error("a flag was replaced")
	}
	if TakeStopFlag(project, "s2", time.Now().Add(time.Hour)) {
		t.Error("an old flag counts")
	}
	if err := SetStopFlag(project, "s2"); err != nil {
		t.Error(err)
	}
	if TakeStopFlag(project, "s1", time.Now()) || !TakeStopFlag(project, "s2", time.Now()) {
		t.Error("the flag is not that of its session")
	}
}
