package files

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memctl/files/systemtest"
)

// asideTime names the files set aside here.
var asideTime = time.Unix(1_700_000_000, 0)

func invalid(string) bool { return false }

// content describes what is at path without following a link. It is "" if nothing is.
func content(t *testing.T, path string) string {
	t.Helper()
	if target, err := os.Readlink(path); err == nil {
		return "-> " + target
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

func TestSetAside(t *testing.T) {
	tests := map[string]struct {
		taken []string // numbers already used
		want  string
	}{
		"free":                 {nil, "x.json.invalid.1700000000"},
		"taken":                {[]string{"1700000000"}, "x.json.invalid.1700000001"},
		"taken more than once": {[]string{"1700000000", "1700000001", "1700000003"}, "x.json.invalid.1700000002"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			root := Root{Path: t.TempDir()}
			for _, number := range tt.taken {
				write(t, root.Join("x.json.invalid."+number), "older")
			}
			write(t, root.Join("x.json"), "bad")
			aside, err := root.Quarantine(t.Context(), "x.json", asideTime, invalid)
			if err != nil || aside != tt.want {
				t.Fatalf("set aside as %q, want %q: %v", aside, tt.want, err)
			}
			if got := content(t, root.Join(aside)); got != "bad" {
				t.Errorf("it holds %q", got)
			}
			if _, err := os.Lstat(root.Join("x.json")); err == nil {
				t.Error("it is still there under its own name")
			}
			for _, number := range tt.taken {
				if got := content(t, root.Join("x.json.invalid."+number)); got != "older" {
					t.Errorf("number %s was replaced by %q", number, got)
				}
			}
		})
	}
}

func TestSetAsideFollowsNoLink(t *testing.T) {
	root, outside := Root{Path: t.TempDir()}, t.TempDir()
	write(t, filepath.Join(outside, "x.json"), "theirs")
	link(t, filepath.Join(outside, "x.json"), root.Join("x.json"))
	link(t, outside, root.Join("decisions"))
	if aside, err := root.Quarantine(t.Context(), "x.json", asideTime, invalid); err != nil ||
		content(t, root.Join(aside)) != "-> "+filepath.Join(outside, "x.json") {
		t.Errorf("the link itself was not renamed: %q, %v", aside, err)
	}
	if aside, err := root.Quarantine(t.Context(), "decisions/x.json", asideTime, invalid); err == nil {
		t.Errorf("renamed a file outside the root to %s", aside)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 ||
		content(t, filepath.Join(outside, "x.json")) != "theirs" {
		t.Errorf("outside the root now: %v, %v", entries, err)
	}
}

func TestSetAsideLeavesNothingBehindWhenItFails(t *testing.T) {
	root := Root{Path: t.TempDir()}
	if aside, err := root.Quarantine(t.Context(), "gone.json", asideTime, invalid); err == nil {
		t.Errorf("set a missing file aside as %s", aside)
	}
	if entries, err := os.ReadDir(root.Path); err != nil || len(entries) != 1 || entries[0].Name() != WriteLock {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestAsides(t *testing.T) {
	root, outside := Root{Path: t.TempDir()}, t.TempDir()
	for _, path := range []string{"decisions/deep", "observations"} {
		if err := os.MkdirAll(root.Join(path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"x.json.invalid.1", "decisions/y.json.invalid.12", "decisions/deep/z.invalid.3",
		"decisions/y.json", "y.invalid.", "y.invalid.x", "invalid.1"} {
		write(t, root.Join(path), "bad")
	}
	write(t, filepath.Join(outside, "x.json.invalid.1"), "theirs")
	link(t, outside, root.Join("runbooks"))
	link(t, filepath.Join(outside, "x.json.invalid.1"), root.Join("decisions/link.invalid.1"))
	got, err := root.Asides()
	if want := []string{"decisions/deep/z.invalid.3", "decisions/y.json.invalid.12", "x.json.invalid.1"}; err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("listed %q, %v", got, err)
	}
}

// A valid file replaces the invalid one after the caller has judged that.
func TestSetAsidePutsAValidFileBack(t *testing.T) {
	for name, newer := range map[string]string{"to its name": "", "unless the name is taken": "newer"} {
		t.Run(name, func(t *testing.T) {
			root := Root{Path: t.TempDir()}
			at := root.Join("decisions/x.json")
			if err := os.Mkdir(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, at, "valid")
			aside, err := root.Quarantine(t.Context(), "decisions/x.json", asideTime, func(aside string) bool {
				if newer != "" {
					write(t, at, newer)
				}
				return content(t, root.Join(aside)) == "valid"
			})
			wantAside, want := "", "valid"
			if newer != "" {
				wantAside, want = "decisions/x.json.invalid.1700000000", newer
			}
			if err != nil || aside != wantAside || content(t, at) != want {
				t.Errorf("set aside as %q, %v; its name holds %q", aside, err, content(t, at))
			}
			if newer != "" && content(t, root.Join(aside)) != "valid" {
				t.Error("the valid file is lost")
			}
		})
	}
}

func TestSetAsideWaitsForTheWriter(t *testing.T) {
	root := Root{Path: t.TempDir()}
	write(t, root.Join("x.json"), "bad")
	lock, err := root.LockExclusive(t.Context(), WriteLock, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if aside, err := root.Quarantine(t.Context(), "x.json", asideTime, invalid); !errors.Is(err, ErrLocked) ||
		content(t, root.Join("x.json")) != "bad" {
		t.Errorf("set aside as %q, %v", aside, err)
	}
}

func write(t testing.TB, path, data string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t testing.TB, target, path string) {
	t.Helper()
	systemtest.Symlink(t, target, path)
}
