package files

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A large folder comes in parts, each sorted.
func TestNextStatsListsEveryFileOnce(t *testing.T) {
	for _, n := range []int{0, 1, PartSize - 1, PartSize, PartSize + 1, 2*PartSize + 7} {
		root := Root{Path: t.TempDir()}
		var want []string
		if err := os.Mkdir(root.Join("decisions"), 0o755); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			name := fmt.Sprintf("%05d.json", i)
			want = append(want, name)
			if err := os.WriteFile(filepath.Join(root.Join("decisions"), name), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(root.Join("decisions/notes.txt"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		folder, err := root.OpenFolder("decisions")
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Close()
		var got []string
		parts := 0
		for more := true; more; parts++ {
			var stats []Stat
			if stats, more, err = folder.NextStats(); err != nil {
				t.Fatal(err)
			}
			if len(stats) > PartSize || !slices.IsSortedFunc(stats, func(a, b Stat) int { return strings.Compare(a.Name, b.Name) }) {
				t.Errorf("a part of %d files, sorted or not", len(stats))
			}
			for _, s := range stats {
				got = append(got, s.Name)
			}
		}
		if want := (n+1)/PartSize + 1; parts != want { // notes.txt is an entry too
			t.Errorf("%d files came in %d parts, want %d", n, parts, want)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("of %d files %d were listed", n, len(got))
		}
	}
}
