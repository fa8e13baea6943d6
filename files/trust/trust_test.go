package trust

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"memctl/files"
)

func state(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("XDG_STATE_HOME", folder)
	t.Setenv("LOCALAPPDATA", "")
	return filepath.Join(folder, "memctl")
}

func TestAContentCountsAsSeenOnceItIsAdded(t *testing.T) {
	folder := state(t)
	a, b, c := Content([]byte("a")), Content([]byte("b")), Content([]byte("c"))
	for range 2 { // the second time adds nothing
		if err := Add(a, b); err != nil {
			t.Fatal(err)
		}
	}
	seen, err := ReadSeen()
	if err != nil || !seen.Has(a) || !seen.Has(b) || seen.Has(c) || seen.Has("") || seen.Has(a[:8]) {
		t.Errorf("a %v, b %v, c %v, none %v: %v", seen.Has(a), seen.Has(b), seen.Has(c), seen.Has(""), err)
	}
	info, err := os.Stat(filepath.Join(folder, seenName))
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() != 2*(digits+1) {
		t.Errorf("%v: %v", info, err)
	}
	for range 2 * manyAsked { // a set answers
		if !seen.Has(a) || seen.Has(c) {
			t.Fatal("the set says something else")
		}
	}
}

// A write that was cut off costs the content that it was about, and no other.
func TestALineThatWasCutOff(t *testing.T) {
	folder := state(t)
	a, b := Content([]byte("a")), Content([]byte("b"))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, seenName), []byte("\n"+a[:7]), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Add(b); err != nil {
		t.Fatal(err)
	}
	if seen, err := ReadSeen(); err != nil || seen.Has(a) || !seen.Has(b) {
		t.Errorf("a %v, b %v: %v", seen.Has(a), seen.Has(b), err)
	}
}

// The file never starts over: a full one is an error, and what it has stays.
func TestAFullFileKeepsWhatItHas(t *testing.T) {
	folder := state(t)
	a := Content([]byte("a"))
	if err := Add(a); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(folder, seenName), maxSeen-8); err != nil {
		t.Fatal(err)
	}
	if err := Add(Content([]byte("b"))); err == nil {
		t.Error("nothing says that it is full")
	}
	if seen, err := ReadSeen(); err != nil || !seen.Has(a) {
		t.Errorf("a is lost: %v", err)
	}
}

// What cannot be read makes all memories new.
func TestNothingIsSeenThatCannotBeRead(t *testing.T) {
	folder := state(t)
	a := Content([]byte("a"))
	if err := Add(a); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, seenName)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	seen, err := ReadSeen()
	if err == nil || seen.Has(a) {
		t.Errorf("a is %v: %v", seen.Has(a), err)
	}
	root := files.Root{Path: t.TempDir()}
	if err := os.Mkdir(filepath.Join(root.Path, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if by := new(Judge).By(root, a); by != someone {
		t.Errorf("by %q", by)
	}
}

func TestARewriteIsSeenIfAllThatItWasMadeOfIs(t *testing.T) {
	state(t)
	Wrote([]byte("mine"))
	Rewrote([]byte("merged"), []byte("mine"), []byte("hers"))
	Rewrote([]byte("updated"), []byte("mine"))
	seen, err := ReadSeen()
	for text, want := range map[string]bool{"mine": true, "hers": false, "merged": false, "updated": true} {
		if got := seen.Has(Content([]byte(text))); got != want || err != nil {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

// BenchmarkSeen is what a prompt pays to ask for five memories among 60,000 contents.
func BenchmarkSeen(b *testing.B) {
	b.Setenv("XDG_STATE_HOME", b.TempDir())
	contents := make([]string, 60_000)
	for i := range contents {
		contents[i] = Content(fmt.Append(nil, i))
	}
	if err := Add(contents...); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		seen, err := ReadSeen()
		if err != nil {
			b.Fatal(err)
		}
		for i := range 5 {
			if !seen.Has(contents[i*12_000]) {
				b.Fatal("it is not there")
			}
		}
	}
}
