package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"memctl/files/systemtest"
)

func TestBelow(t *testing.T) {
	project := t.TempDir()
	path := filepath.Join(project, RootPath)
	if err := os.MkdirAll(filepath.Join(path, "decisions"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(project, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := At(project)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(project, "sub"))
	tests := map[string]string{ // "" if it is outside
		"an-id":                                    "an-id",
		"an-id.json":                               "an-id.json",
		"decisions/a.json":                         "decisions/a.json",
		"decisions/../runbooks/a.json":             "runbooks/a.json",
		"decisions/../../a.json":                   "",
		".claude/memory/decisions/a.json":          "decisions/a.json",
		".claude/memory/decisions/../../../a.json": "",
		".claude/memory/../settings.json":          "",
		"../.claude/memory/decisions/a.json":       "decisions/a.json",
		"./decisions/a.json":                       "",
		"../a.json":                                "",
		path + "/decisions/a.json":                 "decisions/a.json",
		path + "/new-folder/a.json":                "new-folder/a.json",
		path + "/decisions/deeper/a.json":          "decisions/deeper/a.json",
		project + "/decisions/a.json":              "",
		"/etc/passwd":                              "",
	}
	if systemtest.HasLinks() {
		linked := filepath.Join(t.TempDir(), "linked")
		systemtest.Symlink(t, project, linked)
		tests[linked+"/.claude/memory/decisions/a.json"] = "decisions/a.json"
		tests[linked+"/.claude/memory/runbooks/a.json"] = "runbooks/a.json"
	}
	for name, want := range tests {
		got, err := root.Below(name)
		if got != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, ErrOutside) {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestPlannedRoot(t *testing.T) {
	project, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, err := Planned(Places{Cwd: project})
	if want := (Root{Path: filepath.Join(project, RootPath), Shown: RootPath, Project: project}); err != nil || root != want {
		t.Errorf("planned %+v, %v, want %+v", root, err, want)
	}
	if _, err := Planned(Places{Flag: filepath.Join(project, "nowhere")}); !errors.Is(err, ErrNoRoot) {
		t.Errorf("planned a root nowhere: %v", err)
	}
}
