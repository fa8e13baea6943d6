package files

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTwins(t *testing.T) {
	names := []string{"A.json", "a.json", "b.json", "cafe\u0301.json", "caf\u00e9.json", "d.json"}
	want := [][]string{{"A.json", "a.json"}, {"cafe\u0301.json", "caf\u00e9.json"}}
	if diff := cmp.Diff(want, Collisions(names)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// No way of making a file makes a twin, whatever the file system allows.
func TestNoTwinIsMade(t *testing.T) {
	for name, twin := range map[string]string{"Auth.json": "auth.json", "cafe\u0301.json": "caf\u00e9.json"} {
		ways := map[string]func(*Folder) error{
			"WriteNew": func(f *Folder) error { return f.WriteNew(twin, nil) },
			"AddNew":   func(f *Folder) error { return f.AddNew(twin, nil) },
			"MoveNew":  func(f *Folder) error { return f.MoveNew("other.json", twin) },
		}
		for way, place := range ways {
			root, folder := writable(t)
			for _, existing := range []string{name, "other.json"} {
				if err := os.WriteFile(root.Join("decisions/"+existing), []byte(existing), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := place(folder)
			var found *CollisionError
			if !errors.As(err, &found) || found.Name != name || !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s %+q: %v", way, twin, err)
			}
			root.holds(t, map[string]string{name: name, "other.json": "other.json"})
		}
	}
}

func TestANameIsNoTwinOfItself(t *testing.T) {
	root, folder := writable(t)
	if err := errors.Join(folder.AddNew("Auth.json", []byte("x")), folder.CheckTwin("Auth.json")); err != nil {
		t.Fatal(err)
	}
	if err := folder.CheckTwin("auth.json"); err == nil {
		t.Error("a file that was just made has no twin")
	}
	// a folding file system has it
	if err := folder.MoveNew("Auth.json", "auth.json"); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if entries, err := os.ReadDir(root.Join("decisions")); err != nil || len(entries) != 1 {
		t.Errorf("%q, %v", entries, err)
	}
}

func TestNameKey(t *testing.T) {
	same := [][2]string{
		{"auth.json", "Auth.json"}, {"auth.json", "AUTH.JSON"}, {"straße", "STRAßE"},
		{"caf\u00e9", "cafe\u0301"}, {"CAFE\u0301", "caf\u00e9"}, {"\uac00", "\u1100\u1161"}, {"\u212a", "k"},
	}
	for _, names := range same {
		if NameKey(names[0]) != NameKey(names[1]) {
			t.Errorf("%+q and %+q differ", names[0], names[1])
		}
	}
	for _, names := range [][2]string{{"auth", "auths"}, {"cafe", "caf\u00e9"}, {"a-b", "a_b"}, {"", "a"}} {
		if NameKey(names[0]) == NameKey(names[1]) {
			t.Errorf("%+q and %+q are the same", names[0], names[1])
		}
	}
}
