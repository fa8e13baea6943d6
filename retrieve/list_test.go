package retrieve_test

import (
	"testing"
	"time"

	"memctl/db"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

// indexOf returns an index of memories in decisions/.
func indexOf(t *testing.T, memories ...schemas.Memory) *db.DB {
	t.Helper()
	d, err := db.CreateInMemory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	err = d.Update(t.Context(), func(tx *db.Tx) error {
		loader := tx.Load()
		for _, m := range memories {
			entry := db.Entry{File: db.File{Path: "decisions/" + m.ID + ".json"}}
			entry.Memory = &m
			if err := loader.Add(entry); err != nil {
				return err
			}
		}
		return loader.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestHeavilyUpdatedCountsActiveAboveTheLimit(t *testing.T) {
	d := indexOf(t,
		schemas.Memory{ID: "limit", RecordStatus: schemas.Active, TimesUpdated: retrieve.HeavyUpdates},
		schemas.Memory{ID: "b", RecordStatus: schemas.Active, TimesUpdated: 6},
		schemas.Memory{ID: "a", RecordStatus: schemas.Active, TimesUpdated: 6},
		schemas.Memory{ID: "most", RecordStatus: schemas.Active, TimesUpdated: 20},
		schemas.Memory{ID: "gone", RecordStatus: schemas.Retired, TimesUpdated: 20},
	)
	items, err := retrieve.Source{DB: d}.HeavilyUpdated(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, item := range items {
		ids = append(ids, item.ID)
	}
	if diff := cmp.Diff([]string{"most", "a", "b"}, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRetiredSinceIsInclusiveAndNewestFirst(t *testing.T) {
	since := now.AddDate(0, 0, -7)
	retired := func(id string, at time.Time) schemas.Memory {
		return schemas.Memory{ID: id, RecordStatus: schemas.Retired, RetiredAt: schemas.FormatTime(at), RetiredReason: "because"}
	}
	restored := retired("restored", now)
	restored.RecordStatus = schemas.Active
	d := indexOf(t,
		retired("before", since.Add(-time.Second)),
		retired("then", since),
		retired("now", now),
		restored,
		schemas.Memory{ID: "undated", RecordStatus: schemas.Retired},
	)
	list, err := retrieve.Source{DB: d}.RetiredSince(t.Context(), since)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	var ids []string
	for _, m := range list {
		ids, got[m.ID] = append(ids, m.ID), m.At+" "+m.Reason
	}
	if diff := cmp.Diff([]string{"now", "then"}, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got["now"] != "2026-11-20T12:00:00Z because" {
		t.Errorf("%q", got["now"])
	}
}
