package catalogue

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"memctl/db"

	"github.com/google/go-cmp/cmp"
)

// TestCompare compares lists of several pages with what a map says of them.
func TestCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var lists [2][]db.FileState
		states := map[string][2]string{}
		for i := range r.IntN(40) {
			path := fmt.Sprintf("f%02d", i)
			var pair [2]string
			for side := range lists {
				if r.IntN(3) > 0 {
					pair[side] = fmt.Sprint(r.IntN(2))
					lists[side] = append(lists[side], db.FileState{Path: path, State: pair[side]})
				}
			}
			states[path] = pair
		}
		want, got := map[string]change{}, map[string]change{}
		for path, pair := range states {
			if pair[0] != pair[1] {
				want[path] = change{path, pair[1] != "", pair[1]}
			}
		}
		for ch, err := range compare(inPages(lists[0]), inPages(lists[1])) {
			if err != nil {
				t.Fatal(err)
			}
			got[ch.path] = ch
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(change{})); diff != "" {
			t.Fatalf("%v: (-want +got)\n%s", lists, diff)
		}
	}
}

// inPages reads a list in pages of three.
func inPages(list []db.FileState) fileStates {
	return pages(func(after string) ([]db.FileState, error) {
		for len(list) > 0 && list[0].Path <= after {
			list = list[1:]
		}
		return list[:min(3, len(list))], nil
	})
}

func TestCompareEndsWithAnError(t *testing.T) {
	broken := errors.New("broken")
	failing := pages(func(string) ([]db.FileState, error) { return nil, broken })
	for _, pair := range [][2]fileStates{{failing, unread(nil)}, {unread([]string{"a"}), failing}} {
		var found error
		for _, err := range compare(pair[0], pair[1]) {
			found = err
		}
		if !errors.Is(found, broken) {
			t.Errorf("compare: %v", found)
		}
	}
}
