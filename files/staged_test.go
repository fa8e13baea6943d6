package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memctl/files/gate"
	"memctl/files/systemtest"
)

func TestStaged(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	root := Root{Path: filepath.Join(t.TempDir(), "memory")}
	staged, err := root.OpenStaging()
	if err != nil {
		t.Fatal(err)
	}
	defer staged.Close()
	path, err := staged.Write("triage-a.txt", "one")
	if err != nil || filepath.Dir(path) != root.Staging() {
		t.Fatalf("%s, %v", path, err)
	}
	if _, err := staged.Write("triage-a.txt", "two"); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); string(data) != "two" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := staged.Write("../out.txt", ""); err == nil {
		t.Error("wrote outside the folder")
	}
	draft, err := staged.Write("draft.json", "")
	if err != nil {
		t.Fatal(err)
	}
	staged.Sweep("triage-", time.Now().Add(-time.Hour))
	if _, err := os.Stat(path); err != nil {
		t.Errorf("swept a new file: %v", err)
	}
	staged.Sweep("triage-", time.Now().Add(time.Hour))
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an old file is still there: %v", err)
	}
	if _, err := os.Stat(draft); err != nil {
		t.Errorf("swept another's file: %v", err)
	}
}

func TestStagedMarkIsNewOnce(t *testing.T) {
	staged := openStaged(t)
	if !staged.Mark("asked-a") || staged.Mark("asked-a") || !staged.Mark("asked-b") {
		t.Error("a mark is not new once")
	}
	if err := staged.dir.Mkdir("asked-folder", 0o700); err != nil {
		t.Fatal(err)
	}
	if staged.Mark("asked-folder") {
		t.Error("a folder of that name counts as new")
	}
	for range 2 {
		if !staged.Mark("no/such/folder") {
			t.Error("a mark that cannot be made is taken for an old one")
		}
	}
}

func TestStagedListsWhatAgentsRead(t *testing.T) {
	staged := openStaged(t)
	for _, name := range []string{"triage-a.txt", "draft-b.json", "asked-a", "hooks.log"} {
		if _, err := staged.Write(name, "four"); err != nil {
			t.Fatal(err)
		}
	}
	if err := staged.dir.Mkdir("draft-folder", 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := staged.List()
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		if f.Size != 4 || time.Since(f.Written) > time.Hour {
			t.Errorf("%+v", f)
		}
	}
	if got := strings.Join(names, " "); got != "draft-b.json triage-a.txt" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

func TestOpenWithin(t *testing.T) {
	base := t.TempDir()
	inside, outside := filepath.Join(base, "home"), filepath.Join(base, "home-other")
	for _, dir := range []string{inside, outside} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	links := map[string]string{"home/out": "../home-other/file", "home-other/in": "../home/file", "alias": "home"}
	alias := inside
	if systemtest.HasLinks() {
		alias = filepath.Join(base, "alias")
		for from, to := range links {
			systemtest.Symlink(t, to, filepath.Join(base, from))
		}
	}
	tests := map[string]struct {
		path string
		want error
	}{
		"a file inside":         {"home/file", nil},
		"a link that leads in":  {"home-other/in", nil},
		"a link that leads out": {"home/out", gate.ErrOutside},
		"a longer name":         {"home-other/file", gate.ErrOutside},
		"a way out":             {"home/../home-other/file", gate.ErrOutside},
		"a file that is not":    {"home/none", fs.ErrNotExist},
		"a linked folder":       {"alias/file", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "link") && !systemtest.HasLinks() {
				t.Skip(systemtest.NoLinks)
			}
			file, size, err := gate.OpenWithin(gate.Name(filepath.Join(base, tt.path)), "", "home", filepath.Join(base, "gone"), alias)
			if !errors.Is(err, tt.want) || (err == nil) != (size == 1) {
				t.Errorf("size %d, %v", size, err)
			}
			if err == nil {
				file.Close()
			}
			_, err = gate.FolderWithin(gate.Name(filepath.Join(base, tt.path)), "", "home", filepath.Join(base, "gone"), alias)
			if outside := strings.HasPrefix(filepath.Clean(tt.path), "home-other"); errors.Is(err, gate.ErrOutside) != outside {
				t.Errorf("its folder: %v", err)
			}
		})
	}
	if _, _, err := gate.OpenWithin(gate.Name(inside), base); err == nil {
		t.Error("opened a folder")
	}
}

func TestStagingOfAnotherUserIsRefused(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	root := Root{Path: filepath.Join(t.TempDir(), "memory")}
	user := filepath.Dir(root.Staging())
	if err := os.Mkdir(user, 0o777); err != nil {
		t.Skip(err)
	}
	if err := os.Chown(user, 4242, -1); err != nil {
		t.Skip("only root can give a folder away")
	}
	if staged, err := root.OpenStaging(); err == nil {
		staged.Close()
		t.Error("opened it")
	}
}

// Two processes replace different files of a folder at once.
func TestReplaceLeavesTheFilesOfOthers(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	err := InState(func(s *Staged) error {
		if _, err := s.Write(tempName+"-b", "half of b"); err != nil {
			return err
		}
		if err := s.Replace("a", []byte("a")); err != nil {
			return err
		}
		return s.dir.Rename(tempName+"-b", "b")
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "a", "b": "half of b"} {
		if data, err := ReadStateFile(name, 100); err != nil || string(data) != want {
			t.Errorf("%s: %q %v", name, data, err)
		}
	}
}
