package git

import (
	"os"
	"path/filepath"
	"testing"
)

func TestInRepository(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	if InRepository(below) {
		t.Error("a folder without .git above it is in a repository")
	}
	if err := os.WriteFile(filepath.Join(dir, ".git"), nil, 0o644); err != nil { // of a worktree
		t.Fatal(err)
	}
	if !InRepository(below) || !InRepository(dir) {
		t.Error("a folder below .git is in no repository")
	}
}
