package hub

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"memctl/features/hub/remote"
	"memctl/schemas"
)

// What candidates are chosen for is that the best memories are among them.
func TestTheBestAreAmongTheCandidates(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	spread(t, h, 5, qualityNotes(t))
	few, all := open(t, h.dsn, Options{candidates: 20}), open(t, h.dsn, Options{WeighAll: true})
	type line struct{ Prompt string }
	wanted, found, asked := 0, 0, 0
	for _, p := range slices.Concat(lines[line](t, "shop/prompts.jsonl"), lines[line](t, "podcast/prompts.jsonl")) {
		for _, category := range []string{"", "decision"} {
			q := remote.Query{Query: p.Prompt, Limit: 5, Category: category}
			want, err := all.Search(t.Context(), anna, q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := few.Search(t.Context(), anna, q)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range want.Results {
				wanted++
				if slices.ContainsFunc(got.Results, func(g remote.Hit) bool { return g.ID == r.ID }) {
					found++
				}
			}
			if len(got.Results) != len(want.Results) {
				t.Errorf("%q: %d results, want %d", p.Prompt, len(got.Results), len(want.Results))
			}
		}
		asked++
	}
	if wanted < 2*asked || found*100 < wanted*99 {
		t.Errorf("of %d results to %d prompts, %d are found", wanted, asked, found)
	}
}

// Postings that cannot matter are not read: the best are those of a sum over all of them.
func TestChooser(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c := chooser{average: 40, category: anyCategory, most: 1 + random.IntN(20)}
		for term := range int32(1 + random.IntN(8)) {
			c.terms = append(c.terms, wanted{Term: term, Weight: 0.01 + 3*random.Float32()*random.Float32()})
		}
		slices.SortFunc(c.terms, func(a, b wanted) int { return cmp.Compare(b.Weight, a.Weight) })
		var want []candidate
		for repo := range 1 + random.IntN(12) {
			g := &segment{ends: []uint32{0}}
			for i := range 1 + random.IntN(60) {
				g.memories = append(g.memories, int32(repo*1000+i))
				g.confidences, g.updated = append(g.confidences, 0), append(g.updated, int64(random.IntN(3)))
				g.categories = append(g.categories, anyCategory)
			}
			g.lengths = make([]uint16, len(g.memories))
			points := make([]float64, len(g.memories))
			weights := map[int32]float64{}
			for _, t := range c.terms {
				weights[t.Term] = float64(t.Weight)
			}
			for term := range int32(len(c.terms)) {
				often, packed := random.Float64(), []int64(nil)
				for i, id := range g.memories {
					if g.lengths[i] = 40; random.Float64() < often {
						body := int64(1 + random.IntN(5))
						packed = append(packed, int64(id)<<32|40<<18|body)
						points[i] += weights[term] * float64(2*body) / (float64(2*body) + 0.3 + 0.9)
					}
				}
				g.add(term, packed)
			}
			c.add(g)
			for i, p := range points {
				if p > 0 {
					want = append(want, candidate{g.memories[i], float32(math.Round(p * 100)), 0, g.updated[i]})
				}
			}
		}
		all := chooser{best: want, most: c.most}
		if got, want := c.chosen(), all.chosen(); !slices.Equal(got, want) {
			t.Fatalf("of %d terms, the best %d are %v, want %v", len(c.terms), c.most, got, want)
		}
	}
}

// Each service finds at once what was published, changed or forgotten by another one.
func TestAnswersFollowPublications(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	h.grant(t, "user:ben", payments, false)
	other := h
	other.Store = open(t, h.dsn, Options{MaxConns: 1}) // which reads postings while a search waits for them
	sequence := int64(0)
	publish := func(titles ...string) {
		sequence++
		p := remote.Publication{Repository: payments, Commit: commitOf(1), Sequence: sequence}
		for i, title := range titles {
			p.Memories = append(p.Memories, note(fmt.Sprintf("n%d", i), title))
		}
		mustPublish(t, h, anna, p)
	}
	see := func(query string, want int) {
		t.Helper()
		for _, by := range []Principal{anna, ben} {
			if got := mustSearch(t, other, by, remote.Query{Query: query}); len(got) != want {
				t.Errorf("%s finds %v for %q, want %d", by.Person, got, query, want)
			}
		}
	}
	see("kafka", 0)
	publish("Kafka keeps events")
	see("kafka", 1)
	publish("Kafka keeps events", "Kafka loses events")
	see("kafka", 2)
	publish("Redis holds sessions", "Kafka loses events")
	see("kafka", 1)
	see("redis", 1)
	publish()
	see("redis", 0)
	publish("Redis holds sessions")
	see("redis", 1)
	if err := h.owner.Forget(t.Context(), payments); err != nil {
		t.Fatal(err)
	}
	see("redis", 0)
	publish("Redis holds sessions")
	see("redis", 1)
	h.exec(t, `DELETE FROM grants WHERE principal = 'user:ben'`)
	if got := mustSearch(t, other, ben, remote.Query{Query: "redis"}); len(got) > 0 {
		t.Errorf("ben still finds %v", got)
	}
}

// Of equal memories the newest come first, however many there are.
func TestTheNewestOfEqualMemories(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	var notes []remote.File
	for i := range 3 * weighed {
		at := schemas.FormatTime(time.Date(2026, 1, 1, i, 0, 0, 0, time.UTC))
		notes = append(notes, noteWith(fmt.Sprintf("n%03d", i), "Kafka keeps events", nil,
			map[string]any{"created_at": at, "updated_at": at}))
	}
	mustPublish(t, h, anna, publication(1, notes...))
	want := []string{"decisions/n299", "decisions/n298", "decisions/n297"}
	if got := mustSearch(t, h, anna, remote.Query{Query: "kafka", Limit: 3}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A database that was restored has earlier revisions.
func TestPostingsOfADatabaseMadeAgain(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	mustPublish(t, h, anna, publication(1, note("a", "Kafka keeps events")))
	mustPublish(t, h, anna, publication(2, note("a", "Kafka loses events")))
	if got := mustSearch(t, h, anna, remote.Query{Query: "kafka"}); len(got) != 1 {
		t.Fatal(got)
	}
	h.exec(t, `UPDATE repositories SET revision = 1`)
	held := h.segments.held()
	for range 2 {
		if err := h.KeepPostings(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for repo, g := range h.segments.held() {
		if g == held[repo] || g.revision != 1 {
			t.Errorf("the postings of revision %d are still held", g.revision)
		}
	}
}

// The postings that the service holds are those that were published, whoever had them read.
func TestPostingsAreReadAhead(t *testing.T) {
	h := secretHub(t)
	if err := h.KeepPostings(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(h.segments.byID); n != 2 {
		t.Fatalf("%d repositories are held, want 2", n)
	}
	h, asked := traced(t, h)
	for by, want := range map[string]int{"anna": 3, "ben": 2, "carl": 0} {
		if got := mustSearch(t, h, Principal{Person: by}, remote.Query{Query: "kafka"}); len(got) != want {
			t.Errorf("%s finds %v, want %d", by, got, want)
		}
	}
	for _, statement := range asked.take() {
		if statement == repositoryPostings {
			t.Error("a search reads postings that are held")
		}
	}
	if err := h.owner.Forget(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	if err := h.KeepPostings(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(h.segments.byID); n != 1 {
		t.Errorf("%d repositories are held after one is forgotten, want 1", n)
	}
}
