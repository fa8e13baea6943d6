package indexer

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memctl/db"
	"memctl/memdir"

	"github.com/google/go-cmp/cmp"
)

// folderOf is a root with one folder of files, indexed.
func folderOf(t *testing.T, names ...string) (memdir.Root, *db.DB) {
	t.Helper()
	dir := t.TempDir()
	check(t, os.Mkdir(filepath.Join(dir, "decisions"), 0o755))
	root := memdir.Root{Path: dir}
	for _, name := range names {
		writeMemory(t, root, name, "first", time.Now().Add(-time.Hour))
	}
	_, err := Rebuild(t.Context(), root, time.Minute, nil)
	check(t, err)
	d, err := db.Open(t.Context(), root.Join(memdir.IndexName))
	check(t, err)
	t.Cleanup(func() { d.Close() })
	return root, d
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func writeMemory(t *testing.T, root memdir.Root, name, title string, mtime time.Time) {
	t.Helper()
	path := root.Join("decisions/" + name)
	check(t, os.WriteFile(path, fmt.Appendf(nil, `{"title": %q}`, title), 0o644))
	check(t, os.Chtimes(path, mtime, mtime))
}

// indexed syncs and lists what the index then says of each file.
func indexed(t *testing.T, root memdir.Root, d *db.DB, depth Depth) []string {
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

var depths = map[string]Depth{"quick": Quick, "full": Full}

func TestSyncDropsFilesThatWent(t *testing.T) {
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
func TestSyncReadsAgainWhatHadNotSettled(t *testing.T) {
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

func TestQuickSyncReadsOnlyWhatDiffers(t *testing.T) {
	root, d := folderOf(t, "a.json", "b.json")
	writeMemory(t, root, "c.json", "first", time.Now().Add(-time.Hour))
	for _, want := range []int{1, 0} {
		n, err := Sync(t.Context(), d, root, Quick)
		check(t, err)
		if n != want {
			t.Errorf("%d files were taken in, want %d", n, want)
		}
	}
}
