package indexer

import (
	"os"
	"testing"
	"time"

	"memctl/db"
	"memctl/files"

	"github.com/google/go-cmp/cmp"
)

// compared reports whether the index says that it is equal to the folders as they are.
func compared(t *testing.T, root files.Root, d *db.DB) bool {
	t.Helper()
	noted, now, err := readListings(t.Context(), d)
	check(t, err)
	f := listFolder(root, "", "decisions")
	defer f.close()
	return now.add(f, noted)
}

// compareAll has the index note that it is equal to a folder that was last changed at a time.
func compareAll(t *testing.T, root files.Root, d *db.DB, changed time.Time) {
	t.Helper()
	for range 3 { // to take it in, to find the folder settled, and to find nothing
		check(t, os.Chtimes(root.Join("decisions"), changed, changed))
		indexed(t, root, d, Full)
	}
}

func TestWhatWasComparedIsNotComparedAgain(t *testing.T) {
	hour := time.Now().Add(-time.Hour)
	for name, change := range map[string]func(t *testing.T, root files.Root){
		"until a file is edited in place": func(t *testing.T, root files.Root) {
			writeMemory(t, root, "b.json", "other", hour.Add(time.Minute))
		},
		"until a file of the same size is": func(t *testing.T, root files.Root) {
			writeMemory(t, root, "b.json", "FIRST", hour.Add(time.Minute))
		},
		"until a file is added": func(t *testing.T, root files.Root) {
			writeMemory(t, root, "d.json", "other", hour)
		},
		"until a file is removed": func(t *testing.T, root files.Root) {
			check(t, os.Remove(root.Join("decisions/b.json")))
		},
		"until two files change places": func(t *testing.T, root files.Root) {
			for _, names := range [][2]string{{"a", "t"}, {"b", "a"}, {"t", "b"}} {
				check(t, os.Rename(root.Join("decisions/"+names[0]+".json"), root.Join("decisions/"+names[1]+".json")))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			root, d := folderOf(t, "a.json", "b.json", "c.json")
			writeMemory(t, root, "a.json", "an a", hour.Add(-time.Minute))
			compareAll(t, root, d, hour)
			if !compared(t, root, d) {
				t.Fatal("nothing says that the index is equal to the folders")
			}
			change(t, root)
			if compared(t, root, d) {
				t.Error("the change does not show")
			}
			got := indexed(t, root, d, Full)
			_, err := Rebuild(t.Context(), root, time.Minute, nil)
			check(t, err)
			rebuilt, err := db.Open(t.Context(), root.Join(files.IndexName))
			check(t, err)
			defer rebuilt.Close()
			if diff := cmp.Diff(indexed(t, root, rebuilt, Full), got); diff != "" {
				t.Errorf("-rebuilt +got:\n%s", diff)
			}
		})
	}
}

// The folder looks as it did when it was compared, but the index has taken in another file meanwhile.
func TestAFileThatIsPutBackIsRead(t *testing.T) {
	hour := time.Now().Add(-time.Hour)
	root, d := folderOf(t, "a.json")
	compareAll(t, root, d, hour)
	check(t, os.Rename(root.Join("decisions/a.json"), root.Join("decisions/a.old")))
	writeMemory(t, root, "a.json", "other", hour.Add(time.Minute))
	if diff := cmp.Diff([]string{"decisions/a.json other"}, indexed(t, root, d, Quick)); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	check(t, os.Rename(root.Join("decisions/a.old"), root.Join("decisions/a.json")))
	check(t, os.Chtimes(root.Join("decisions"), hour, hour))
	if diff := cmp.Diff([]string{"decisions/a.json first"}, indexed(t, root, d, Full)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestObservationsLeaveAComparison(t *testing.T) {
	hour := time.Now().Add(-time.Hour)
	root, d := folderOf(t, "a.json")
	check(t, os.Mkdir(root.Join("observations"), 0o700))
	compareAll(t, root, d, hour)
	check(t, os.WriteFile(root.Join("observations/s.jsonl"), runLine(1, ""), 0o600))
	check(t, observe(t.Context(), d, root))
	if n, err := db.QueryRow[int](t.Context(), d, `SELECT count(*) FROM observations`); n != 1 || err != nil {
		t.Fatalf("%d observations: %v", n, err)
	}
	if !compared(t, root, d) {
		t.Error("the files are to be compared again")
	}
}

// A process that asks again takes over the index that it kept, and brings it up to date.
func TestAKeptIndexIsTakenOver(t *testing.T) {
	hour := time.Now().Add(-time.Hour)
	root, d := folderOf(t, "a.json")
	compareAll(t, root, d, hour)
	check(t, d.Close()) // which merges the log: an index with one is closed
	defer CloseLeft()
	var first, second *db.DB
	check(t, Use(t.Context(), root, Full, func(ix *Index) error {
		ix.Keep()
		first = ix.DB
		return nil
	}))
	writeMemory(t, root, "a.json", "second", time.Now().Add(-time.Minute))
	var titles []string
	check(t, Use(t.Context(), root, Quick, func(ix *Index) (err error) {
		second = ix.DB
		titles, err = db.Query[string](t.Context(), ix.DB, `SELECT title FROM memories`)
		return err
	}))
	if second != first {
		t.Error("the index was opened again")
	}
	if diff := cmp.Diff([]string{"second"}, titles); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
