package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memctl/files"
	"memctl/files/systemtest"
)

// A hook uses the index that there is if it has no time for a new one.
func TestUseKeepsTimeForTheAnswer(t *testing.T) {
	root := files.Root{Path: systemtest.LeftOpen(t)}
	folder := filepath.Join(root.Path, "decisions")
	if err := errors.Join(os.Mkdir(folder, 0o755), os.WriteFile(filepath.Join(folder, "kafka.json"), []byte(`{"title": "Kafka"}`), 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, err := Rebuild(t.Context(), root, time.Second, nil); err != nil {
		t.Fatal(err)
	}
	for i := range syncLimit + 1 {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.json", i)), []byte("{"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := root.LockExclusive(t.Context(), buildLock, time.Second) // no rebuild is ready in time
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	for _, depth := range []Depth{Quick, Full} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		var titles []string
		err = Use(ctx, root, depth, func(ix *Index) error {
			if !ix.Late {
				t.Error("the index is up to date")
			}
			return ix.Select(ctx, &titles, `SELECT title FROM memories`)
		})
		if err != nil || len(titles) != 1 {
			t.Errorf("found %q, error %v", titles, err)
		}
	}

	bare := files.Root{Path: t.TempDir()}
	bareLock, err := bare.LockExclusive(t.Context(), buildLock, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer bareLock.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := Use(ctx, bare, Quick, func(*Index) error { return nil }); !errors.Is(err, errLate) {
		t.Errorf("without an index: %v", err)
	}
}
