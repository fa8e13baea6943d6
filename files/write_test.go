package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"memctl/files/systemtest"
)

func writable(t *testing.T) (Root, *Folder) {
	t.Helper()
	root := Root{Path: filepath.Join(t.TempDir(), "root")}
	folder, err := root.MakeFolder("decisions")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	return root, folder
}

func (r Root) holds(t *testing.T, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(r.Join("decisions"))
	if err != nil || len(entries) != len(want) {
		t.Errorf("the folder holds %v (%v), want %v", entries, err, want)
	}
	for name, text := range want {
		if data, err := os.ReadFile(r.Join("decisions/" + name)); err != nil || string(data) != text {
			t.Errorf("%s holds %q (%v), want %q", name, data, err, text)
		}
	}
}

func TestNewFilesReplaceNothing(t *testing.T) {
	root, folder := writable(t)
	if err := folder.WriteNew("a.json", []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := folder.WriteNew("a.json", []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second file of the name: %v", err)
	}
	if err := folder.WriteNew("b.json", []byte("two")); err != nil {
		t.Fatal(err)
	}
	for name, move := range map[string]func(from, to string) error{"by the system": folder.placeNew, "checked": folder.placeChecked, "and synced": folder.MoveNew} {
		if err := move("b.json", "a.json"); !errors.Is(err, fs.ErrExist) {
			t.Errorf("moved %s onto a file: %v", name, err)
		}
	}
	root.holds(t, map[string]string{"a.json": "one", "b.json": "two"})
	if err := folder.placeChecked("b.json", "c.json"); err != nil {
		t.Error(err)
	}
	if err := folder.MoveNew("c.json", "d.json"); err != nil {
		t.Error(err)
	}
	root.holds(t, map[string]string{"a.json": "one", "d.json": "two"})
}

// Replace replaces the link itself and leaves its target alone.
func TestReplaceFollowsNoLink(t *testing.T) {
	root, folder := writable(t)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("outside"), 0o600); err != nil {
		t.Fatal(err)
	}
	systemtest.Symlink(t, outside, root.Join("decisions/a.json"))
	systemtest.Symlink(t, outside, root.Join("decisions/"+tempName))
	if err := root.RemoveTemps(); err != nil {
		t.Fatal(err)
	}
	if err := folder.Replace("a.json", []byte("new")); err != nil {
		t.Fatal(err)
	}
	root.holds(t, map[string]string{"a.json": "new"})
	if data, err := os.ReadFile(outside); err != nil || string(data) != "outside" {
		t.Errorf("outside holds %q, %v", data, err)
	}
}

func TestReplaceKeepsPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has no such permissions")
	}
	root, folder := writable(t)
	for _, mode := range []fs.FileMode{0o600, 0o664, 0o444} {
		path := root.Join("decisions/a.json")
		os.Remove(path)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, mode), folder.Replace("a.json", []byte("x"))); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%v became %v, %v", mode, info.Mode().Perm(), err)
		}
	}
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	root, folder := writable(t)
	if err := os.Mkdir(root.Join("decisions/a.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := folder.Replace("a.json", []byte("x")); err == nil {
		t.Error("replaced a folder")
	}
	if _, err := os.Lstat(root.Join("decisions/" + tempName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left the temporary file: %v", err)
	}
}

func TestRemoveTempsLeavesOtherFiles(t *testing.T) {
	root, _ := writable(t)
	outside := t.TempDir()
	kept := filepath.Join(outside, tempName)
	if err := errors.Join(os.WriteFile(kept, nil, 0o600), os.WriteFile(root.Join("decisions/"+tempName), nil, 0o600),
		os.WriteFile(root.Join("decisions/a.json"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if systemtest.HasLinks() {
		systemtest.Symlink(t, outside, root.Join("runbooks"))
	}
	if err := root.RemoveTemps(); err != nil {
		t.Error(err)
	}
	root.holds(t, map[string]string{"a.json": ""})
	if _, err := os.Stat(kept); err != nil {
		t.Error("removed a file outside the root")
	}
}

// The next writer removes what a killed rebuild left, unless another process is building.
func TestRemoveStaleBuild(t *testing.T) {
	for name, building := range map[string]bool{"stale": false, "being built": true} {
		t.Run(name, func(t *testing.T) {
			root, _ := writable(t)
			for _, file := range []string{BuildName, BuildName + "-wal"} {
				if err := os.WriteFile(root.Join(file), []byte("x"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if building {
				lock, err := root.LockExclusive(t.Context(), BuildLock, time.Second)
				if err != nil {
					t.Fatal(err)
				}
				defer lock.Unlock()
			}
			root.RemoveStaleBuild()
			for _, file := range []string{BuildName, BuildName + "-wal"} {
				if _, err := os.Lstat(root.Join(file)); (err == nil) != building {
					t.Errorf("%s: %v", file, err)
				}
			}
		})
	}
}

// Windows refuses to replace or remove a file that another program has open.
func TestChangeWaitsForReaders(t *testing.T) {
	root, folder := writable(t)
	if err := folder.WriteNew("a.json", []byte("0")); err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for i := range 20 {
		file, err := os.Open(root.Join("decisions/a.json"))
		if err != nil {
			t.Fatal(err)
		}
		release := sync.OnceFunc(func() { readers.Go(func() { file.Close() }) })
		folder.Step = release
		if i < 19 {
			err = folder.Replace("a.json", []byte(strconv.Itoa(i)))
		} else {
			err = folder.Remove("a.json")
		}
		if err != nil {
			t.Errorf("time %d: %v", i, err)
		}
		readers.Wait()
	}
}
