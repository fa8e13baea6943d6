package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// On a terminal, import shows what it would do and asks. Every answer except yes means no.
func TestImportAsksOnATerminal(t *testing.T) {
	t.Parallel()
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
			for name, text := range map[string]string{"tabs.md": "# Always use tabs\n\nIn Go.\n", "short.md": "# 항상 짧게 쓴다\n\n모두.\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			seen, _ := onTerminal(t, dir, tt.typed, append([]string{"import", "markdown", ".", "--category", "preference"}, tt.args...)...)
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

// What is similar to a memory is imported only if the person says so too.
func TestImportAsksAboutSimilarItems(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		typed    []string
		imported int
	}{
		"both":        {[]string{"y\n", "y\n"}, 2},
		"not similar": {[]string{"y\n", "n\n"}, 1},
		"neither":     {[]string{"n\n"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := project{t, t.TempDir()}
			p.inProcess("init")
			p.inProcess("add", "preference", "Always use tabs, not spaces")
			p.check(os.WriteFile(filepath.Join(p.dir, "tabs.md"), []byte("# Always use tabs, not spaces\n\nAlways use tabs, not spaces\n"), 0o600))
			p.check(os.WriteFile(filepath.Join(p.dir, "short.md"), []byte("# Keep functions short\n\nKeep functions short\n"), 0o600))
			seen, _ := onTerminal(t, p.dir, tt.typed, "import", "markdown", ".", "--category", "preference")
			if asked := strings.Contains(seen, "Import what is similar too (1)?"); asked != (len(tt.typed) > 1) {
				t.Errorf("asked %v: %s", asked, seen)
			}
			if n := len(p.memories()) - 2; n != tt.imported { // without the configuration and the first
				t.Errorf("%d imported: %s", n, seen)
			}
		})
	}
}
