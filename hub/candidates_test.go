package hub

import (
	"fmt"
	"slices"
	"testing"

	"memctl/features/hub/remote"
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

// Each service finds at once what was published, changed or forgotten by another one.
func TestAnswersFollowPublications(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	h.grant(t, "user:ben", payments, false)
	other := h
	other.Store = open(t, h.dsn, Options{})
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
