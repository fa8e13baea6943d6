package review

import (
	"fmt"
	"slices"
	"testing"

	"memctl/schemas"
	"memctl/text"
)

// arranged is a report of some parts, "KIND ID" each.
func arranged(parts ...string) Report {
	r := Report{Counts: map[Kind]int{}, Groups: []Group{}}
	for _, part := range parts {
		var kind, id string
		_, _ = fmt.Sscan(part, &kind, &id)
		f := Finding{Kind: Kind(kind), Do: Kind(kind).info().Do, ID: id, Path: "decisions/" + id + ".json"}
		f.Parts = why("it is %s", text.Say("%s", kind))
		f.Reason = f.In(text.English)
		r.Findings = append(r.Findings, f)
	}
	r.arrange()
	return r
}

func TestOneFindingForAMemory(t *testing.T) {
	r := arranged("similar a", "renamed a", "missing a", "renamed a", "tags b", "renamed c")
	var got []string
	for _, f := range r.Findings {
		got = append(got, f.ID+": "+f.In(text.English))
	}
	want := []string{"c: it is renamed", "a: it is missing; it is similar; it is renamed; it is renamed", "b: it is tags"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	var groups []string
	for _, g := range r.Groups {
		groups = append(groups, g.Says)
	}
	want = []string{"2 memories name files by their former names", // that of a, too
		"1 memory names code that is gone or says something else",
		"1 memory has a tag that looks like another, or too many"}
	if !slices.Equal(groups, want) {
		t.Errorf("%q", groups)
	}
}

func TestTheListIsShort(t *testing.T) {
	var parts []string
	for i := range 100 {
		parts = append(parts, fmt.Sprintf("expired e%d", i), fmt.Sprintf("similar s%d", i), fmt.Sprintf("renamed r%d", i))
	}
	parts = append(parts, "tags t")
	listed := func(all bool) (counts []int, left int) {
		l := listOf(arranged(parts...), all)
		for _, p := range l.Parts {
			counts = append(counts, len(p.Findings))
		}
		return counts, l.Left
	}
	if counts, left := listed(false); !slices.Equal(counts, []int{0, 17, 2, 1}) || left != 181 {
		t.Errorf("%v, and %d left", counts, left)
	}
	if counts, left := listed(true); !slices.Equal(counts, []int{100, 100, 100, 1}) || left != 0 {
		t.Errorf("all: %v, and %d left", counts, left)
	}
	parts = parts[:30] // fewer than there is room for
	if counts, left := listed(false); !slices.Equal(counts, []int{0, 10, 10}) || left != 0 {
		t.Errorf("few: %v, and %d left", counts, left)
	}
}

// Of several findings about a memory an answer ends those that it answers.
func TestConfirmEndsEachPart(t *testing.T) {
	renamed := Finding{Kind: Renamed, Files: []string{"a.go"}, RenamedTo: "b.go"}
	f := Finding{Kind: Changed, Also: []Finding{renamed}}
	if got := f.Answers(); !slices.Equal(got, []Answer{Confirm, Retire}) {
		t.Errorf("%v", got)
	}
	want := []schemas.Rename{{From: "a.go", To: "b.go"}}
	if fixes := (Report{Findings: []Finding{f}}).Fixes(); len(fixes) != 1 || !slices.Equal(fixes[0].Renames, want) {
		t.Errorf("%v", fixes)
	}
}
