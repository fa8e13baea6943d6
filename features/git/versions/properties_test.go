package versions

import (
	"os"
	"slices"
	"strings"
	"testing"

	"memctl/features/git/mergetest"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

// edit returns a memory as the editor of a branch changes it.
func edit(t testing.TB, seed uint64, branch string, scalars ...string) *schemas.Memory {
	t.Helper()
	return mergetest.NewEditor(seed, branch).Edit(original(t), scalars)
}

// original is the memory that all branches change.
func original(t testing.TB) *schemas.Memory {
	data, err := mergetest.Memory("kafka").Encode()
	if err != nil {
		t.Fatal(err)
	}
	return document(t, string(data))
}

// rounds is how many random cases a property is tried on.
func rounds() int {
	if os.Getenv("MEMCTL_SOAK") != "" {
		return 5_000
	}
	return 300
}

// unordered sorts what has no order of its own, or whose order depends on the side.
func unordered(t testing.TB, doc *schemas.Memory) map[string]any {
	data, err := doc.Encode()
	if err != nil {
		t.Fatal(err)
	}
	plain := document(t, string(data)).Values()
	content := plain["content"].(map[string]any)
	for _, list := range []any{plain["related_files"], plain["changes"], content["impact"], content["workarounds"]} {
		items, _ := list.([]any)
		slices.SortFunc(items, func(a, b any) int { return strings.Compare(keyOf(a), keyOf(b)) })
	}
	return plain
}

func TestMergedMemoriesAreValidAndKeepEveryChange(t *testing.T) {
	for seed := range uint64(rounds()) {
		base := original(t)
		ours := edit(t, seed, "ours", mergetest.Scalars...)
		theirs := edit(t, seed, "theirs", mergetest.Scalars...)
		got := Merge(base, ours, theirs)
		checkValid(t, got.Memory, true)
		merged := newItems(got.Memory.Get("changes").([]any))
		for _, entry := range slices.Concat(ours.Get("changes").([]any), theirs.Get("changes").([]any)) {
			if !merged.has(keyOf(entry)) {
				t.Fatalf("seed %d: lost %v", seed, entry)
			}
		}
		if merged.repeated {
			t.Fatalf("seed %d: an entry is there twice", seed)
		}
	}
}

func TestMergeWithTheSameIsTheSame(t *testing.T) {
	for seed := range uint64(rounds()) {
		base := original(t)
		ours := edit(t, seed, "ours", mergetest.Scalars...)
		for name, got := range map[string]Result{
			"itself": Merge(base, ours, ours),
			"base":   Merge(base, ours, base),
			"ours":   Merge(base, base, ours),
			"again":  Merge(ours, ours, ours),
		} {
			if diff := cmp.Diff(ours, got.Memory); diff != "" || len(got.Conflicts) > 0 {
				t.Fatalf("seed %d, %s: conflicts %v\n%s", seed, name, got.Conflicts, diff)
			}
		}
	}
}

// Which side is ours decides only the order of new items and the values in conflict.
func TestMergeIsCommutative(t *testing.T) {
	for seed := range uint64(rounds()) {
		base := original(t)
		a := edit(t, seed, "ours", mergetest.Scalars...)
		b := edit(t, seed, "theirs", mergetest.Scalars...)
		ab, ba := Merge(base, a, b), Merge(base, b, a)
		if schemas.ConflictFields(ab.Conflicts) != schemas.ConflictFields(ba.Conflicts) {
			t.Fatalf("seed %d: conflicts %q and %q", seed, schemas.ConflictFields(ab.Conflicts),
				schemas.ConflictFields(ba.Conflicts))
		}
		for _, c := range ba.Conflicts {
			c.Theirs = c.Ours
			if err := SetTheirs(ab.Memory, c); err != nil { // then both have the values of b
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(unordered(t, ab.Memory), unordered(t, ba.Memory)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// Where nothing conflicts, the order of merges does not matter.
func TestMergeIsAssociative(t *testing.T) {
	for seed := range uint64(rounds()) {
		base := original(t)
		a := edit(t, seed, "a", "title")
		b := edit(t, seed, "b", "rule")
		c := edit(t, seed, "c", "severity", "kind")
		left := Merge(base, Merge(base, a, b).Memory, c)
		right := Merge(base, a, Merge(base, b, c).Memory)
		if len(left.Conflicts)+len(right.Conflicts) > 0 {
			t.Fatalf("seed %d: conflicts %v, %v", seed, left.Conflicts, right.Conflicts)
		}
		if diff := cmp.Diff(unordered(t, left.Memory), unordered(t, right.Memory)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// Whatever JSON objects the versions are, the result is one that decodes again.
func FuzzMemories(f *testing.F) {
	f.Add(common, common, `{"tags": [1, null, {"a": []}], "changes": [1], "content": [], "updated_at": 3}`)
	f.Add(`{}`, `{"content": {"x": {"y": [1]}}}`, `{"content": {"x": {"y": [2, 2]}}, "record_status": 4}`)
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		b, _ := schemas.DecodeExact([]byte(base))
		o, err := schemas.DecodeExact([]byte(ours))
		if err != nil {
			return
		}
		th, err := schemas.DecodeExact([]byte(theirs))
		if err != nil {
			return
		}
		got := Merge(b, o, th)
		data, err := got.Memory.Encode()
		if err != nil {
			return // too large
		}
		if _, err := schemas.DecodeExact(data); err != nil {
			t.Fatal(err)
		}
		record, err := schemas.ConflictRecord{Memory: "decisions/x.json", Conflicts: got.Conflicts}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := schemas.DecodeConflictRecord(record); err != nil {
			t.Fatal(err)
		}
	})
}
