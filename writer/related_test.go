package writer

import (
	"os"
	"path/filepath"
	"testing"

	"memctl/files"
	"memctl/files/systemtest"
	"memctl/schemas"
)

func TestRelatedFilesOutsideAreNotLookedAt(t *testing.T) {
	top := t.TempDir()
	project := filepath.Join(top, "project")
	for _, name := range []string{"project/inside.go", "project/.git/config", "outside/file"} {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", filepath.Join(top, "outside"))
	refused := map[string]bool{
		"inside.go": true, "./inside.go": true, "gone.go": false, "../outside/file": false, "~/file": false,
		".git/config": false, filepath.Join(top, "outside", "file"): false, filepath.Join(project, "inside.go"): false,
	}
	if systemtest.HasLinks() {
		systemtest.Symlink(t, filepath.Join(top, "outside"), filepath.Join(project, "link"))
		refused["link/file"] = false
	}
	w, _ := testWriter()
	w.Root = files.Root{Project: project}
	for name, want := range refused {
		old := &schemas.Memory{RelatedFiles: []string{name}}
		if err := w.checkRelated(old, &schemas.Memory{}); (err != nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
