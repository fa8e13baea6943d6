package files

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"memctl/files/systemtest"
)

// sessionRoot makes a root with a session of one line.
func sessionRoot(t *testing.T, name string) Root {
	t.Helper()
	root := Root{Path: t.TempDir()}
	if err := root.AppendToSession(name, []byte("first\n")); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestAppendToSession(t *testing.T) {
	const name = "session.jsonl"
	root := sessionRoot(t, name)
	path := root.Join(SessionsFolder + "/" + name)
	if err := root.AppendToSession(name, []byte("half")); err != nil {
		t.Fatal(err)
	}
	if err := root.AppendToSession(name, []byte("last\n")); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(path); string(data) != "first\nhalf\nlast\n" {
		t.Errorf("the file holds %q", data)
	}
	if data, _ := os.ReadFile(root.Join(SessionsFolder + "/.gitignore")); string(data) != ignoreAll {
		t.Errorf(".gitignore holds %q", data)
	}
}

func TestAppendToSessionClosesTheFolderToOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has no such modes")
	}
	const name = "session.jsonl"
	root := sessionRoot(t, name)
	folder := root.Join(SessionsFolder)
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := root.AppendToSession(name, []byte("second\n")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, %v", info.Mode(), err)
	}
}

func TestAppendToSessionStaysInTheFolder(t *testing.T) {
	const name, mine = "session.jsonl", "mine\n"
	for _, c := range []struct {
		what, name string
		prepare    func(t *testing.T, root Root, outside string)
	}{
		{"a path", "../" + name, func(t *testing.T, root Root, outside string) {
			write(t, root.Join(name), mine)
		}},
		{"a linked file", "linked.jsonl", func(t *testing.T, root Root, outside string) {
			systemtest.Symlink(t, filepath.Join(outside, name), root.Join(SessionsFolder+"/linked.jsonl"))
		}},
		{"a linked folder", name, func(t *testing.T, root Root, outside string) {
			if err := os.RemoveAll(root.Join(SessionsFolder)); err != nil {
				t.Fatal(err)
			}
			systemtest.Symlink(t, outside, root.Join(SessionsFolder))
		}},
		{"a folder", "folder.jsonl", func(t *testing.T, root Root, outside string) {
			makeFolders(t, root.Join(SessionsFolder+"/folder.jsonl"))
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			root, outside := sessionRoot(t, name), t.TempDir()
			if err := os.Chmod(outside, 0o700); err != nil {
				t.Fatal(err)
			}
			foreign := filepath.Join(outside, name)
			if err := os.WriteFile(foreign, []byte(mine), 0o600); err != nil {
				t.Fatal(err)
			}
			c.prepare(t, root, outside)
			if err := root.AppendToSession(c.name, []byte("line\n")); err == nil {
				t.Error("no error")
			}
			for _, path := range []string{foreign, root.Join(name)} {
				if data, err := os.ReadFile(path); err == nil && string(data) != mine {
					t.Errorf("%s holds %q", path, data)
				}
			}
		})
	}
}
