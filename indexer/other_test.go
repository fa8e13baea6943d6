package indexer

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"memctl/db"
	"memctl/files"
)

// What stands in the place of the index is not lost, unless memctl made it.
func TestFilesOfOthersAreKept(t *testing.T) {
	t.Run("a database of another program stays, and the index is in memory", func(t *testing.T) {
		root := files.Root{Path: t.TempDir()}
		other, err := sql.Open("sqlite", root.Join(files.IndexName))
		if err == nil {
			_, err = other.Exec("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')")
		}
		if err := errors.Join(err, other.Close()); err != nil {
			t.Fatal(err)
		}
		before := read(t, root.Join(files.IndexName))
		for _, depth := range []Depth{Usual, Full} {
			err := Use(t.Context(), root, depth, func(ix *Index) error {
				if !errors.Is(ix.InMemory, db.ErrForeign) {
					t.Errorf("the reason is %v", ix.InMemory)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
		if _, err := Rebuild(t.Context(), root, 0, nil); !errors.Is(err, db.ErrForeign) {
			t.Errorf("reindex: %v", err)
		}
		if read(t, root.Join(files.IndexName)) != before {
			t.Error("the database has changed")
		}
	})
	t.Run("another file is moved aside", func(t *testing.T) {
		root := files.Root{Path: t.TempDir()}
		for _, name := range []string{"index.db.other-1", "index.db.other-2"} {
			if err := os.WriteFile(root.Join(files.IndexName), []byte(name), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := Use(t.Context(), root, Usual, func(ix *Index) error { return ix.InMemory }); err != nil {
				t.Error(err)
			}
			if got := read(t, root.Join(name)); got != name {
				t.Errorf("%s has %q", name, got)
			}
		}
	})
	t.Run("a damaged index of memctl is replaced", func(t *testing.T) {
		root := files.Root{Path: t.TempDir()}
		for range 2 {
			if err := Use(t.Context(), root, Usual, func(ix *Index) error { return ix.InMemory }); err != nil {
				t.Error(err)
			}
			if err := os.Truncate(root.Join(files.IndexName), 4096); err != nil {
				t.Fatal(err)
			}
		}
		if leftovers, _ := filepath.Glob(root.Join(files.IndexName) + ".other*"); len(leftovers) > 0 {
			t.Errorf("kept %v", leftovers)
		}
	})
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
