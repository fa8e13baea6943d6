package indexer

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"memctl/files"
)

// almostOver is the context of a hook that has a millisecond, whenever it is asked.
type almostOver struct{ context.Context }

func (almostOver) Deadline() (time.Time, bool) { return time.Now().Add(time.Millisecond), true }

// A hook uses the index that there is if it has no time for what changed.
func TestUseKeepsTimeForTheAnswer(t *testing.T) {
	root, d := folderOf(t, "kafka.json")
	check(t, d.Close())
	writeMemory(t, root, "new.json", "second", time.Now().Add(-time.Minute))
	for _, depth := range []Depth{Quick, Full} {
		ctx := almostOver{t.Context()}
		check(t, Use(ctx, root, depth, func(ix *Index) error {
			var titles []string
			err := ix.Select(ctx, &titles, `SELECT title FROM memories`)
			if !ix.Late || !slices.Equal(titles, []string{"first"}) {
				t.Errorf("late: %v, found %q", ix.Late, titles)
			}
			return err
		}))
	}
	check(t, Use(t.Context(), root, Full, func(ix *Index) error {
		check(t, d.Close())
		if ix.Late || ix.Changed != 1 {
			t.Errorf("late: %v, changed %d", ix.Late, ix.Changed)
		}
		writeMemory(t, root, "third.json", "third", time.Now().Add(-time.Minute))
		err := ix.SyncAgain(almostOver{t.Context()})
		if !ix.Late {
			t.Error("there was time to look again")
		}
		return err
	}))
}

func TestUseWithoutTimeForAnIndex(t *testing.T) {
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
