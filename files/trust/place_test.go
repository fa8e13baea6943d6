package trust

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memctl/files"
)

// index is what Look reads: the memories of a root, and the state of its index.
type index struct {
	state string
	list  []File
	asked Last // by the last Look
}

func (i *index) read(last Last) ([]File, string, error) {
	if i.asked = last; last.State == i.state {
		return nil, i.state, nil
	}
	return i.list, i.state, nil
}

func fileOf(name string) File {
	return File{Path: "decisions/" + name + ".json", Content: Content([]byte(name)), MtimeNS: 1}
}

// looked is a root with three memories of others, at which a session's start has looked.
func looked(t *testing.T) (root files.Root, in *index, note string) {
	t.Helper()
	folder := state(t)
	root, in = files.Root{Path: t.TempDir()}, &index{"1", []File{fileOf("a"), fileOf("b"), fileOf("c")}, Last{}}
	if err := os.Mkdir(filepath.Join(root.Path, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Meet(t.Context(), root, true); err != nil {
		t.Fatal(err)
	}
	if got := in.look(t, root); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Fatalf("the first look finds %v", got)
	}
	return root, in, filepath.Join(folder, placePrefix+root.Key())
}

// look returns the names of the memories that are new.
func (i *index) look(t *testing.T, root files.Root) (names []string) {
	t.Helper()
	found, err := Look(t.Context(), root, false, i.read)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range found.New {
		names = append(names, strings.TrimSuffix(filepath.Base(n.Path), ".json"))
	}
	return names
}

func edit(t *testing.T, path string, change func(string) string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(change(string(data))), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatDidNotChangeIsNotWrittenAgain(t *testing.T) {
	root, in, note := looked(t)
	before, err := os.Stat(note)
	if err != nil {
		t.Fatal(err)
	}
	if got := in.look(t, root); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("the second look finds %v", got)
	}
	if after, err := os.Stat(note); err != nil || !os.SameFile(before, after) {
		t.Errorf("the note was written again: %v", err)
	}
}

func TestALookFindsWhatChanged(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, in *index)
		want   []string
	}{
		"a memory that came": {func(_ *testing.T, in *index) {
			in.state, in.list = "2", append(in.list, fileOf("d"))
		}, []string{"a", "b", "c", "d"}},
		"a memory that is gone": {func(_ *testing.T, in *index) {
			in.state, in.list = "2", in.list[:2]
		}, []string{"a", "b"}},
		"a memory that the person has seen": {func(t *testing.T, _ *index) {
			if err := Add(fileOf("b").Content); err != nil {
				t.Fatal(err)
			}
		}, []string{"a", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			root, in, _ := looked(t)
			c.change(t, in)
			for range 2 {
				if got := in.look(t, root); !slices.Equal(got, c.want) {
					t.Errorf("it finds %v, want %v", got, c.want)
				}
			}
		})
	}
}

// What cannot be read counts as not seen, and the next look reads all memories.
func TestADamagedNote(t *testing.T) {
	for name, damage := range map[string]func(string) string{
		"nothing written":        func(string) string { return "" },
		"the first line cut off": func(s string) string { return s[:9] },
		"a line missing":         func(s string) string { return s[:strings.LastIndex(s, "{")] },
		"a line cut off":         func(s string) string { return s[:len(s)-9] },
	} {
		t.Run(name, func(t *testing.T) {
			root, in, note := looked(t)
			edit(t, note, damage)
			if by := new(Judge).By(root, fileOf("c").Content); by != someone {
				t.Errorf("c is by %q", by)
			}
			if got := in.look(t, root); !slices.Equal(got, []string{"a", "b", "c"}) || in.asked.State != "" ||
				in.asked.Since != 0 {
				t.Errorf("it finds %v, asked for %+v", got, in.asked)
			}
			if by := new(Judge).By(root, fileOf("c").Content); by != Others {
				t.Errorf("c is by %q afterwards", by)
			}
		})
	}
}

// An earlier memctl wrote one JSON document.
func TestTheNoteOfAnEarlierMemctl(t *testing.T) {
	root, in, note := looked(t)
	edit(t, note, func(string) string {
		return `{"looked":1790000000000000000,"journal":0,"came":true,"new":[` +
			`{"path":"decisions/a.json","content":"` + fileOf("a").Content + `","author":"Ann"},` +
			`{"path":"decisions/b.json","content":"` + fileOf("b").Content + `"}]}`
	})
	if by := new(Judge).By(root, fileOf("a").Content); by != someone {
		t.Errorf("a is by %q", by)
	}
	if got := in.look(t, root); !slices.Equal(got, []string{"a", "b", "c"}) ||
		!slices.Equal(in.asked.Paths, []string{"decisions/a.json", "decisions/b.json"}) || in.asked.State != "" {
		t.Errorf("it finds %v, asked for %+v", got, in.asked)
	}
	if by := new(Judge).By(root, fileOf("a").Content); by != "Ann" {
		t.Errorf("a is by %q afterwards", by)
	}
}

// The name of an author looks like another memory.
func TestAPromptFindsALineByItsContentOnly(t *testing.T) {
	a, b := fileOf("a").Content, fileOf("b").Content
	news := []byte(`{"path":"x","content":"` + a + `","author":"\"content\":\"` + b + `\""}` + "\n" +
		`{"path":"\"content\":\"` + a + `\"","content":"` + b + `","author":"Bo"}` + "\n")
	for content, want := range map[string]string{a: `"content":"` + b + `"`, b: "Bo", "": someone, a[:9]: someone} {
		if got := authorOf(news, content); got != want {
			t.Errorf("%q is by %q, want %q", content, got, want)
		}
	}
}
