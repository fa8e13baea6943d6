package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"memctl/files/systemtest"
)

// The tree in which the tests look for roots.
const (
	project   = "work/project"
	projRoot  = project + "/.claude/memory"
	deep      = project + "/internal/api"
	nested    = project + "/vendor/lib" // a project inside the project
	nestRoot  = nested + "/.claude/memory"
	other     = "work/other"
	otherRoot = other + "/.claude/memory"
	bare      = "elsewhere/notes" // a memory root outside any .claude
	empty     = "elsewhere/empty"
	fileRoot  = "elsewhere/file" // its .claude/memory is a file
	plainFile = "elsewhere/plain.txt"
)

func tree(t *testing.T) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{projRoot, deep, nestRoot, otherRoot, bare + "/decisions", empty, fileRoot + "/.claude"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(top, bare, ConfigName), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{fileRoot + "/.claude/memory", plainFile} {
		if err := os.WriteFile(filepath.Join(top, file), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

func TestFind(t *testing.T) {
	top := tree(t)
	tests := map[string]struct {
		places Places // relative to top
		cwd    string // of the process
		want   string
	}{
		"--root as a project":                   {Places{Flag: project}, empty, projRoot},
		"--root as a root":                      {Places{Flag: projRoot}, empty, projRoot},
		"--root as a root elsewhere":            {Places{Flag: bare}, empty, bare},
		"--root before all others":              {Places{project, other, nested, nested}, nested, projRoot},
		"MEMCTL_ROOT as a project":              {Places{Env: project}, empty, projRoot},
		"MEMCTL_ROOT as a root elsewhere":       {Places{Env: bare}, empty, bare},
		"MEMCTL_ROOT before the project folder": {Places{Env: other, ProjectDir: project, Cwd: nested}, nested, otherRoot},
		"CLAUDE_PROJECT_DIR":                    {Places{ProjectDir: project}, empty, projRoot},
		"CLAUDE_PROJECT_DIR before the event":   {Places{ProjectDir: other, Cwd: project}, nested, otherRoot},
		"above CLAUDE_PROJECT_DIR":              {Places{ProjectDir: deep}, empty, projRoot},
		"the event's cwd":                       {Places{Cwd: project}, other, projRoot},
		"above the event's cwd":                 {Places{Cwd: deep}, other, projRoot},
		"the nearest above wins":                {Places{Cwd: nested}, other, nestRoot},
		"from within the root":                  {Places{Cwd: projRoot}, other, projRoot},
		"the process's folder without an event": {Places{}, project, projRoot},
		"above the process's folder":            {Places{}, deep, projRoot},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Chdir(filepath.Join(top, tt.cwd))
			root, err := Find(below(top, tt.places))
			if err != nil {
				t.Fatal(err)
			}
			if want := filepath.Join(top, tt.want); root.Path != want {
				t.Errorf("found %s, want %s", root.Path, want)
			}
			shown := RootPath
			if tt.want == bare {
				shown = filepath.ToSlash(root.Path)
			}
			if root.Shown != shown {
				t.Errorf("shown as %s, want %s", root.Shown, shown)
			}
		})
	}
}

func TestFindRefuses(t *testing.T) {
	top := tree(t)
	tests := map[string]struct {
		places Places
		noRoot bool // the usual case: a project without memories
	}{
		"--root that does not exist":               {Places{Flag: "nowhere", Cwd: project}, true},
		"--root that is a file":                    {Places{Flag: plainFile, Cwd: project}, true},
		"--root without memories":                  {Places{Flag: empty, Cwd: project}, true},
		"--root below a project":                   {Places{Flag: deep, Cwd: project}, true},
		"MEMCTL_ROOT that does not exist":          {Places{Env: "nowhere", Cwd: project}, true},
		"CLAUDE_PROJECT_DIR that does not exist":   {Places{ProjectDir: "nowhere", Cwd: project}, true},
		"an event's cwd that does not exist":       {Places{Cwd: "nowhere"}, true},
		"an event's cwd that is a file":            {Places{Cwd: plainFile}, true},
		"no root in any folder above":              {Places{Cwd: empty}, true},
		"a root that is a file":                    {Places{Cwd: fileRoot}, false},
		"--root at a project whose root is a file": {Places{Flag: fileRoot}, false},
		"--root as a root that is a file":          {Places{Flag: fileRoot + "/.claude/memory"}, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Chdir(filepath.Join(top, other))
			root, err := Find(below(top, tt.places))
			if err == nil {
				t.Fatalf("found %s", root.Path)
			}
			if errors.Is(err, ErrNoRoot) != tt.noRoot {
				t.Errorf("%v: ErrNoRoot is %v", err, !tt.noRoot)
			}
		})
	}
}

func TestFindFollowsALinkWithinTheProject(t *testing.T) {
	for name, tt := range map[string]struct {
		target string // below the project
		out    bool
	}{
		"to a folder of the project":   {"notes", false},
		"out of the project":           {"../notes", true},
		"to git's own files":           {".git", true},
		"out of the project and in it": {"../empty/notes", false},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			project := filepath.Join(top, "empty")
			for _, folder := range []string{"notes", "empty/notes", "empty/.git", "empty/.claude"} {
				if err := os.MkdirAll(filepath.Join(top, folder), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			systemtest.Symlink(t, filepath.Join(project, tt.target), filepath.Join(project, RootPath))
			root, err := Find(Places{Cwd: project})
			if tt.out != errors.As(err, new(*LeadsOutError)) {
				t.Fatalf("found %+v, %v", root, err)
			}
			if want := (Root{Path: filepath.Join(project, tt.target), Shown: RootPath, Project: project}); err == nil && root != want {
				t.Errorf("found %+v, want %+v", root, want)
			}
		})
	}
}

// below returns the places as absolute paths below top.
func below(top string, p Places) Places {
	for _, place := range []*string{&p.Flag, &p.Env, &p.ProjectDir, &p.Cwd} {
		if *place != "" {
			*place = filepath.Join(top, *place)
		}
	}
	return p
}
