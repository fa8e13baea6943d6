package observe

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memctl/files"
	"memctl/files/systemtest"
)

func TestFilesOfATurnOutsideAreNotLookedAt(t *testing.T) {
	top := t.TempDir()
	project := filepath.Join(top, "project")
	for _, name := range []string{"project/inside.go", "project/made.go", "project/.git/config", "outside/file"} {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_STATE_HOME"} {
		t.Setenv(name, filepath.Join(top, "outside"))
	}
	root := files.Root{Project: project, Path: filepath.Join(project, ".claude", "memory")}
	files := []string{".git/config", "../outside/file", "~/file", filepath.Join(top, "outside", "file"), "inside.go"}
	if systemtest.HasLinks() {
		systemtest.Symlink(t, filepath.Join(top, "outside"), filepath.Join(project, "link"))
		files = append(files, "link/file")
	}
	if err := NoteTurnFiles(root, "s", "t", files, false); err != nil {
		t.Fatal(err)
	}
	if err := NoteTurnFiles(root, "s", "t", []string{"made.go"}, true); err != nil {
		t.Fatal(err)
	}
	if got := TurnFiles(root, []string{"s"}, time.Now()); !slices.Equal(got, []string{"inside.go"}) {
		t.Errorf("%q", got)
	}
	if got, _ := LastChanged(root, "another"); slices.Contains(got, "made.go") {
		t.Errorf("the last session changed %q", got)
	}
	if got := TurnChanges(root, "s", "t", time.Now()); got[0] != "made.go" || !slices.Contains(got, "inside.go") {
		t.Errorf("the turn changed %q", got)
	}
	for _, other := range [][2]string{{"s", "u"}, {"r", "t"}, {"", "t"}} {
		if got := TurnChanges(root, other[0], other[1], time.Now()); got != nil {
			t.Errorf("turn %q changed %q", other, got)
		}
	}
}
