package versions

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

const common = `{"schema_version": "1.0", "category": "constraint", "id": "kafka", "title": "Kafka", "record_status": "active",
	"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "tags": ["kafka", "limits"],
	"content": {"kind": "technical", "rule": "1 MB", "impact": ["photos", "scans"], "severity": "high", "active": true},
	"changes": [{"date": "2026-01-01T00:00:00Z", "summary": "first"}], "times_updated": 1}`

func document(t testing.TB, data string) *schemas.Memory {
	t.Helper()
	doc, err := schemas.DecodeExact([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// edited returns the common memory with other values, given as JSON by dotted field.
// null removes a field.
func edited(t testing.TB, values map[string]string) *schemas.Memory {
	t.Helper()
	doc := document(t, common)
	for field, raw := range values {
		value, err := schemas.DecodeAny([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := SetTheirs(doc, schemas.Conflict{Field: field, Theirs: value}); err != nil {
			t.Fatal(err)
		}
	}
	return doc
}

type edits = map[string]string

func TestMemories(t *testing.T) {
	tests := map[string]struct {
		ours, theirs, want edits
		conflicts, notices string
	}{
		"nothing changed":        {},
		"one side changed":       {ours: edits{"title": `"A"`}, want: edits{"title": `"A"`}},
		"the other side changed": {theirs: edits{"content.rule": `"2 MB"`}, want: edits{"content.rule": `"2 MB"`}},
		"different fields": {ours: edits{"title": `"A"`}, theirs: edits{"content.rule": `"2 MB"`},
			want: edits{"title": `"A"`, "content.rule": `"2 MB"`}},
		"the same change": {ours: edits{"title": `"A"`}, theirs: edits{"title": `"A"`},
			want: edits{"title": `"A"`}},
		"the same scalar": {ours: edits{"content.rule": `"2 MB"`}, theirs: edits{"content.rule": `"3 MB"`},
			want: edits{"content.rule": `"2 MB"`}, conflicts: "content.rule"},
		"removed and changed": {ours: edits{"content.rule": `null`}, theirs: edits{"content.rule": `"3 MB"`},
			want: edits{"content.rule": `null`}, conflicts: "content.rule"},
		"an optional field on each": {ours: edits{"confidence": `0.9`}, theirs: edits{"content.expires": `"2027"`},
			want: edits{"confidence": `0.9`, "content.expires": `"2027"`}},
		"a field that no schema knows": {ours: edits{"x": `{"a": 1}`}, theirs: edits{"x": `{"b": 1.50}`},
			want: edits{"x": `{"a": 1, "b": 1.50}`}},
		"the later time": {ours: edits{"updated_at": `"2026-02-01T01:00:00+02:00"`},
			theirs: edits{"updated_at": `"2026-02-01T00:00:00Z"`}, want: edits{"updated_at": `"2026-02-01T00:00:00Z"`}},
		"the first creation": {ours: edits{"created_at": `"2026-02-01T00:00:00Z"`},
			theirs: edits{"created_at": `"2026-01-15T00:00:00Z"`}, want: edits{"created_at": `"2026-01-15T00:00:00Z"`}},
		"the larger counter": {ours: edits{"times_updated": `10`}, theirs: edits{"times_updated": `9`},
			want: edits{"times_updated": `10`}},
		"tags of both": {ours: edits{"tags": `["broker", "kafka", "limits"]`},
			theirs: edits{"tags": `["kafka", "limits", "events"]`},
			want:   edits{"tags": `["broker", "events", "kafka", "limits"]`}},
		"tags exchanged": {ours: edits{"tags": `["broker", "kafka"]`},
			theirs: edits{"tags": `["events", "limits"]`}, want: edits{"tags": `["broker", "events"]`}},
		"each tag removed once": {ours: edits{"tags": `["kafka"]`}, theirs: edits{"tags": `["limits"]`},
			want: edits{"tags": `["kafka", "limits"]`}},
		"tags that are no list": {ours: edits{"tags": `"a"`}, theirs: edits{"tags": `["b"]`},
			want: edits{"tags": `"a"`}, conflicts: "tags"},
		"more tags than fit": {ours: edits{"tags": tags("o", 12)}, theirs: edits{"tags": tags("a", 12)},
			want: edits{"tags": tags("o", 12)}, notices: "at most 12 tags: left out a00, a01"},
		"related files of both": {ours: edits{"related_files": `["a.go", "z.go"]`},
			theirs: edits{"related_files": `["b.go"]`}, want: edits{"related_files": `["a.go", "z.go", "b.go"]`}},
		"items of both": {ours: edits{"content.impact": `["new", "photos", "scans"]`},
			theirs: edits{"content.impact": `["photos", "middle", "scans"]`},
			want:   edits{"content.impact": `["new", "photos", "middle", "scans"]`}},
		"an item removed, one added": {ours: edits{"content.impact": `["scans"]`},
			theirs: edits{"content.impact": `["photos", "scans", "logs"]`}, want: edits{"content.impact": `["scans", "logs"]`}},
		"the same item replaced": {ours: edits{"content.impact": `["A", "scans"]`},
			theirs: edits{"content.impact": `["B", "scans"]`}, want: edits{"content.impact": `["A", "scans"]`},
			conflicts: "content.impact"},
		"no item left": {ours: edits{"content.impact": `["photos"]`},
			theirs: edits{"content.impact": `["scans"]`}, want: edits{"content.impact": `["photos"]`},
			conflicts: "content.impact"},
		"an item twice": {ours: edits{"content.impact": `["photos", "photos", "scans"]`},
			theirs: edits{"content.impact": `["photos"]`}, want: edits{"content.impact": `["photos", "photos", "scans"]`},
			conflicts: "content.impact"},
		"lists that only one side made": {ours: edits{"content.workarounds": `["a"]`},
			theirs: edits{"content.workarounds": `["b"]`}, want: edits{"content.workarounds": `["a", "b"]`}},
		"retired and changed": {
			ours:   edits{"record_status": `"retired"`, "retired_at": `"2026-03-01T00:00:00Z"`, "retired_reason": `"gone"`},
			theirs: edits{"content.rule": `"2 MB"`},
			want: edits{"record_status": `"retired"`, "retired_at": `"2026-03-01T00:00:00Z"`, "retired_reason": `"gone"`,
				"content.rule": `"2 MB"`}, notices: "is retired",
		},
		"retired twice": {
			ours:   edits{"record_status": `"retired"`, "retired_at": `"2026-03-01T00:00:00Z"`, "retired_reason": `"gone"`},
			theirs: edits{"record_status": `"retired"`, "retired_at": `"2026-03-02T00:00:00Z"`, "retired_reason": `"wrong"`},
			want:   edits{"record_status": `"retired"`, "retired_at": `"2026-03-02T00:00:00Z"`, "retired_reason": `"wrong"`},
		},
		"retired and archived": {
			ours:      edits{"record_status": `"retired"`, "retired_at": `"2026-03-01T00:00:00Z"`},
			theirs:    edits{"record_status": `"archived"`, "archived_at": `"2026-03-02T00:00:00Z"`},
			want:      edits{"record_status": `"retired"`, "retired_at": `"2026-03-01T00:00:00Z"`},
			conflicts: "record_status, retired_at, archived_at",
		},
		"both renamed": {
			ours: edits{"id": `"a"`, "title": `"A"`}, theirs: edits{"id": `"b"`, "title": `"B"`},
			want: edits{"id": `"a"`, "title": `"A"`}, conflicts: "title", notices: "renamed it, to a and to b",
		},
		"another category": {
			ours: edits{"category": `"decision"`, "content": `{"status": "accepted"}`}, theirs: edits{"content.rule": `"2 MB"`},
			want: edits{"category": `"decision"`, "content": `{"status": "accepted"}`}, conflicts: "content",
		},
		"histories by date": {
			ours:   edits{"changes": `[{"date": "2026-01-01T00:00:00Z", "summary": "first"}, {"date": "2026-01-03T00:00:00Z", "summary": "o"}]`},
			theirs: edits{"changes": `[{"date": "2026-01-01T00:00:00Z", "summary": "first"}, {"date": "2026-01-02T00:00:00Z", "summary": "t"}]`},
			want:   edits{"changes": `[{"date": "2026-01-01T00:00:00Z", "summary": "first"}, {"date": "2026-01-02T00:00:00Z", "summary": "t"}, {"date": "2026-01-03T00:00:00Z", "summary": "o"}]`},
		},
		"a longer history than fits": {
			ours: edits{"changes": historyOf(2, 50)}, theirs: edits{"changes": historyOf(3, 49, 55)},
			want: edits{"changes": historyOf(3, 49, 55)}, notices: "keeps 50 changes: left out the 1 oldest one",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := Merge(document(t, common), edited(t, tt.ours), edited(t, tt.theirs))
			if diff := cmp.Diff(edited(t, tt.want), got.Memory); diff != "" {
				t.Error(diff)
			}
			if fields := schemas.ConflictFields(got.Conflicts); fields != tt.conflicts {
				t.Errorf("conflicts: %q, want %q", fields, tt.conflicts)
			}
			notices := strings.Join(got.Notices, "; ")
			if (notices == "") != (tt.notices == "") || !strings.Contains(notices, tt.notices) {
				t.Errorf("notices: %q, want %q", notices, tt.notices)
			}
		})
	}
}

// Two memories of the same id that were created side by side have no common version.
func TestMemoriesWithoutBase(t *testing.T) {
	got := Merge(nil, edited(t, nil), edited(t, edits{"title": `"Other"`, "tags": `["x"]`,
		"created_at": `"2025-01-01T00:00:00Z"`}))
	want := edited(t, edits{"tags": `["kafka", "limits", "x"]`, "created_at": `"2025-01-01T00:00:00Z"`})
	if diff := cmp.Diff(want, got.Memory); diff != "" || schemas.ConflictFields(got.Conflicts) != "title" {
		t.Errorf("conflicts %q\n%s", schemas.ConflictFields(got.Conflicts), diff)
	}
}

// The limits are those of the schema.
func TestLimitsAreThoseOfTheSchema(t *testing.T) {
	for _, n := range []int{schemas.MaxTags, schemas.MaxTags + 1} {
		doc := edited(t, edits{"tags": tags("t", n)})
		checkValid(t, doc, n == schemas.MaxTags)
	}
	for _, n := range []int{schemas.MaxChanges, schemas.MaxChanges + 1} {
		checkValid(t, edited(t, edits{"changes": historyOf(1, n)}), n == schemas.MaxChanges)
	}
}

func checkValid(t *testing.T, doc *schemas.Memory, want bool) {
	t.Helper()
	data, err := doc.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if violations := schemas.Validate(data); (len(violations) == 0) != want {
		t.Errorf("valid %v, want %v: %v", !want, want, violations)
	}
}

// tags is a list of n tags.
func tags(prefix string, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%s%02d", prefix, i)
	}
	data, _ := json.Marshal(list)
	return string(data)
}

// history is n entries, one a minute, and more at other minutes.
func historyOf(from, n int, more ...int) string {
	minutes := make([]int, n)
	for i := range minutes {
		minutes[i] = from + i
	}
	list := make([]string, 0, n)
	for _, minute := range slices.Concat(minutes, more) {
		list = append(list, fmt.Sprintf(`{"date": "2026-02-01T00:%02d:00Z", "summary": "change %d"}`, minute, minute))
	}
	return "[" + strings.Join(list, ", ") + "]"
}
