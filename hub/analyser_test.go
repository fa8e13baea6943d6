package hub

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memctl/db"

	"github.com/google/go-cmp/cmp"
)

func TestAnalysis(t *testing.T) {
	title, body := slices.Repeat([]string{"often"}, 300), slices.Repeat([]string{"often"}, lastPlace)
	title = append(title, slices.Repeat([]string{"late"}, 700)...)
	body[0], body[1], body[lastPlace-1] = `a'b\c`, strings.Repeat("x", maxTerm+1), "last"
	found := db.MemoryTerms{title, {"tag"}, body}
	var v vocabulary
	a := v.newAnalysis(found)
	if a.length != 1000+1+lastPlace-1 {
		t.Errorf("%d terms", a.length)
	}
	if diff := cmp.Diff([]string{"often", "late", "tag", `a'b\c`, "last"}, v.terms); diff != "" {
		t.Error(diff)
	}
	for range 2 {
		if diff := cmp.Diff([]frequency{{0, 255, 0, 255}, {1, 255, 0, 0}, {2, 0, 1, 0}, {3, 0, 0, 1}, {4, 0, 0, 1}},
			v.frequencies(a), cmp.AllowUnexported(frequency{})); diff != "" {
			t.Error(diff)
		}
	}
	positions := strings.Fields(v.positions(a))
	for i, want := range []string{`'a''b\\c':2001`, `'late':301,302,303,`, `'often':1,2,3,`, `'tag':1001`} { // no place for the last
		if len(positions) != 4 || !strings.HasPrefix(positions[i], want) || strings.Count(positions[i], ",")%(maxPlaces-1) != 0 {
			t.Errorf("%d positions, %.40s, want %s", len(positions), positions[i], want)
		}
	}
	if places := v.positions(v.newAnalysis(db.MemoryTerms{slices.Repeat([]string{"a", "b", "c", "d"}, 250)})); !strings.Contains(places, ",999 ") || strings.Contains(places, "1000") {
		t.Errorf("positions of a long title: %s", places)
	}
}

// PostgreSQL refuses a tsvector of more than 1 MiB.
func TestPositionsAreBounded(t *testing.T) {
	var v vocabulary
	var found db.MemoryTerms
	for i := range lastPlace {
		found[2] = append(found[2], fmt.Sprintf("%0*d", maxTerm, i))
	}
	terms := strings.Count(v.positions(v.newAnalysis(found)), ":")
	if size := terms * (maxTerm + 8 + 2); size < maxPositions/2 || size > 1<<20 {
		t.Errorf("%d terms of %d bytes", terms, size)
	}
}

func TestElements(t *testing.T) {
	v := version{id: 5, analysis: analysis{length: 10_000}}
	if got := v.pack(frequency{0, 100, 100, 255}); got != 5<<32|maxLength<<18|maxTitle<<13|maxTags<<8|maxBody {
		t.Errorf("got %x", got)
	}
	v.status, v.length = "active", 7
	if got := v.pack(frequency{0, 1, 2, 3}); got != 5<<32|1<<31|7<<18|1<<13|2<<8|3 || memoryOf(got) != 5 {
		t.Errorf("got %x", got)
	}
}
