package files

import (
	"os"
	"path/filepath"
	"testing"
)

// A folder without a root is not the project of what lies below it, unless it is in a repository.
func TestAFolderWithoutARootIsNoProject(t *testing.T) {
	top := tree(t)
	t.Setenv("HOME", filepath.Join(top, "home"))
	t.Setenv("TMPDIR", filepath.Join(top, "tmp"))
	if err := os.MkdirAll(filepath.Join(top, empty, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		cwd, path     string
		root, outside bool // --root names another project; a path leads out
	}{
		"the project":               {project, project, false, false},
		"below the project":         {project, deep, false, false},
		"a root below":              {"work", project, true, true},
		"from the top":              {"", project, true, true},
		"the folder itself":         {"work", "work", false, true},
		"a file of it":              {"elsewhere", plainFile, true, false},
		"a file of a folder of it":  {"", plainFile, true, true},
		"a repository":              {empty, empty, false, false},
		"a folder in a repository":  {empty, empty + "/docs", false, false},
		"out of a repository":       {empty, plainFile, true, true},
		"a folder that is not made": {"work", "work/new", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(filepath.Join(top, tt.cwd))
			path := filepath.Join(top, tt.path)
			if got := (Places{Flag: path}).NamesOther(); got != tt.root {
				t.Errorf("--root %s: %v", tt.path, got)
			}
			if got := (Places{}).Outside(path); got != tt.outside {
				t.Errorf("%s is outside: %v", tt.path, got)
			}
		})
	}
}
