package files

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"memctl/files/systemtest"
)

func TestIntroduceOnce(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	a, b := Root{Path: t.TempDir()}, Root{Path: t.TempDir()}
	for i, want := range []bool{true, false, false} {
		for _, root := range []Root{a, b} {
			if unknown, err := root.Introduce(); unknown != want || err != nil {
				t.Errorf("time %d of %s: unknown %v, %v", i+1, root.Path, unknown, err)
			}
		}
	}
	info, err := os.Stat(filepath.Join(state, "memctl", knownName))
	if err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("the list: %v, %v", info.Mode(), err)
	}
}

// A root that memctl makes for this user is known; one that came with a clone is not.
func TestNewRootIsKnown(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	project, cloned := t.TempDir(), Root{Path: t.TempDir()}
	alias := project
	if systemtest.HasLinks() {
		alias = filepath.Join(t.TempDir(), "alias")
		systemtest.Symlink(t, project, alias)
	}
	if err := (Root{Path: filepath.Join(alias, ".claude/memory")}).Make(); err != nil {
		t.Fatal(err)
	}
	if err := cloned.Make(); err != nil {
		t.Fatal(err)
	}
	for root, want := range map[Root]bool{{Path: filepath.Join(project, ".claude/memory")}: false, cloned: true} {
		if unknown, err := root.Introduce(); unknown != want || err != nil {
			t.Errorf("%s: unknown %v, %v", root.Path, unknown, err)
		}
	}
}

func TestIntroduceGivesTheReasonIfItCannotRemember(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", filepath.Join(t.TempDir(), "file"))
	write(t, os.Getenv("XDG_STATE_HOME"), "")
	for range 2 {
		if unknown, err := (Root{Path: t.TempDir()}).Introduce(); !unknown || err == nil {
			t.Errorf("unknown %v, %v", unknown, err)
		}
	}
}

// A damaged or replaced list makes no root known.
func TestIntroduceReadsWholeLines(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	if err := os.Mkdir(filepath.Join(os.Getenv("XDG_STATE_HOME"), "memctl"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(os.Getenv("XDG_STATE_HOME"), "memctl", knownName), "\n\nca978112\n")
	if unknown, err := (Root{Path: t.TempDir()}).Introduce(); !unknown || err != nil {
		t.Errorf("unknown %v, %v", unknown, err)
	}
}
