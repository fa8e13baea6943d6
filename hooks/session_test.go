package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/files"
	"memctl/indexer"
)

// An index that is not finished in time is the person's to finish.
func TestSessionStartSaysThatTheIndexIsNotFinished(t *testing.T) {
	tr := newTrial(t)
	folder := tr.root.Join("decisions")
	if err := errors.Join(os.Mkdir(folder, 0o755), os.WriteFile(filepath.Join(folder, "kafka.json"), []byte(`{"title": "Kafka"}`), 0o644)); err != nil {
		t.Fatal(err)
	}
	warnings := func() []string {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		call := newCall(Event{}, plain{}, tr.root.Path)
		_, _ = startSession(ctx, &call)
		return call.warnings
	}
	for _, tt := range []struct{ name, want string }{
		{"no index", "could not be built in time; memctl reindex finishes it"},
		{"an old index", "the index was not updated in time; run memctl reindex"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "an old index" {
				if _, err := indexer.Rebuild(t.Context(), tr.root, time.Second, nil); err != nil {
					t.Fatal(err)
				}
				for i := range 5001 { // more than are taken in without a rebuild
					if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.json", i)), []byte("{"), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			lock, err := tr.root.LockExclusive(t.Context(), files.BuildLock, time.Second) // another process builds
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Unlock()
			if got := warnings(); !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, tt.want) }) {
				t.Errorf("warnings: %q, want %q", got, tt.want)
			}
		})
	}
}
