package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/systemtest"
)

// partedFolder is folderOf with more files than are listed at once.
func partedFolder(t *testing.T) (files.Root, *db.DB) {
	t.Helper()
	names := make([]string, files.PartSize+50)
	for i := range names {
		names[i] = fmt.Sprintf("%05d.json", i)
	}
	return folderOf(t, names...)
}

func TestSyncComparesALargeFolderInParts(t *testing.T) {
	root, d := partedFolder(t)
	writeMemory(t, root, "00007.json", "changed", time.Now().Add(-time.Minute))
	writeMemory(t, root, "x.json", "added", time.Now().Add(-time.Minute))
	soon := time.Now().Add(time.Hour)
	writeMemory(t, root, "y.json", "racy", soon)
	check(t, os.Remove(root.Join("decisions/00009.json")))
	if list, err := Check(t.Context(), root); err != nil || len(list) != 4 {
		t.Errorf("Check found %v, %v", list, err)
	}
	list := indexed(t, root, d, Full)
	writeMemory(t, root, "y.json", "RACY", soon)
	list = append(list, indexed(t, root, d, Full)...)
	for line, want := range map[string]int{
		"decisions/00007.json changed": 2, "decisions/x.json added": 2, "decisions/y.json racy": 1, "decisions/y.json RACY": 1,
		"decisions/00008.json first": 2, "decisions/00009.json first": 0,
	} {
		if n := len(slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s != line })); n != want {
			t.Errorf("%q is there %d times, want %d", line, n, want)
		}
	}
	if n := len(list); n != 2*(files.PartSize+51) {
		t.Errorf("%d memories twice", n)
	}
}

// Sync holds little of large changes in memory: several transactions write them.
func TestManyLargeChangesAreTakenInByParts(t *testing.T) {
	root, d := folderOf(t, "a.json")
	const large = 3 * batchBytes >> 20
	for i := range large {
		writeMemory(t, root, fmt.Sprintf("large%d.json", i), strings.Repeat("x ", 1<<19-100), time.Now().Add(-time.Minute))
	}
	var before, after []int
	const writes = `SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'writes'`
	check(t, d.Select(t.Context(), &before, writes))
	if n, err := Sync(t.Context(), d, root, Quick); err != nil || n != large {
		t.Errorf("Sync took in %d files: %v", n, err)
	}
	check(t, d.Select(t.Context(), &after, writes))
	if n := after[0] - before[0]; n != 3 {
		t.Errorf("%d transactions", n)
	}
}

// So is the removal of many files, as that by another branch: a hook that has no time for all gets further.
func TestManyRemovedFilesAreTakenOutByParts(t *testing.T) {
	root, d := folderOf(t, slices.Collect(func(yield func(string) bool) {
		for i := 0; i < 2*batchFiles+1 && yield(fmt.Sprintf("%d.json", i)); i++ {
		}
	})...)
	check(t, os.RemoveAll(root.Join("decisions")))
	var before, after []int
	const writes = `SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'writes'`
	check(t, d.Select(t.Context(), &before, writes))
	if n, err := Sync(t.Context(), d, root, Full); err != nil || n != 2*batchFiles+1 {
		t.Errorf("Sync removed %d files: %v", n, err)
	}
	check(t, d.Select(t.Context(), &after, writes))
	if n := after[0] - before[0]; n != 3 {
		t.Errorf("%d transactions", n)
	}
}

// A link never becomes a memory without another stamp, so it is judged once.
func TestManyLinksAreIndexedOnce(t *testing.T) {
	root, d := folderOf(t, "a.json")
	check(t, d.Close())
	for i := range quickLimit + 1 {
		systemtest.Symlink(t, "a.json", root.Join(fmt.Sprintf("decisions/link%d.json", i)))
	}
	for _, depth := range []Depth{Quick, Full, Full} {
		check(t, Use(t.Context(), root, depth, func(ix *Index) error {
			if ix.InMemory != nil || depth == Full && (ix.Rebuilt != nil || ix.Changed > 0) {
				t.Errorf("depth %d: in memory because of %v, rebuilt %+v, changed %d", depth, ix.InMemory, ix.Rebuilt, ix.Changed)
			}
			var unsure []int
			err := ix.Select(t.Context(), &unsure, `SELECT count(*) FROM files WHERE read_ns = 0`)
			if err == nil && unsure[0] > 0 {
				t.Errorf("depth %d: %d files are read again each time", depth, unsure[0])
			}
			return err
		}))
	}
}

// A hook does not build a large index in memory.
func TestAnIndexInMemoryIsBounded(t *testing.T) {
	root, _ := folderOf(t)
	for i := range maxInMemory/db.MaxBody + 1 {
		body := fmt.Appendf(nil, `{"title": "large", "content": {"context": %q}}`, strings.Repeat("x", db.MaxBody))
		check(t, os.WriteFile(root.Join(fmt.Sprintf("decisions/%d.json", i)), body, 0o644))
	}
	reason := errors.New("the disk is full")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := openInMemory(ctx, root, reason); !errors.Is(err, reason) || !strings.Contains(err.Error(), "12 MiB") {
		t.Errorf("in a hook: %v", err)
	}
	ix, err := openInMemory(t.Context(), root, reason)
	check(t, err)
	check(t, ix.Close())
}
