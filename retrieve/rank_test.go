package retrieve_test

import (
	"fmt"
	"testing"
	"time"

	"memctl/db"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// smallIndex holds 30 memories whose titles and tags share words and prefixes.
func smallIndex(t testing.TB) *db.DB {
	t.Helper()
	d, err := db.CreateInMemory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	words := []string{"kafka", "kafkaesque", "index", "indexes", "rotation", "rotate", "웹훅", "e2e", "the"}
	err = d.Update(t.Context(), func(tx *db.Tx) error {
		if err := tx.PutConstants(); err != nil {
			return err
		}
		loader, err := tx.Load()
		if err != nil {
			return err
		}
		for i := range 30 {
			info := schemas.Categories[i%len(schemas.Categories)]
			id := fmt.Sprintf("m%02d", i)
			entry := db.Entry{File: db.File{Path: info.Folder + "/" + id + ".json", Folder: info.Folder}}
			entry.SetMemory(&schemas.Memory{
				Category:     info.Category,
				ID:           id,
				Title:        words[i%len(words)] + " " + words[(i/2)%len(words)],
				Tags:         []string{words[(i/3)%len(words)]},
				RecordStatus: schemas.Statuses[i%7%len(schemas.Statuses)],
				UpdatedAt:    schemas.FormatTime(now.AddDate(0, 0, -3*i)),
			})
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

func rank(t *testing.T, d *db.DB, prompt string, descriptions []schemas.Description, limit int) []retrieve.Result {
	t.Helper()
	results, err := retrieve.Rank(t.Context(), d, retrieve.NewQuery(prompt, descriptions, limit, now))
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// A smaller limit lets rank.sql skip memories that cannot be shown: it must not
// skip one that can.
func FuzzQuery(f *testing.F) {
	d := smallIndex(f)
	f.Add("rotate the kafka index", "how we run kafka", "indexes", uint8(5))
	f.Add("웹훅 e2e", "", "", uint8(1))
	f.Add("kafk rota inde", "rotation kafkaesque indexing", "kafka", uint8(3))
	f.Add("'; DROP TABLE tokens; -- \x00\xff", "\"[1]\"", "{}", uint8(20))
	f.Fuzz(func(t *testing.T, prompt, first, second string, limit uint8) {
		descriptions := []schemas.Description{
			{Category: string(schemas.Decision), Text: first},
			{Category: string(schemas.Runbook), Text: second},
		}
		n := int(limit % 25)
		results := rank(t, d, prompt, descriptions, n)
		if len(results) > n {
			t.Fatalf("%d results, asked for at most %d", len(results), n)
		}
		for i, r := range results {
			if r.Score < 1 || r.Text+r.Desc < 1 || r.Status != schemas.Active {
				t.Errorf("no result at all: %+v", r)
			}
			if i > 0 && r.Score > results[i-1].Score {
				t.Errorf("place %d has a score of %d, the one before %d", i+1, r.Score, results[i-1].Score)
			}
		}
		if all := rank(t, d, prompt, descriptions, 100); n > 0 {
			if diff := cmp.Diff(all[:min(n, len(all))], results); diff != "" {
				t.Errorf("differs from the first %d of all (-want +got):\n%s", n, diff)
			}
		}
	})
}
