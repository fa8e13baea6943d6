package retrieve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memctl/db"
	"memctl/schemas"

	gocmp "github.com/google/go-cmp/cmp"
)

// fusedIDs ranks the memories of a source for a prompt with a floor, given what a model finds near: ids and nearness.
func fusedIDs(t *testing.T, source Source, q Query, near map[string]float64) (ids []string) {
	t.Helper()
	w, err := q.plan(t.Context(), source.DB)
	if err != nil {
		t.Fatal(err)
	}
	var neighbours []Neighbour
	for id, nearness := range near {
		n, err := db.QueryRow[int64](t.Context(), source.DB, `SELECT memory_id FROM memories WHERE id = ?`, id)
		if err != nil {
			t.Fatal(id, err)
		}
		neighbours = append(neighbours, Neighbour{n, nearness / 2, nearness})
	}
	slices.SortFunc(neighbours, func(a, b Neighbour) int { return cmp.Compare(b.Cosine, a.Cosine) })
	results, err := q.rankHybrid(t.Context(), source.DB, w, neighbours)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(results, stronger) // as rank does
	ids = []string{}
	for _, r := range q.fuse(results) {
		ids = append(ids, r.ID)
	}
	return ids
}

// The nearest memories reorder and complete what words find, in a store of four and among hundreds alike, however
// near the others are.
func TestNearnessCountsByRank(t *testing.T) {
	for _, more := range []int{0, 400} {
		memories := []schemas.Memory{
			noted(schemas.Decision, "first", "Kafka retention of the ledger"),
			noted(schemas.Decision, "second", "Kafka retention in the new cluster of the harbour"),
			noted(schemas.Decision, "third", "Parcels to the harbour or beyond, and the kafka retention for whoever sends them by boat"),
			noted(schemas.Decision, "far", "Seven ducks"),
		}
		for i := range more {
			memories = append(memories, noted(schemas.Decision, fmt.Sprintf("other-%d", i), fmt.Sprintf("Duck number %d", i)))
		}
		source := index(t, "project", memories)
		prompt := NewHybridQuery("kafka retention ledger", nil, 8)
		prompt.Chance = 0.075
		for name, tt := range map[string]struct {
			near map[string]float64
			want []string
		}{
			"without a model":            {nil, []string{"first", "second", "third"}},
			"the nearest moves up a bit": {map[string]float64{"third": 0.7, "first": 0.1}, []string{"first", "third", "second"}},
			"far ones add nothing":       {map[string]float64{"third": -0.2, "far": -0.1}, []string{"first", "second", "third"}},
			"no word, and near":          {map[string]float64{"far": 0.9}, []string{"first", "second", "third"}},
			"no word, and the same":      {map[string]float64{"far": 1.1, "first": 0.2}, []string{"first", "second", "third", "far"}},
			"not the nearest":            {map[string]float64{"far": 1.1, "first": 1.2}, []string{"first", "second", "third"}},
		} {
			if diff := gocmp.Diff(tt.want, fusedIDs(t, source, prompt, tt.near)); diff != "" {
				t.Errorf("%d more, %s (-want +got):\n%s", more, name, diff)
			}
		}
		search := NewHybridQuery("kafka retention ledger", nil, 8)
		if got := fusedIDs(t, source, search, map[string]float64{"far": -0.1}); len(got) != 3 {
			t.Errorf("%d more: a search finds %q", more, got)
		}
		if got := fusedIDs(t, source, search, map[string]float64{"far": 0.3}); !gocmp.Equal(got, []string{"first", "second", "third", "far"}) {
			t.Errorf("%d more: a search finds %q", more, got)
		}
	}
}

// A memory that is too weak by words is given if it is among the nearest, however many others are near.
func TestTheNearestNeedLess(t *testing.T) {
	memories := []schemas.Memory{noted(schemas.Decision, "weak", "Parcels of the harbour, "+strings.Repeat("filler ", 12))}
	near := map[string]float64{}
	for i := range 100 {
		id := fmt.Sprintf("other-%d", i)
		memories = append(memories, noted(schemas.Decision, id, fmt.Sprintf("Duck %d", i)))
	}
	source := index(t, "project", memories)
	q := NewHybridQuery("harbour", nil, 8)
	w, err := q.plan(t.Context(), source.DB)
	if err != nil {
		t.Fatal(err)
	}
	results, err := q.rankHybrid(t.Context(), source.DB, w, nil)
	if err != nil || len(results) != 1 {
		t.Fatal(len(results), err)
	}
	q.Chance = 1
	q.Chance = 1.1 * results[0].Strength / q.floor(w) // a tenth more than the words give
	for name, tt := range map[string]struct {
		nearness float64 // of the weak one
		others   int     // as near as 0.9
		want     int
	}{
		"not near":      {0, 0, 0},
		"the nearest":   {0.5, 0, 1},
		"the second":    {0.5, 1, 1},
		"the fourth":    {0.5, 3, 0},
		"of a hundred":  {0.5, 100, 0},
		"before others": {0.95, 100, 1},
	} {
		clear(near)
		if tt.nearness > 0 {
			near["weak"] = tt.nearness
		}
		for i := range tt.others {
			near[fmt.Sprintf("other-%d", i)] = 0.9
		}
		if got := fusedIDs(t, source, q, near); len(got) != tt.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	q.Chance, q.Limit = 0, 20
	delete(near, "weak")
	for i := range 100 {
		near[fmt.Sprintf("other-%d", i)] = 0.9
	}
	if got := fusedIDs(t, source, q, near); len(got) != 1+places || got[0] != "weak" {
		t.Errorf("a search finds %q", got)
	}
}

// Memories that are retired, which an explanation lists too, do not take the places of those that prompts receive.
func TestRetiredMemoriesHaveNoRank(t *testing.T) {
	results := make([]Result, 3)
	for i, id := range []string{"retired", "words", "near"} {
		results[i].ID, results[i].Status = id, schemas.Active
		results[i].Strength, results[i].Rounded, results[i].Needed = 3-float64(i), 3-float64(i), 2.5
		results[i].Cosine, results[i].Nearness = new(0.9-float64(i)/10), 0.9
	}
	results[0].Status = schemas.Retired
	results[2].Cosine = new(0.85)
	places, order := map[string]int{}, map[string]float64{}
	for _, r := range (Query{Ungated: true}).fuse(results) {
		places[r.ID], order[r.ID] = r.NearRank, r.Order
	}
	if places["near"] != 1 || places["words"] != 2 || places["retired"] != 0 || order["words"] != 1.125 {
		t.Errorf("the places are %v, the order %v", places, order)
	}
}
