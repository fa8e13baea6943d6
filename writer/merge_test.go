package writer

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

var testNow = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// testWriter returns a writer without a root, and the notices that it sends.
func testWriter() (*Writer, *[]string) {
	notices := &[]string{}
	return &Writer{
		Config: schemas.DefaultConfig(),
		Now:    func() time.Time { return testNow },
		Notify: func(notice Notice) { *notices = append(*notices, notice.String()) },
	}, notices
}

func entries(names string) []schemas.Change {
	list := []schemas.Change{}
	for _, name := range strings.Fields(names) {
		list = append(list, schemas.Change{Date: "2026-01-01T00:00:00Z", Summary: name})
	}
	return list
}

func summaries(list []schemas.Change) string {
	var names []string
	for _, entry := range list {
		names = append(names, entry.Summary)
	}
	return strings.Join(names, " ")
}

func TestHistoryOfAStaleDraft(t *testing.T) {
	tests := map[string]struct{ before, draft, want string }{
		"up to date":               {"a b c", "a b c new", "a b c new"},
		"the first history":        {"", "new", "new"},
		"an entry like another":    {"a b", "a b a", "a b a"},
		"others added one":         {"a b other", "a b new more", "a b other new more"},
		"the oldest have gone":     {"c d", "a b c d new", "c d new"},
		"gone and added":           {"c d other", "a b c d new", "c d other new"},
		"nothing in common":        {"x y z", "a b c new", "x y z new"},
		"history was rewritten":    {"a b", "A B C", "a b C"},
		"the same entry, repeated": {"a a", "a a a", "a a a"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			draft := &schemas.Memory{Changes: entries(tt.draft)}
			if err := mergeChanges(&schemas.Memory{Changes: entries(tt.before)}, draft, nil); err != nil {
				t.Fatal(err)
			}
			if got := summaries(draft.Changes); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestHistoryRefuses(t *testing.T) {
	tests := map[string]struct{ before, draft, rule string }{
		"entries that are gone":            {"a b c", "a", "append-only"},
		"nothing new":                      {"a b", "a b", "append-only (new entry required)"},
		"one for another":                  {"a b", "a new", "append-only (new entry required)"},
		"older entries, and none that new": {"b c", "a b c", "append-only (new entry required)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := mergeChanges(&schemas.Memory{Changes: entries(tt.before)}, &schemas.Memory{Changes: entries(tt.draft)}, nil)
			var refused *Error
			if !errors.As(err, &refused) || refused.Code != MergeError || refused.Problems[0].Rule != tt.rule {
				t.Errorf("got %v, want %s", err, tt.rule)
			}
		})
	}
}

func TestRetitled(t *testing.T) {
	tests := []struct {
		before, after string
		want          bool
	}{
		{"one two", "one three", true},
		{"one two three", "one two four", false},
		{"one two", "one two three four", false},
		{"one two", "one two three four five", true},
		{"One Two", "one two", false},
		{"one one one", "one two", false},
		{"", "one", false},
		{"one", "", false},
	}
	for _, tt := range tests {
		if got := retitled(tt.before, tt.after); got != tt.want {
			t.Errorf("%q to %q: %v", tt.before, tt.after, got)
		}
	}
}

// Fields that a draft leaves out are reported once, by name.
func TestLossesAreReported(t *testing.T) {
	w, notices := testWriter()
	old := schemas.MemoryOf(map[string]any{"confidence": json.Number("0.5"), "retired_at": nil,
		"content": map[string]any{"gone": "x", "list": []any{"a", "b"}, "longer": []any{"a"}}})
	draft := schemas.MemoryOf(map[string]any{"content": map[string]any{"list": []any{"a"}, "longer": []any{"a", "b"}}})
	w.warnOfLosses(old, draft)
	want := []string{"[WARN] content.list: list shrank from 2 to 1 items",
		"[WARN] the draft leaves out what the memory had, so it goes: confidence, content.gone"}
	if diff := cmp.Diff(want, *notices); diff != "" {
		t.Error(diff)
	}
}

// If a rename was interrupted after the file got its new id, the next update completes
// it. An id that differs for another reason changes nothing.
func TestInterruptedRenameIsCompleted(t *testing.T) {
	w, _ := testWriter()
	root := t.TempDir()
	w.Root.Path = root
	folder, err := w.Root.MakeFolder("runbooks")
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	m := &memory{place: place{schemas.Runbook, "runbooks", "old-name", "runbooks/old-name.json"}, folder: folder}
	for id, want := range map[string]string{"new-name": "new-name", "old-name": "old-name", "unlike": "old-name"} {
		doc := &schemas.Memory{Title: "New name", ID: id}
		to, err := w.newName(m, &schemas.Memory{Title: "New name"}, doc)
		if err != nil || to.stem != want {
			t.Errorf("a file with the id %s goes to %s (%v), want %s", id, to.stem, err, want)
		}
	}
}

// memoryFor builds a valid memory from fuzzed parts.
func memoryFor(title, tags, changes, value string) *schemas.Memory {
	m := &schemas.Memory{
		SchemaVersion: "1.0", Category: schemas.Preference, ID: "fuzzed", RecordStatus: schemas.Active,
		CreatedAt: "2026-01-01T00:00:00Z", UpdatedAt: "2026-01-01T00:00:00Z",
		Tags: strings.Split(tags, ","), Changes: entries(changes),
	}
	m.Set("title", title)
	m.SetContent(map[string]any{"topic": "t", "value": value, "reason": "r", "strength": "soft"})
	return m
}

// The result of every merge is valid, tags are kept up to the limit, and the history
// loses nothing that fits.
func FuzzMerge(f *testing.F) {
	f.Add("Title", "a,b", "n0 n1", "v", "Title", "a,b,c", "n0 n1 n2", "w")
	f.Add("Title", "a,b,c,d,e,f,g,h,i,j,k,l", strings.Repeat("n ", 50), "v", "Other words", "b,c,d,e,f,g,h,i,j,k,l,m", strings.Repeat("n ", 51), "v")
	f.Add("Title", "a,b", "n0", "v", "Title", "b,c", "n0 n1", "v")
	f.Add("Title", "a,b,c,d,e,f,g,h,i,j,k,l", "n0", "v", "Title", "a,b,c,d,e,f,g,h,i,m", "n0 n1", "v")
	f.Add("Title", "a", "x y other", "v", "T", "a", "x y mine mine", "")
	f.Add("", "", "", "", "\x00", "\xff,#tags:", "n", "\u2028")
	f.Fuzz(func(t *testing.T, title, tags, changes, value, newTitle, newTags, newChanges, newValue string) {
		w, _ := testWriter()
		old := memoryFor(title, tags, changes, value)
		w.autofix(old)
		if _, err := encodeValid(old); err != nil {
			t.Skip(err)
		}
		before := slices.Clone(old.Changes)
		doc, err := w.merged(old, memoryFor(newTitle, newTags, newChanges, newValue), place{schemas.Preference, "preferences", "fuzzed", ""})
		var refused *Error
		if errors.As(err, &refused) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, err := encodeValid(doc); err != nil {
			t.Fatalf("the result is not valid: %v\n%s", err, data)
		}
		oldTags, has := schemas.RealTags(old.Tags), doc.Tags
		if lost := without(oldTags, has); len(lost) > 0 && (len(oldTags) < maxTags || len(has) < maxTags) {
			t.Errorf("tags %q shrank to %q", oldTags, has)
		}
		after := doc.Changes
		limit := min(len(before), maxChanges-newIn(before, after))
		if !reflect.DeepEqual(before[len(before)-limit:], after[:limit]) {
			t.Errorf("history lost entries: %d before, %d after, %d kept", len(before), len(after), limit)
		}
		if len(after) < min(len(before)+1, maxChanges) {
			t.Errorf("history is %d entries, it was %d", len(after), len(before))
		}
	})
}

// newIn returns the smallest number of new entries at the end of a history that
// explains it.
func newIn(before, after []schemas.Change) int {
	for n := range len(after) + 1 {
		limit := len(after) - n
		if limit <= len(before) && reflect.DeepEqual(before[len(before)-limit:], after[:limit]) {
			return n
		}
	}
	return len(after)
}
