package indexer

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"memctl/files"
	"memctl/files/systemtest"
)

// The words of deleted memories are in no byte of the index or its log after the next
// Full, whether it or a prompt found them deleted, and though another process has the
// index open. The full text shrinks from several pages to one, where FTS5's "optimize" would
// keep deleted words.
func TestDeletedMemoriesLeaveNoBytes(t *testing.T) {
	const memories, rounds, each = 40, 13, 3
	root := files.Root{Path: systemtest.LeftOpen(t)}
	folder := filepath.Join(root.Path, "decisions")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	path := func(i int) string { return filepath.Join(folder, fmt.Sprintf("m%d.json", i)) }
	// An index keeps only the end of a word that begins like the one before it.
	end := func(i int) string { return fmt.Sprintf("%05dxv", 7919*(i+1)%99991) }
	use := func(depth Depth) {
		if err := Use(t.Context(), root, depth, func(*Index) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for i := range memories {
		filler := ""
		for word := range 50 {
			filler += fmt.Sprintf(" %dfiller%d", word, i)
		}
		memory := fmt.Sprintf(`{"title": "Title zq%[1]s", "tags": ["zq%[1]s"], "content": {"context": "zq%[1]s was here, %[2]s"}, "changes": [{"date": "x", "summary": "zq%[1]s"}]}`, end(i), filler)
		if err := os.WriteFile(path(i), []byte(memory), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	use(Full)
	open, err := openOnDisk(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	for round := range rounds {
		deleted := each * (round + 1)
		for i := deleted - each; i < deleted; i++ {
			if err := os.Remove(path(i)); err != nil {
				t.Fatal(err)
			}
		}
		if round%2 == 0 {
			use(Quick)
		}
		use(Full)
		data := indexBytes(t, root)
		for i := range memories {
			if found := bytes.Contains(data, []byte(end(i)[2:])); found != (i >= deleted) {
				t.Errorf("round %d, the word of memory %d: in the index: %v", round, i, found)
			}
		}
	}
}

// indexBytes returns the bytes of the index and its log.
func indexBytes(t *testing.T, root files.Root) []byte {
	t.Helper()
	var all []byte
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(root.Join(files.IndexName) + suffix)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	return all
}
