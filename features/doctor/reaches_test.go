package doctor

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memctl/clients"
)

// Memories reach the agent as long as the hook for prompts runs.
func TestReaches(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	t.Setenv("CLAUDE_CONFIG_DIR", t.TempDir())
	if err := os.Symlink(self, filepath.Join(bin, "memctl")); err != nil {
		t.Skip("no links")
	}
	all := func(clients.Hook) bool { return false }
	for name, tt := range map[string]struct {
		program string
		without func(clients.Hook) bool
		failed  bool
		reaches bool
	}{
		"all hooks":             {"memctl", all, false, true},
		"no hook at a stop":     {"memctl", func(h clients.Hook) bool { return h.Event == "Stop" }, true, true},
		"no hook at a prompt":   {"memctl", func(h clients.Hook) bool { return h.Event == "UserPromptSubmit" }, true, false},
		"no hook":               {"memctl", func(clients.Hook) bool { return true }, true, false},
		"a program that is not": {filepath.Join(bin, "none", "memctl"), all, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			project := t.TempDir()
			settings := filepath.Join(project, ".claude", "settings.json")
			hooks := slices.DeleteFunc(clients.Claude.Hooks(tt.program), tt.without)
			data, err := clients.SettingsForm{}.Add(nil, clients.Entries{Hooks: hooks})
			if err := errors.Join(err, os.Mkdir(filepath.Dir(settings), 0o755), os.WriteFile(settings, data, 0o644)); err != nil {
				t.Fatal(err)
			}
			e := &examination{Report: Report{Project: project}, self: self, hooks: clients.Claude.Hooks("memctl")}
			e.checkSettings(hookRuns{}, false, "memctl install")
			if e.Reaches() != tt.reaches || e.Count(Failed) > 0 != tt.failed {
				t.Errorf("reaches %v, failures %d:\n%v", e.Reaches(), e.Count(Failed), e.Findings)
			}
		})
	}
}
