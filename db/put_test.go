package db

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

// rows are what an index says of every file, whatever ids it gave.
var rows = []string{
	`SELECT path || ' ' || size_bytes || ' ' || mtime_ns || ' ' || coalesce(problem, '-') || ' ' || (memory_id IS NULL) FROM files`,
	`SELECT path || ' ' || title || ' ' || tags || ' ' || record_status FROM memories`,
	`SELECT m.path || ' ' || t.token || ' ' || p.in_title || ' ' || p.in_tags
		FROM postings p JOIN tokens t USING (token_id) JOIN memories m USING (memory_id)`,
	`SELECT token FROM tokens`,
	`SELECT m.path || ' ' || c.position || ' ' || c.summary FROM changes c JOIN memories m USING (memory_id)`,
	`SELECT m.path || ' ' || r.file FROM related_files r JOIN memories m USING (memory_id)`,
	`SELECT m.path || ' ' || b.body FROM bodies b JOIN memories m USING (memory_id)`,
	`SELECT m.path FROM memories_fts f JOIN memories m ON m.memory_id = f.rowid WHERE memories_fts MATCH 'one'`,
	`SELECT m.path FROM memories_fts f JOIN memories m ON m.memory_id = f.rowid WHERE memories_fts MATCH 'body : two'`,
	`SELECT CAST(rowid AS TEXT) FROM memories_fts WHERE memories_fts MATCH 'blankpage'`,
	`SELECT id || ' ' || hex(sz) FROM memories_fts_docsize WHERE id < 0`,
}

func dump(t *testing.T, d *DB) []string {
	t.Helper()
	var all []string
	for _, query := range rows {
		var list []string
		if err := d.Select(t.Context(), &list, query); err != nil {
			t.Fatal(err)
		}
		slices.Sort(list)
		all = append(append(all, list...), "")
	}
	return all
}

func newIndex(t *testing.T) *DB {
	t.Helper()
	d, err := CreateInMemory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if err := d.putGeneration(t.Context()); err != nil { // TidyUp counts there
		t.Fatal(err)
	}
	return d
}

// randomEntry draws from so few values that often only some of them change.
func randomEntry(r *rand.Rand, path string) Entry {
	e := Entry{File: File{Path: path, Size: r.Int64N(3), MtimeNS: r.Int64N(3)}}
	if r.IntN(5) == 0 {
		e.Problem = "broken"
		return e
	}
	words := []string{"one", "two", "three", "four"}
	pick := func() string { return words[r.IntN(len(words))] }
	m := schemas.Memory{
		Category:     schemas.Decision,
		ID:           strings.TrimSuffix(path, ".json"),
		Title:        pick() + " " + pick(),
		Tags:         []string{pick(), pick()},
		RecordStatus: schemas.Statuses[r.IntN(3)],
		RelatedFiles: slices.Repeat([]string{pick()}, r.IntN(2)),
		Changes:      slices.Repeat([]schemas.Change{{Summary: pick()}}, r.IntN(3)),
		Content:      &schemas.DecisionContent{Context: pick()},
	}
	e.Memory = &m
	return e
}

func TestPutAndRemoveLeaveWhatALoadWould(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 40 {
		d := newIndex(t)
		now := map[string]Entry{}
		for range 1 + r.IntN(30) {
			path := fmt.Sprintf("decisions/%d.json", r.IntN(6))
			err := d.Update(t.Context(), func(tx *Tx) error {
				if r.IntN(4) == 0 {
					delete(now, path)
					return tx.Remove(path)
				}
				now[path] = randomEntry(r, path)
				return tx.Put(now[path])
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := d.TidyUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		loaded := newIndex(t)
		err := loaded.Update(t.Context(), func(tx *Tx) error {
			l := tx.Load()
			for _, e := range now {
				if err := l.Add(e); err != nil {
					return err
				}
			}
			return l.Close()
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(dump(t, loaded), dump(t, d)); diff != "" {
			t.Fatalf("round %d (-loaded +put):\n%s", round, diff)
		}
	}
}

func TestStamps(t *testing.T) {
	d := newIndex(t)
	paths := []string{"decisions-2/x.json", "decisions/a-b.json", "decisions/a.json", "decisions0/x.json", "runbooks/a.json"}
	err := d.Update(t.Context(), func(tx *Tx) error {
		for i, path := range paths {
			if err := tx.Put(Entry{File: File{Path: path, Size: int64(i), MtimeNS: 2, ReadNS: 3}}); err != nil {
				return err
			}
		}
		if err := tx.PutFolder(Folder{Folder: "decisions"}); err != nil {
			return err
		}
		return tx.Touch(File{Path: "decisions/a.json", Size: 7, MtimeNS: 8, ReadNS: 9})
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Stamp{{"decisions/a-b.json", 1, 2, 3}, {"decisions/a.json", 7, 8, 9}}
	got, err := d.Stamps(t.Context(), "decisions/", "", 9)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("of a folder: %v (-want +got):\n%s", err, diff)
	}
	got, err = d.StampsOf(t.Context(), []string{"decisions/a.json", "decisions/none.json", "decisions/a-b.json"})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("of some files: %v (-want +got):\n%s", err, diff)
	}
	for n, want := range map[int]bool{4: true, 5: false, 6: false} {
		if _, more, err := d.Folders(t.Context(), "", n); more != want || err != nil {
			t.Errorf("more than %d files: %v, %v", n, more, err)
		}
	}
}
