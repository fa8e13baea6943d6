package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// On a terminal, import shows what it would do and asks. Every answer except yes means no.
func TestImportAsksOnATerminal(t *testing.T) {
	for name, tt := range map[string]struct {
		typed   []string
		args    []string
		written bool
	}{
		"yes":       {typed: []string{"y\n"}, written: true},
		"return":    {typed: []string{"\n"}},
		"Ctrl-C":    {typed: []string{"\x03"}},
		"--yes":     {args: []string{"--yes"}, written: true},
		"--dry-run": {args: []string{"--dry-run"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "CLAUDE.md"), []byte("- Always use tabs\n- 항상 짧게 쓴다\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			seen, _ := onTerminal(t, dir, tt.typed, append([]string{"import", "claude-md", "CLAUDE.md"}, tt.args...)...)
			if asked := strings.Contains(seen, "Import 2 memories into .claude/memory?"); asked != (tt.args == nil) || asked && !strings.Contains(seen, "Always use tabs") {
				t.Errorf("asked %v: %s", asked, seen)
			}
			_, err := os.Stat(filepath.Join(dir, ".claude/memory/preferences/always-use-tabs.json"))
			if written := err == nil; written != tt.written {
				t.Errorf("written %v: %s", written, seen)
			}
		})
	}
}
