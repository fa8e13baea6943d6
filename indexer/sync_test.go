package indexer

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/systemtest"

	"github.com/google/go-cmp/cmp"
)

// folderOf is a root with one folder of files, indexed.
func folderOf(t *testing.T, names ...string) (files.Root, *db.DB) {
	t.Helper()
	dir := systemtest.LeftOpen(t)
	check(t, os.Mkdir(filepath.Join(dir, "decisions"), 0o755))
	root := files.Root{Path: dir}
	for _, name := range names {
		writeMemory(t, root, name, "first", time.Now().Add(-time.Hour))
	}
	_, err := Rebuild(t.Context(), root, time.Minute, nil)
	check(t, err)
	d, err := db.Open(t.Context(), root.Join(files.IndexName))
	check(t, err)
	t.Cleanup(func() { d.Close() })
	return root, d
}

// largeFolder is folderOf with more files than Quick compares one by one.
func largeFolder(t *testing.T) (files.Root, *db.DB) {
	t.Helper()
	names := make([]string, quickLimit+50)
	for i := range names {
		names[i] = fmt.Sprintf("%03d.json", i)
	}
	return folderOf(t, names...)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// writeMemory writes a memory in place.
func writeMemory(t *testing.T, root files.Root, name, title string, mtime time.Time) {
	t.Helper()
	path := root.Join("decisions/" + name)
	check(t, os.WriteFile(path, fmt.Appendf(nil, `{"title": %q}`, title), 0o644))
	check(t, os.Chtimes(path, mtime, mtime))
}

// replaceMemory renames a new file over the old one, as git and editors do.
func replaceMemory(t *testing.T, root files.Root, name, title string) {
	t.Helper()
	writeMemory(t, root, name+".new", title, time.Now().Add(-time.Minute))
	check(t, os.Rename(root.Join("decisions/"+name+".new"), root.Join("decisions/"+name)))
}

// indexed syncs and lists what the index then says of each file.
func indexed(t *testing.T, root files.Root, d *db.DB, depth Depth) []string {
	t.Helper()
	_, err := Sync(t.Context(), d, root, depth)
	check(t, err)
	var list []string
	check(t, d.Select(t.Context(), &list, `
		SELECT f.path || ' ' || m.title
		FROM files f
		JOIN memories m ON m.memory_id = f.memory_id
		ORDER BY f.path`))
	return list
}

var depths = map[string]Depth{"quick": Quick, "usual": Usual, "full": Full}

func TestSyncRemovesFilesThatAreGone(t *testing.T) {
	for name, depth := range depths {
		t.Run(name, func(t *testing.T) {
			root, d := folderOf(t, "a.json", "b.json", "c.json")
			check(t, os.Remove(root.Join("decisions/b.json")))
			writeMemory(t, root, "c.json", "second", time.Now().Add(-time.Minute))
			want := []string{"decisions/a.json first", "decisions/c.json second"}
			if diff := cmp.Diff(want, indexed(t, root, d, depth)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A file written again within one tick of the clock has the stamp it had.
func TestSyncReadsRacyFilesAgain(t *testing.T) {
	for name, depth := range depths {
		t.Run(name, func(t *testing.T) {
			root, d := folderOf(t, "a.json")
			soon := time.Now().Add(time.Hour)
			for _, title := range []string{"other", "third"} {
				writeMemory(t, root, "a.json", title, soon)
				if diff := cmp.Diff([]string{"decisions/a.json " + title}, indexed(t, root, d, depth)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
		})
	}
}

func TestSyncReadsOnlyWhatDiffers(t *testing.T) {
	root, d := folderOf(t, "a.json", "b.json")
	writeMemory(t, root, "c.json", "first", time.Now().Add(-time.Hour))
	for _, want := range []int{1, 0} {
		n, err := Sync(t.Context(), d, root, Quick)
		check(t, err)
		if n != want {
			t.Errorf("%d files were read, want %d", n, want)
		}
	}
}

func TestSyncSeesChangesOfALargeFolder(t *testing.T) {
	tests := map[string]struct {
		change func(*testing.T, files.Root)
		want   []string // titles that are new
		files  int
	}{
		"one replaced": {func(t *testing.T, root files.Root) {
			replaceMemory(t, root, "007.json", "replaced")
		}, []string{"replaced"}, quickLimit + 50},
		"one added": {func(t *testing.T, root files.Root) {
			writeMemory(t, root, "x.json", "added", time.Now().Add(-time.Minute))
		}, []string{"added"}, quickLimit + 51},
		"one removed": {func(t *testing.T, root files.Root) {
			check(t, os.Remove(root.Join("decisions/007.json")))
		}, nil, quickLimit + 49},
		"the folder removed": {func(t *testing.T, root files.Root) {
			check(t, os.RemoveAll(root.Join("decisions")))
		}, nil, 0},
		"one removed and one added": {func(t *testing.T, root files.Root) {
			check(t, os.Remove(root.Join("decisions/007.json")))
			writeMemory(t, root, "x.json", "added", time.Now().Add(-time.Minute))
		}, []string{"added"}, quickLimit + 50},
		"many replaced": {func(t *testing.T, root files.Root) {
			for i := range 60 {
				replaceMemory(t, root, fmt.Sprintf("%03d.json", i), "replaced")
			}
		}, slices.Repeat([]string{"replaced"}, 60), quickLimit + 50},
		"one replaced, one written in place": {func(t *testing.T, root files.Root) {
			replaceMemory(t, root, "007.json", "replaced")
			writeMemory(t, root, "009.json", "in place", time.Now().Add(-time.Minute))
		}, []string{"replaced", "in place"}, quickLimit + 50},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			root, d := largeFolder(t)
			tt.change(t, root)
			if n := len(indexed(t, root, d, Quick)); n != tt.files {
				t.Errorf("%d memories, want %d", n, tt.files)
			}
			var titles []string
			check(t, d.Select(t.Context(), &titles, `SELECT title FROM memories WHERE title <> 'first' ORDER BY path`))
			if diff := cmp.Diff(tt.want, titles); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Above quickLimit only Full sees an edit in place in a folder that is unchanged.
func TestOnlyFullComparesFilesOfAnUnchangedLargeFolder(t *testing.T) {
	root, d := largeFolder(t)
	old := time.Now().Add(-time.Minute)
	check(t, os.Chtimes(root.Join("decisions"), old, old))
	indexed(t, root, d, Quick) // records the folder
	writeMemory(t, root, "009.json", "in place", old)
	check(t, os.Chtimes(root.Join("decisions"), old, old))
	for _, tt := range []struct {
		depth Depth
		want  string
	}{{Quick, "first"}, {Usual, "first"}, {Full, "in place"}} {
		if got := indexed(t, root, d, tt.depth)[9]; got != "decisions/009.json "+tt.want {
			t.Errorf("depth %d: %s, want %s", tt.depth, got, tt.want)
		}
	}
}

// Use takes in observations at every depth but Quick.
func TestObservationsAreIndexedAboveQuick(t *testing.T) {
	root, d := folderOf(t)
	check(t, d.Close())
	check(t, os.Mkdir(root.Join("observations"), 0o700))
	check(t, os.WriteFile(root.Join("observations/s.jsonl"), runLine(1, ""), 0o600))
	for _, tt := range []struct {
		depth Depth
		want  int
	}{{Quick, 0}, {Usual, 1}} {
		check(t, Use(t.Context(), root, tt.depth, func(ix *Index) error {
			var n []int
			err := ix.Select(t.Context(), &n, `SELECT count(*) FROM observations`)
			if err == nil && n[0] != tt.want {
				t.Errorf("depth %d: %d observations, want %d", tt.depth, n[0], tt.want)
			}
			return err
		}))
	}
}

// A folder is unchanged only after a scan that began long enough after its last change.
func TestARecentlyChangedFolderIsScannedAgain(t *testing.T) {
	root, d := largeFolder(t)
	for _, tt := range []struct {
		age  time.Duration
		want bool
	}{{-time.Hour, false}, {time.Minute, true}} {
		mtime := time.Now().Add(-tt.age)
		check(t, os.Chtimes(root.Join("decisions"), mtime, mtime))
		indexed(t, root, d, Quick)
		folders, _, err := d.Folders(t.Context(), "", quickLimit)
		check(t, err)
		if got := unchanged(root, folders["decisions"]); got != tt.want {
			t.Errorf("changed %v ago: unchanged is %v, want %v", tt.age, got, tt.want)
		}
	}
}
