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

// smallIndex returns an index of 30 memories whose titles and tags share words and
// prefixes.
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
		loader := tx.Load()
		for i := range 30 {
			info := schemas.Categories[i%len(schemas.Categories)]
			id := fmt.Sprintf("m%02d", i)
			entry := db.Entry{File: db.File{Path: info.Folder + "/" + id + ".json"}, Memory: &schemas.Memory{
				Category:     info.Category,
				ID:           id,
				Title:        words[i%len(words)] + " " + words[(i/2)%len(words)],
				Tags:         []string{words[(i/3)%len(words)]},
				RecordStatus: schemas.Statuses[i%7%len(schemas.Statuses)],
				UpdatedAt:    schemas.FormatTime(now.AddDate(0, 0, -3*i)),
			}}
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

// prompts are seeds for fuzzing. The last is hostile to SQL, JSON and full text.
var prompts = []string{
	"rotate the kafka index",
	"웹훅 e2e",
	"kafk rota inde",
	"kafkaesque rotation of indexes, rotating kafka",
	"'; DROP TABLE tokens; -- \x00\xff",
}

func describe(first, second string) []schemas.Description {
	return []schemas.Description{
		{Category: string(schemas.Decision), Text: first},
		{Category: string(schemas.SessionSummary), Text: second},
	}
}

// With a limit, rank.sql may skip only memories that would not be shown.
func TestALimitCutsTheListAndNothingElse(t *testing.T) {
	d := smallIndex(t)
	for _, prompt := range prompts {
		for _, descriptions := range [][]schemas.Description{nil, describe("how we run kafka", "rotation, indexing, e2e")} {
			all := rank(t, d, prompt, descriptions, 100)
			for limit := 1; limit <= 30; limit++ {
				want := all[:min(limit, len(all))]
				if diff := cmp.Diff(want, rank(t, d, prompt, descriptions, limit)); diff != "" {
					t.Errorf("%q, limit %d (-want +got):\n%s", prompt, limit, diff)
				}
			}
		}
	}
}

func FuzzQuery(f *testing.F) {
	d := smallIndex(f)
	for i, prompt := range prompts {
		f.Add(prompt, "how we run kafka", "{\"[1]\": indexes, e2e", uint8(5*i))
	}
	f.Fuzz(func(t *testing.T, prompt, first, second string, limit uint8) {
		n := int(limit % 25)
		results := rank(t, d, prompt, describe(first, second), n)
		if len(results) > n {
			t.Fatalf("%d results, asked for at most %d", len(results), n)
		}
		for i, r := range results {
			if r.Score < 1 || r.Text+r.Desc < 1 || r.Score != r.Text+r.Desc+r.Recent || r.Status != schemas.Active {
				t.Errorf("no result at all: %+v", r)
			}
			if i > 0 && r.Score > results[i-1].Score {
				t.Errorf("place %d has a score of %d, the one before %d", i+1, r.Score, results[i-1].Score)
			}
		}
		if all := rank(t, d, prompt, describe(first, second), 100); n > 0 {
			if diff := cmp.Diff(all[:min(n, len(all))], results); diff != "" {
				t.Errorf("differs from the first %d of all (-want +got):\n%s", n, diff)
			}
		}
	})
}
