package hub

import (
	"fmt"
	"strings"
	"testing"

	"memctl/db"

	"github.com/google/go-cmp/cmp"
)

func TestAnalysis(t *testing.T) {
	var found []db.Occurrence
	for i := range 300 {
		found = append(found, db.Occurrence{Column: "title", Offset: i, Term: "often"})
	}
	found = append(found,
		db.Occurrence{Column: "title", Offset: 1000, Term: "late"},
		db.Occurrence{Column: "tags", Offset: 0, Term: "tag"},
		db.Occurrence{Column: "body", Offset: 0, Term: `a'b\c`},
		db.Occurrence{Column: "body", Offset: 1, Term: strings.Repeat("x", maxTerm+1)},
		db.Occurrence{Column: "body", Offset: lastPlace, Term: "late"},
	)
	var v vocabulary
	a := v.newAnalysis(found)
	if a.length != 304 || len(a.terms) != 4 {
		t.Errorf("%d terms, %d distinct ones", a.length, len(a.terms))
	}
	if diff := cmp.Diff([]string{"often", "late", "tag", `a'b\c`}, v.terms); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]frequency{{0, 255, 0, 0}, {1, 1, 0, 1}, {2, 0, 1, 0}, {3, 0, 0, 1}}, a.terms, cmp.AllowUnexported(frequency{})); diff != "" {
		t.Error(diff)
	}
	want := []string{`'a''b\\c':2001`, `'often':1,2,3`, `'tag':1001`}
	got := strings.Fields(a.positions)
	if len(got) != 3 || strings.Count(got[1], ",") != maxPlaces-1 {
		t.Fatalf("positions %s", a.positions)
	}
	got[1] = got[1][:len(want[1])]
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// PostgreSQL refuses a tsvector of more than 1 MiB.
func TestPositionsAreBounded(t *testing.T) {
	places := map[string][]int{}
	for i := range lastPlace {
		places[fmt.Sprintf("%0*d", maxTerm, i)] = []int{i + 1}
	}
	terms := strings.Count(positionsOf(places), ":")
	if size := terms * (maxTerm + 8 + 2); size < maxPositions/2 || size > 1<<20 {
		t.Errorf("%d terms of %d bytes", terms, size)
	}
}

func TestElements(t *testing.T) {
	v := version{id: 5, analysis: analysis{length: 10_000}}
	if got := v.pack(frequency{0, 100, 100, 255}); got != 5<<32|maxLength<<18|maxTitle<<13|maxTags<<8|maxBody {
		t.Errorf("got %x", got)
	}
	v.RecordStatus, v.length = "active", 7
	if got := v.pack(frequency{0, 1, 2, 3}); got != 5<<32|1<<31|7<<18|1<<13|2<<8|3 || memoryOf(got) != 5 {
		t.Errorf("got %x", got)
	}
}
