package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memctl/files/systemtest"
)

// userHome is a home folder with a project in it.
func userHome(t *testing.T) (home, project string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project = filepath.Join(home, "src", "parcel")
	makeFolders(t, filepath.Join(home, ".claude/memory"), filepath.Join(project, ".git"), filepath.Join(project, "web"))
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, name := range []string{userRootVariable, "MEMCTL_ROOT", "CLAUDE_PROJECT_DIR"} {
		t.Setenv(name, "")
	}
	return home, project
}

func makeFolders(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestUserRoot(t *testing.T) {
	home, project := userHome(t)
	outside := t.TempDir()
	link := filepath.Join(outside, "link")
	if systemtest.HasLinks() {
		systemtest.Symlink(t, filepath.Join(project, "notes"), link)
	}
	makeFolders(t, filepath.Join(project, "notes"), filepath.Join(home, "own"))
	for _, test := range []struct {
		name, variable, cwd string
		shown               string // "" if it is refused
	}{
		{"the home folder's", "", project, "~/.claude/memory"},
		{"in the home folder too", "", home, "~/.claude/memory"},
		{"below home", filepath.Join(home, "own"), project, "~/own"},
		{"below home, seen from there", filepath.Join(home, "own"), home, "~/own"},
		{"with a tilde", "~/own", project, "~/own"},
		{"outside", outside, project, filepath.ToSlash(outside)},
		{"in the project", filepath.Join(project, "notes"), project, ""},
		{"in the project, from below", filepath.Join(project, "notes"), filepath.Join(project, "web"), ""},
		{"the project's own", filepath.Join(project, RootPath), filepath.Join(project, "web"), ""},
		{"relative", "notes", project, ""},
		{"through a link", link, project, ""},
		{"home itself", home, project, ""},
		{"home itself, by a tilde", "~", project, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.variable == link && !systemtest.HasLinks() {
				t.Skip(systemtest.NoLinks)
			}
			t.Chdir(test.cwd)
			t.Setenv(userRootVariable, test.variable)
			root, found, err := UserRoot()
			if (err != nil) != (test.shown == "") || found != (err == nil) {
				t.Fatalf("found %v, error %v", found, err)
			}
			if err == nil && root.Shown != test.shown {
				t.Errorf("shown as %s, want %s", root.Shown, test.shown)
			}
		})
	}
	t.Run("in a project that is named", func(t *testing.T) {
		t.Chdir(outside)
		t.Setenv(userRootVariable, filepath.Join(project, "notes"))
		for _, name := range []string{"MEMCTL_ROOT", "CLAUDE_PROJECT_DIR"} {
			t.Setenv(name, project)
			if _, _, err := UserRoot(); err == nil || !strings.Contains(err.Error(), "is in the project "+project) {
				t.Errorf("%s: %v", name, err)
			}
			t.Setenv(name, "")
		}
	})
	t.Run("where there is none", func(t *testing.T) {
		t.Chdir(project)
		t.Setenv(userRootVariable, filepath.Join(outside, "none"))
		_, found, err := UserRoot()
		planned, isPlanned, planErr := FindOrPlanUser()
		if found || !isPlanned || err != nil || planErr != nil || planned.Path != filepath.Join(outside, "none") {
			t.Errorf("found %v, planned %v %v, errors %v, %v", found, isPlanned, planned, err, planErr)
		}
	})
}

// The home folder's root is the root of no project below it.
func TestFindLeavesTheUsersRoot(t *testing.T) {
	home, project := userHome(t)
	for _, variable := range []string{"", filepath.Join(t.TempDir(), "elsewhere")} {
		t.Setenv(userRootVariable, variable)
		if root, err := Find(Places{Cwd: filepath.Join(project, "web")}); !errors.Is(err, ErrNoRoot) {
			t.Errorf("below the home folder: %v, %v", root, err)
		}
		if root, err := Find(Places{Cwd: home}); err != nil || root.Project != home {
			t.Errorf("in the home folder: %v, %v", root, err)
		}
		if root, err := Find(Places{Flag: home}); err != nil || root.Project != home {
			t.Errorf("by its name: %v, %v", root, err)
		}
	}
	makeFolders(t, filepath.Join(home, "src", RootPath))
	if root, err := Find(Places{Cwd: project}); err != nil || root.Project != filepath.Join(home, "src") {
		t.Errorf("a root between: %v, %v", root, err)
	}
}

// A path as memctl shows it names the memory from everywhere.
func TestBelowTakesShownPaths(t *testing.T) {
	home, project := userHome(t)
	t.Chdir(project)
	own, _, err := UserRoot()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"~/.claude/memory/preferences/tabs.json", "preferences/tabs.json", filepath.Join(home, RootPath, "preferences/tabs.json")} {
		if below, err := own.Below(name); err != nil || below != "preferences/tabs.json" {
			t.Errorf("%s: %s, %v", name, below, err)
		}
	}
	if below, err := own.Below(".claude/memory/preferences/tabs.json"); !errors.Is(err, ErrOutside) {
		t.Errorf("the project's memory is the user's %s, %v", below, err)
	}
	root := rootAt(filepath.Join(project, RootPath), filepath.Join(project, RootPath))
	if below, err := root.Below("~/.claude/memory/preferences/tabs.json"); !errors.Is(err, ErrOutside) {
		t.Errorf("the user's memory is the project's %s, %v", below, err)
	}
}
