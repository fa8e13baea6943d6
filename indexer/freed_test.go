package indexer

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memctl/memdir"
)

// The words of deleted memories are in no byte of the index or its log after the next
// Full, whether it or a prompt found them deleted, and though another process has the
// index open.
func TestDeletedMemoriesLeaveNoBytes(t *testing.T) {
	root := memdir.Root{Path: t.TempDir()}
	folder := filepath.Join(root.Path, "decisions")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	path := func(i int) string { return filepath.Join(folder, fmt.Sprintf("m%d.json", i)) }
	word := func(i int) string { return fmt.Sprintf("zq%dxv", 7919*(i+1)) }
	for i := range 40 {
		memory := fmt.Sprintf(`{"title": "Title %[1]s", "tags": ["%[1]s"], "content": {"context": "%[1]s was here"}, "changes": [{"date": "x", "summary": "%[1]s"}]}`, word(i))
		if err := os.WriteFile(path(i), []byte(memory), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	use := func(depth Depth) {
		if err := Use(t.Context(), root, depth, func(*Index) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	use(Full)
	open, err := openOnDisk(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	for n, depth := range []Depth{Quick, Full} {
		for i := 10 * n; i < 10*n+10; i++ {
			if err := os.Remove(path(i)); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Millisecond)
		use(depth)
	}
	use(Full)
	all, err := os.ReadFile(root.Join(memdir.IndexName))
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(root.Join(memdir.IndexName) + "-wal")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	all = append(all, log...)
	for i := range 40 {
		if found := bytes.Contains(all, []byte(word(i))); found != (i >= 20) {
			t.Errorf("%s of memory %d: in the index: %v", word(i), i, found)
		}
	}
}
