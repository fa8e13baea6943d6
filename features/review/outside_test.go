package review

import (
	"os"
	"path/filepath"
	"testing"

	"memctl/files/gate"
	"memctl/files/systemtest"
	"memctl/schemas"
)

// Whether a file outside exists makes no difference: it never counts as gone.
func TestRelatedFilesOutsideAreNotLookedAt(t *testing.T) {
	top := t.TempDir()
	project := filepath.Join(top, "project")
	for _, folder := range []string{"project/.git", "outside"} {
		if err := os.MkdirAll(filepath.Join(top, filepath.FromSlash(folder)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := gate.Enter(project)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	files := []string{".git/none", "../outside/none", "~/none", filepath.Join(top, "outside", "none"), "inside.go"}
	if systemtest.HasLinks() {
		systemtest.Symlink(t, filepath.Join(top, "outside"), filepath.Join(project, "link"))
		files = append(files, "link/none")
	}
	tree := &tree{Dir: dir, project: project}
	_, missing := tree.find([]*memory{{Memory: schemas.Memory{RelatedFiles: files}}})
	if len(missing) != 1 || missing[0].path != "inside.go" {
		t.Errorf("%+v", missing)
	}
}
