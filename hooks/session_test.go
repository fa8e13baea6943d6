package hooks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/files"
	"memctl/indexer"
)

// almostOver is the context of a hook that has a millisecond, whenever it is asked.
type almostOver struct{ context.Context }

func (almostOver) Deadline() (time.Time, bool) { return time.Now().Add(time.Millisecond), true }

// An index that is not finished in time is the person's to finish.
func TestSessionStartSaysThatTheIndexIsNotFinished(t *testing.T) {
	tr := newTrial(t)
	folder := tr.root.Join("decisions")
	if err := errors.Join(os.Mkdir(folder, 0o755), os.WriteFile(filepath.Join(folder, "kafka.json"), []byte(`{"title": "Kafka"}`), 0o644)); err != nil {
		t.Fatal(err)
	}
	warnings := func(ctx context.Context) []string {
		call := newCall(Event{}, plain{}, tr.root.Path)
		_, _ = startSession(ctx, &call)
		return call.warnings
	}
	short, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	for _, tt := range []struct {
		name, want string
		ctx        context.Context
	}{
		{"no index", "could not be built in time; memctl reindex finishes it", short},
		{"an old index", "the index was not updated in time; run memctl reindex", almostOver{t.Context()}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "an old index" {
				if _, err := indexer.Rebuild(t.Context(), tr.root, time.Second, nil); err != nil {
					t.Fatal(err)
				}
			}
			lock, err := tr.root.LockExclusive(t.Context(), files.BuildLock, time.Second) // another process builds
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Unlock()
			if got := warnings(tt.ctx); !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, tt.want) }) {
				t.Errorf("warnings: %q, want %q", got, tt.want)
			}
		})
	}
}
