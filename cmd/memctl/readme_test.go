package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// README.md shows the real output of commands, where it is the same on any day.
func TestReadmeShowsRealOutput(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	p := newProject(t)
	p.check(os.CopyFS(filepath.Join(p.dir, ".claude", "memory"), os.DirFS("../../testdata/stores/parcel")))

	found, _ := memctl(t, p.dir, "", "search", "lock", "timeout", "migration", "--limit", "1")
	if !strings.Contains(readme, "$ memctl search lock timeout migration --limit 1\n"+found) {
		t.Errorf("a search gives\n%s", found)
	}
	block, _ := memctl(t, p.dir, `{"prompt":"goose migration died with a lock timeout, safe to run it again?"}`, "hook", "user-prompt-submit")
	if !strings.Contains(readme, "```xml\n"+block) {
		t.Errorf("the prompt hook gives\n%s", block)
	}
	installed, _ := memctl(t, p.dir, "", "install", "--dry-run")
	if size := regexp.MustCompile(`(?m)^@@ .*$`).FindString(installed); !strings.Contains(readme, "\n"+size+"\n") {
		t.Errorf("memctl install changes %s", size)
	}
}
