package retrieve_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"memctl/db"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func hybrid(t *testing.T, d *db.DB, q retrieve.Query) []string {
	t.Helper()
	results, err := retrieve.Rank(t.Context(), d, q)
	if err != nil {
		t.Fatalf("%v: %v", q.Terms, err)
	}
	ids := []string{}
	for _, r := range results {
		ids = append(ids, r.ID)
		if s := r.Shown(); s < 0 || s >= 1 {
			t.Errorf("%s is shown with %v", r.ID, s)
		}
		if r.Strength < r.Needed {
			t.Errorf("%s has a strength of %v, less than %v", r.ID, r.Strength, r.Needed)
		}
	}
	return ids
}

func active(id, title, updated string, tags ...string) schemas.Memory {
	return schemas.Memory{ID: id, Title: title, Tags: tags, RecordStatus: schemas.Active, Category: schemas.Decision, UpdatedAt: updated}
}

// Retired memories do not hide an active one, even if they alone would fill the pool.
func TestRetiredMemoriesDoNotCrowdOut(t *testing.T) {
	memories := []schemas.Memory{active("wanted", "Something else, and kafka", "")}
	for i := range 300 {
		m := active(fmt.Sprintf("retired-%d", i), "kafka", "", "kafka")
		m.RecordStatus = schemas.Retired
		memories = append(memories, m)
	}
	for i := range 400 {
		memories = append(memories, active(fmt.Sprintf("other-%d", i), "other words entirely", ""))
	}
	q := retrieve.NewHybridQuery("what about kafka?", nil, 5)
	if diff := cmp.Diff([]string{"wanted"}, hybrid(t, indexOf(t, memories...), q)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNearTiesGoToConfidenceThenToTheLatest(t *testing.T) {
	sure := active("sure", "kafka partitions", "2020-01-01T00:00:00Z")
	sure.Confidence = new(0.9)
	d := indexOf(t,
		active("old", "kafka partitions", "2021-01-01T00:00:00Z"),
		active("new", "kafka partitions", "2026-01-01T00:00:00Z"),
		sure,
		active("better", "kafka partitions of orders", "2019-01-01T00:00:00Z", "partitions", "kafka"),
	)
	q := retrieve.NewHybridQuery("kafka partitions", nil, 5)
	if diff := cmp.Diff([]string{"better", "sure", "new", "old"}, hybrid(t, d, q)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// strengths returns the strength of each memory for a prompt, by id.
func strengths(t *testing.T, d *db.DB, prompt string) map[string]float64 {
	t.Helper()
	results, err := retrieve.Rank(t.Context(), d, retrieve.NewHybridQuery(prompt, nil, 20))
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]float64{}
	for _, r := range results {
		scores[r.ID] = r.Strength
	}
	return scores
}

// The contributions add up to the strength, except for rounding.
func TestHybridExplanationAddsUp(t *testing.T) {
	d := smallIndex(t)
	for _, prompt := range prompts {
		q := retrieve.NewHybridQuery(prompt, nil, 10)
		results, err := retrieve.Rank(t.Context(), d, q)
		if err != nil {
			t.Fatal(err)
		}
		because, err := retrieve.Sources{{DB: d}}.Explain(t.Context(), q, results)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			sum := 0.0
			for _, c := range because["/"+r.Path] {
				sum += c.Points
			}
			if slack := 0.01 * float64(1+len(because["/"+r.Path])); sum < r.Strength-slack || sum > r.Strength+slack {
				t.Errorf("%q, %s: %v, explained are %v", prompt, r.Path, r.Strength, sum)
			}
		}
	}
}

func FuzzHybrid(f *testing.F) {
	d := smallIndex(f)
	for _, prompt := range append(prompts, `"kafka" NEAR(kafka rota, 2) AND title:kafka* OR NOT -x ^y {a b}:c`, "🙂🙂", "ب\u200fא e\u0301\u0301", strings.Repeat("kafka rotation x1y2 ", 200), "데이터베이스 마이그레이션 数据库") {
		f.Add(prompt, "kafka, 카프카, event bus")
	}
	f.Fuzz(func(t *testing.T, prompt, file string) {
		synonyms, _ := text.ParseSynonyms(file)
		for _, floor := range []float64{0, 0.075} {
			q := retrieve.NewHybridQuery(prompt, synonyms, 5)
			q.Chance = floor
			if ids := hybrid(t, d, q); len(ids) > 5 {
				t.Errorf("%d results", len(ids))
			}
			results, err := retrieve.Rank(t.Context(), d, q)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := (retrieve.Sources{{DB: d}}).Explain(t.Context(), q, results); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A word that no memory has stands for the nearest one of a title or tag, and counts half.
func TestMistypedWordsAreCorrected(t *testing.T) {
	d := indexOf(t,
		active("quota", "AccuWeather has a quota of 50 calls a day", "", "weather"),
		active("other", "Something else about outboxes", "", "other"),
	)
	right, wrong := strengths(t, d, "what is the quota")["quota"], strengths(t, d, "what is the qouta")["quota"]
	if wrong == 0 || math.Abs(right-2*wrong) > 1e-9 {
		t.Errorf("the strength is %v, mistyped %v", right, wrong)
	}
	if got := strengths(t, d, "what is the outbxo"); len(got) != 0 { // two typos
		t.Errorf("got %v", got)
	}
}

// The floor rises with the words of a prompt and with the number of memories, as chance does.
func TestFloorRises(t *testing.T) {
	memories := []schemas.Memory{
		active("kafka", "Kafka partitions hold orders by tenant", "", "queue"),
		active("notes", "Notes on carts, and on why", "", "cache"),
	}
	for i := range 40 {
		memories = append(memories, active(fmt.Sprintf("other-%d", i), fmt.Sprintf("Something else %d", i), ""))
	}
	d := indexOf(t, memories...)
	cfg := schemas.DefaultConfig()
	cfg.Retrieval.MatchStrategy = schemas.Hybrid
	searcher := retrieve.Searcher{Config: cfg}
	for prompt, want := range map[string][]string{
		"why do we use kafka here":                                      {"kafka"},
		"kafka next to the carousel":                                    {"kafka"},
		"the zebra of another project":                                  {},
		"kafka, the carousel, the invoice, the zebra and the telescope": {"kafka"},
		"kafka or carts":                                                {"kafka", "notes"},
	} {
		got := hybrid(t, d, searcher.Prompt(prompt))
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", prompt, diff)
		}
	}
	needed := func(d *db.DB, prompt string) float64 {
		results, err := retrieve.Rank(t.Context(), d, searcher.Prompt(prompt))
		if err != nil || len(results) == 0 {
			t.Fatal(results, err)
		}
		return results[0].Needed
	}
	few, many := indexOf(t, memories[:2]...), d
	if a, b := needed(few, "kafka partitions"), needed(many, "kafka partitions"); a >= b {
		t.Errorf("2 memories need %v, 42 need %v", a, b)
	}
	if a, b := needed(many, "kafka partitions"), needed(many, "kafka partitions, the carousel and the invoice"); a >= b {
		t.Errorf("two words need %v, four need %v", a, b)
	}
}

// A file that a prompt names breaks a tie.
func TestNamedFileBreaksTies(t *testing.T) {
	one, two := active("one", "Payments are retried", "2026-01-01T00:00:00Z"), active("two", "Payments are retried", "2020-01-01T00:00:00Z")
	two.RelatedFiles = []string{"src/pay.go"}
	cfg := schemas.DefaultConfig()
	cfg.Retrieval.MatchStrategy = schemas.Hybrid
	searcher := retrieve.Searcher{Config: cfg}
	d := indexOf(t, one, two)
	for prompt, want := range map[string]string{
		"how are payments retried":                "one",
		"how are payments retried in src/pay.go?": "two",
		"how are payments retried in @pay.go":     "two",
		"how are payments retried in ay.go":       "one",
	} {
		if got := hybrid(t, d, searcher.Prompt(prompt)); len(got) == 0 || got[0] != want {
			t.Errorf("%q: got %q", prompt, got)
		}
	}
}

func TestSlashCommands(t *testing.T) {
	cfg := schemas.DefaultConfig()
	cfg.Retrieval.MatchStrategy = schemas.Hybrid
	searcher := retrieve.Searcher{Config: cfg}
	for prompt, want := range map[string][]string{
		"/compact keep kafka and redis":     nil,
		"/deploy-staging":                   nil,
		"/ops:roll-out kafka to everywhere": {"ops", "roll", "kafka"},
		"/usr/bin/env misses kafka":         {"misses", "kafka"},
	} {
		q := searcher.Prompt(prompt)
		if diff := cmp.Diff(want, q.Terms.Topics, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", prompt, diff)
		}
		if silent := searcher.Silence(prompt, q) != ""; silent != (want == nil) {
			t.Errorf("%q: silent %t", prompt, silent)
		}
	}
}
