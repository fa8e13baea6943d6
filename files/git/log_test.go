package git

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// logged is a commit with its files.
type logged struct {
	Commit
	Files []FileChange
}

func readAll(fields iter.Seq[string]) (list []logged, err error) {
	err = readLog(fields, func(c Commit, files iter.Seq[FileChange]) error {
		list = append(list, logged{c, slices.Collect(files)})
		return nil
	})
	return list, err
}

func TestReadLog(t *testing.T) {
	const a, b, none = "aaaa", "bbbb", "0000"
	output := strings.Join([]string{
		"c3", "c2 c1", "30", "Jin", "j@acme.example", "2026-01-03", "merge", "\n::100644 100644 100644 " + a + " " + a + " " + b + " MM",
		"old", "new", "new",
		"c2", "c1", "20", "Jin", "j@acme.example", "2026-01-02", ":not a change", "\n:100644 100644 " + a + " " + b + " R090", "from", "to",
		":100644 000000 " + a + " " + none + " D", "gone", ":000000 100644 " + none + " " + b + " A", "here",
		"c1", "", "10", "Jin", "j@acme.example", "2026-01-01", "", "",
	}, "\x00")
	want := []logged{
		{Commit{"c3", "Jin", "j@acme.example", "2026-01-03", "merge", "c2 c1", 30}, []FileChange{{'M', "new", []string{"old", "new"}, b, 0}}},
		{Commit{"c2", "Jin", "j@acme.example", "2026-01-02", ":not a change", "c1", 20}, []FileChange{
			{'R', "to", []string{"from"}, b, 90}, {'D', "gone", []string{"gone"}, "", 0}, {'A', "here", []string{""}, b, 0}}},
		{Commit{"c1", "Jin", "j@acme.example", "2026-01-01", "", "", 10}, nil},
	}
	got, err := readAll(strings.SplitSeq(output, "\x00"))
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func FuzzReadLog(f *testing.F) {
	f.Add("c\x00\x001\x00a\x00d\x00s\x00\n:1 2 a b R090\x00a\x00b\x00:1 2 a 0 D\x00c")
	f.Add("::\x00R\x00\x00x y\x00C100\x00a")
	f.Fuzz(func(t *testing.T, output string) {
		list, _ := readAll(strings.SplitSeq(output, "\x00"))
		for _, c := range list {
			for _, file := range c.Files {
				if len(file.From) == 0 {
					t.Errorf("%+v comes from nowhere", file)
				}
			}
		}
	})
}
