package indexer

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"memctl/memdir"

	"github.com/google/go-cmp/cmp"
)

// manyFiles is a root with more files in one folder than a prompt looks at.
func manyFiles(t *testing.T) memdir.Root {
	t.Helper()
	names := make([]string, quickLimit+50)
	for i := range names {
		names[i] = fmt.Sprintf("%03d.json", i)
	}
	root, d := folderOf(t, names...)
	check(t, d.Close())
	return root
}

// replaceMemory renames a new file over the old one, as git and editors do.
func replaceMemory(t *testing.T, root memdir.Root, name, title string) {
	t.Helper()
	writeMemory(t, root, name+".new", title, time.Now().Add(-time.Minute))
	check(t, os.Rename(root.Join("decisions/"+name+".new"), root.Join("decisions/"+name)))
}

// titlesSeen are the titles that are not "first", as each run of fn sees them.
func titlesSeen(t *testing.T, root memdir.Root) [][]string {
	t.Helper()
	var runs [][]string
	check(t, Use(t.Context(), root, Quick, func(ix *Index) error {
		var titles []string
		err := ix.Select(t.Context(), &titles, `SELECT title FROM memories WHERE title <> 'first' ORDER BY path`)
		runs = append(runs, titles)
		return err
	}))
	return runs
}

func TestUseGlancesAtALargeFolder(t *testing.T) {
	tests := []struct {
		name   string
		change func(*testing.T, memdir.Root)
		want   []string
		files  int
	}{
		{"one replaced", func(t *testing.T, root memdir.Root) {
			replaceMemory(t, root, "007.json", "replaced")
		}, []string{"replaced"}, quickLimit + 50},
		{"one added", func(t *testing.T, root memdir.Root) {
			writeMemory(t, root, "x.json", "added", time.Now().Add(-time.Minute))
		}, []string{"added"}, quickLimit + 51},
		{"one removed", func(t *testing.T, root memdir.Root) {
			check(t, os.Remove(root.Join("decisions/007.json")))
		}, nil, quickLimit + 49},
		{"the folder removed", func(t *testing.T, root memdir.Root) {
			check(t, os.RemoveAll(root.Join("decisions")))
		}, nil, 0},
		{"one removed and one added", func(t *testing.T, root memdir.Root) {
			check(t, os.Remove(root.Join("decisions/007.json")))
			writeMemory(t, root, "x.json", "added", time.Now().Add(-time.Minute))
		}, []string{"added"}, quickLimit + 50},
		{"many replaced", func(t *testing.T, root memdir.Root) {
			for i := range manyUnknown + 1 {
				replaceMemory(t, root, fmt.Sprintf("%03d.json", i), "replaced")
			}
		}, slices.Repeat([]string{"replaced"}, manyUnknown+1), quickLimit + 50},
		{"one replaced, one written over in place", func(t *testing.T, root memdir.Root) {
			replaceMemory(t, root, "007.json", "replaced")
			writeMemory(t, root, "009.json", "in place", time.Now().Add(-time.Minute))
		}, []string{"replaced", "in place"}, quickLimit + 50},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := manyFiles(t)
			test.change(t, root)
			runs := titlesSeen(t, root)
			if diff := cmp.Diff(test.want, runs[len(runs)-1]); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			count := 0
			check(t, Use(t.Context(), root, Quick, func(ix *Index) error {
				var counts []int
				err := ix.Select(t.Context(), &counts, `SELECT count(*) FROM memories`)
				count = counts[0]
				return err
			}))
			if count != test.files {
				t.Errorf("%d memories, want %d", count, test.files)
			}
		})
	}
}

// Only what a listing cannot tell makes fn run again.
func TestUseRunsAgainOnlyWhereTheGlanceMissedSomething(t *testing.T) {
	root := manyFiles(t)
	replaceMemory(t, root, "007.json", "replaced")
	if diff := cmp.Diff([][]string{{"replaced"}}, titlesSeen(t, root)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The glance proves nothing of the folder: until all of it was looked at, the
// next prompt must look again.
func TestAFolderIsTrustedOnlyOnceAllOfItWasLookedAt(t *testing.T) {
	root := manyFiles(t)
	replaceMemory(t, root, "007.json", "replaced")
	long := time.Now().Add(-time.Minute)
	check(t, os.Chtimes(root.Join("decisions"), long, long))
	for _, want := range []bool{false, true} {
		check(t, Use(t.Context(), root, Quick, func(ix *Index) error {
			folders, _, err := ix.Folders(t.Context(), quickLimit)
			if err == nil && trusted(root, folders["decisions"]) != want {
				t.Errorf("the folder is trusted: %v, want %v", !want, want)
			}
			return err
		}))
	}
}
