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
	return d
}

// randomEntry draws from so few values that often only some of them change.
func randomEntry(r *rand.Rand, path string) Entry {
	e := Entry{File: File{Path: path, Size: r.Int64N(3), MtimeNS: r.Int64N(3), Inode: r.Uint64N(3), Settled: r.IntN(4) > 0}}
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
		Content:      fmt.Appendf(nil, `{"context": %q}`, pick()),
	}
	e.SetMemory(&m)
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
					return tx.Remove([]string{path})
				}
				now[path] = randomEntry(r, path)
				return tx.Put(now[path])
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Update(t.Context(), (*Tx).TidyUp); err != nil {
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
		checkFingerprints(t, d, now)
		checkFingerprints(t, loaded, now)
	}
}

// checkFingerprints wants one for every file, and those of settled files to tell
// their stamps.
func checkFingerprints(t *testing.T, d *DB, files map[string]Entry) {
	t.Helper()
	list, err := d.Fingerprints(t.Context(), "decisions")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != len(files) {
		t.Errorf("%d fingerprints for %d files", len(list), len(files))
	}
	for path, e := range files {
		folder, name, _ := strings.Cut(path, "/")
		want := NewFingerprint(PathDigest(folder, name), e.Inode, e.Size, e.MtimeNS)
		found, ok := list.Find(EntryDigest(PathDigest(folder, name), e.Inode))
		if ok != e.Settled || ok && found != want {
			t.Errorf("%s: settled is %v, the fingerprints say otherwise", path, e.Settled)
		}
		for _, other := range []Fingerprint{
			NewFingerprint(PathDigest(folder, name), e.Inode, e.Size+3, e.MtimeNS),
			NewFingerprint(PathDigest(folder, name), e.Inode, e.Size, e.MtimeNS+3),
			NewFingerprint(PathDigest(folder, name), e.Inode+3, e.Size, e.MtimeNS),
			NewFingerprint(PathDigest(folder, name+"x"), e.Inode, e.Size, e.MtimeNS),
		} {
			if other == want {
				t.Errorf("%s: another file has the same fingerprint", path)
			}
		}
	}
}

func TestTouchMakesAFileSettled(t *testing.T) {
	d := newIndex(t)
	file := File{Path: "decisions/a.json", Size: 1, MtimeNS: 2}
	for _, settled := range []bool{false, true} {
		file.Settled = settled
		err := d.Update(t.Context(), func(tx *Tx) error {
			if settled {
				return tx.Touch(file)
			}
			return tx.Put(Entry{File: file})
		})
		if err != nil {
			t.Fatal(err)
		}
		checkFingerprints(t, d, map[string]Entry{file.Path: {File: file}})
	}
}
