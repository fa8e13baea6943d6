package review

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"memctl/files/git"
)

// read returns the log of commits, the last first: "time|status path [path]|...".
func read(paths []string, commits ...string) *log {
	l := newLog()
	for _, name := range paths {
		l.present[name] = name
	}
	for _, c := range commits {
		at, list, _ := strings.Cut(c, "|")
		var files []git.FileChange
		for file := range strings.SplitSeq(list, "|") {
			words := strings.Fields(file)
			f := git.FileChange{Status: words[0][0], From: words[1:2], Path: words[len(words)-1]}
			f.Similar, _ = strconv.Atoi(words[0][1:])
			files = append(files, f)
		}
		seconds, _ := strconv.ParseInt(at, 10, 64)
		l.add(git.Commit{ID: "c" + at, Time: seconds}, slices.Values(files))
	}
	return l
}

func TestFate(t *testing.T) {
	for _, tt := range []struct {
		name    string
		here    []string
		commits []string
		missing string
		want    string // "COMMIT PATH"
	}{
		{"deleted", nil, []string{"2|D a.go", "1|A a.go"}, "a.go", "c2 "},
		{"renamed", []string{"b.go"}, []string{"2|R90 a.go b.go", "1|A a.go"}, "a.go", "c2 b.go"},
		{"renamed twice", []string{"c.go"}, []string{"3|R100 b.go c.go", "2|R90 a.go b.go", "1|A a.go"}, "a.go", "c3 c.go"},
		{"renamed, then deleted", nil, []string{"3|D b.go", "2|R90 a.go b.go", "1|A a.go"}, "a.go", "c3 "},
		{"the last event counts", []string{"b.go"}, []string{"4|D a.go", "3|A a.go", "2|R90 a.go b.go", "1|A a.go"},
			"a.go", "c4 "},
		{"an older fate of the new name", nil, []string{"3|R90 a.go b.go", "2|D b.go", "1|A b.go"}, "a.go", "c3 "},
		{"back and forth", nil, []string{"3|R90 b.go a.go", "2|R90 a.go b.go"}, "b.go", "c3 "},
		{"a folder", []string{"new/x.go", "new/y.go"}, []string{"2|R100 old/x.go new/x.go|R95 old/y.go new/y.go|D old/z.go", "1|A old/x.go"}, "old", "c2 new"},
		{"a folder of which little is left", []string{"new/x.go"},
			[]string{"2|R100 old/x.go new/x.go|D old/y.go|D old/z.go", "1|A old/x.go"}, "old", "c2 "},
		{"never there", nil, []string{"1|A x.go"}, "a.go", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fate, known := read(nil, tt.commits...).fate(tt.missing,
				func(p string) bool { return slices.Contains(tt.here, p) || p == "new" })
			got := ""
			if known {
				got = fate.commit.ID + " " + fate.to
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	many := "5|M a.go" + strings.Repeat("|M x.go", maxFiles)
	for _, tt := range []struct {
		name    string
		commits []string
		want    int
	}{
		{"each commit", []string{"3|M a.go", "2|M x.go", "1|A a.go"}, 2},
		{"under an earlier name", []string{"3|R90 b.go a.go", "2|M b.go", "1|A b.go"}, 3},
		{"not a mere move", []string{"3|R100 b.go a.go", "2|M b.go"}, 1},
		{"not those of a folder", []string{"2|M a.go/x.go"}, 0},
		{"not one that changes everything", []string{many, "1|M a.go"}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := len(read([]string{"a.go"}, tt.commits...).files["a.go"]); got != tt.want {
				t.Errorf("%d commits, want %d", got, tt.want)
			}
		})
	}
}
