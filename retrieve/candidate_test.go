package retrieve_test

import (
	"strings"
	"testing"

	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

func TestJudge(t *testing.T) {
	create, noop, resolved := "CREATE", "NOOP", "resolved"
	result := &retrieve.Result{Score: 7}
	tests := map[string]struct {
		category  schemas.Category
		event     string
		candidate *retrieve.Result
		want      retrieve.Judgement
	}{
		"nothing known is created": {schemas.Runbook, "", nil, retrieve.Judgement{
			DeleteAllowed: true, PreAction: &create, StructuralCUD: create, Vetoes: []string{}, Hints: []string{}}},
		"the end of nothing known is nothing": {schemas.Runbook, resolved, nil, retrieve.Judgement{
			LifecycleEvent: &resolved, DeleteAllowed: true, PreAction: &noop, StructuralCUD: noop, Vetoes: []string{},
			Hints: []string{"lifecycle_event=resolved with no matching candidate; NOOP"}}},
		"a runbook may be deleted": {schemas.Runbook, "", result, retrieve.Judgement{
			DeleteAllowed: true, StructuralCUD: "UPDATE_OR_DELETE", Vetoes: []string{},
			Hints: []string{"1 candidate found (score=7)"}}},
		"and is, when it has ended": {schemas.Runbook, resolved, result, retrieve.Judgement{
			LifecycleEvent: &resolved, DeleteAllowed: true, StructuralCUD: "UPDATE_OR_DELETE", Vetoes: []string{},
			Hints: []string{"1 candidate found (score=7)", "lifecycle_event=resolved suggests DELETE if eligible"}}},
		"a decision may not": {schemas.Decision, "", result, retrieve.Judgement{
			StructuralCUD: "UPDATE", Vetoes: []string{"Cannot DELETE decision (triage-initiated)"},
			Hints: []string{"1 candidate found (score=7)"}}},
		"not even when it has ended": {schemas.Decision, resolved, result, retrieve.Judgement{
			LifecycleEvent: &resolved, StructuralCUD: "UPDATE", Vetoes: []string{"Cannot DELETE decision (triage-initiated)"},
			Hints: []string{"1 candidate found (score=7)", "lifecycle_event=resolved present but DELETE disallowed for decision; consider UPDATE"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, retrieve.Judge(tt.category, tt.event, tt.candidate)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The candidate is the best by text alone, while the first result of a hook may owe its
// place to recency or to its title. In smallIndex every prompt has ties.
func TestCandidateIsBestByTextThenPath(t *testing.T) {
	d := smallIndex(t)
	tied := false
	for _, prompt := range prompts {
		for _, info := range schemas.Categories {
			all := rank(t, d, prompt, nil, 100)
			best := bestByText(all, info.Category)
			results, err := retrieve.Rank(t.Context(), d, retrieve.NewCandidateQuery(info.Category, prompt))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(results) > 0 && results[0].Score >= 3 {
				got = results[0].Path
			}
			if got != best {
				t.Errorf("%q in %s: %q, want %q", prompt, info.Category, got, best)
			}
			first := ""
			for _, r := range all {
				if r.Category == info.Category {
					first = r.Path
					break
				}
			}
			tied = tied || best != "" && best != first
		}
	}
	if !tied {
		t.Error("the hook's order would do as well: this test could not fail")
	}
}

// A memory that shares one word with new information, however rare, is not about the
// same thing.
func TestHybridCandidateSharesMoreThanOneWord(t *testing.T) {
	tests := map[string]struct{ info, want string }{
		"one word":               {"Heron cache", ""},
		"one word of a sentence": {"Heron keeps a cache of rendered pages for an hour", ""},
		"two words":              {"Redis evicts the coldest keys first", "redis-eviction-policy"},
		"Korean":                 {"webhook 재시도를 12회에서 10회로 줄였다", "webhook-retry-policy"},
		"all that it is about":   {"what about idempotency?", "webhook-idempotency-keys"},
		"no words":               {"!", ""},
	}
	withParcel(t, func(source retrieve.Source) {
		for name, tt := range tests {
			t.Run(name, func(t *testing.T) {
				searcher := retrieve.Searcher{Config: settings(schemas.Hybrid)}
				result, err := retrieve.Sources{source}.Candidate(t.Context(), searcher, schemas.Decision, tt.info)
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				if result != nil {
					got = result.ID
				}
				if got != tt.want {
					t.Errorf("%q: %q, want %q", tt.info, got, tt.want)
				}
			})
		}
	})
}

// bestByText returns "" if no memory of the category has a text score of 3.
func bestByText(results []retrieve.Result, category schemas.Category) string {
	path, score := "", 3
	for _, r := range results {
		if r.Category == category && (r.Text > score || r.Text == score && (path == "" || r.Path < path)) {
			path, score = r.Path, r.Text
		}
	}
	return path
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("가", 201)
	tests := map[string]struct {
		file     string
		category schemas.Category
		want     retrieve.Excerpt
	}{
		"an empty object": {`{}`, schemas.Decision, retrieve.Excerpt{
			RecordStatus: "active", Tags: []string{}, LastChangeSummary: "Initial creation", KeyFields: map[string]string{}}},
		"content of another type": {`{"content": ["context"]}`, schemas.Decision, retrieve.Excerpt{
			RecordStatus: "active", Tags: []string{}, LastChangeSummary: "Initial creation", KeyFields: map[string]string{}}},
		"the last change, tags as written": {`{"title": "제목", "tags": ["Z", "a"], "changes": [{"summary": "one"}, {"summary": "둘"}]}`, schemas.Runbook, retrieve.Excerpt{
			Title: "제목", RecordStatus: "active", Tags: []string{"Z", "a"}, LastChangeSummary: "둘", KeyFields: map[string]string{}}},
		"a list is joined, null left out": {`{"content": {"rule": null, "impact": ["a", "b", 1, {"c": true}]}}`, schemas.Constraint, retrieve.Excerpt{
			RecordStatus: "active", Tags: []string{}, LastChangeSummary: "Initial creation", KeyFields: map[string]string{"impact": `a; b; 1; {"c":true}`}}},
		"cut at 200 code points": {`{"content": {"goal": "` + long + `", "outcome": ["` + long + `"]}}`, schemas.SessionSummary, retrieve.Excerpt{
			RecordStatus: "active", Tags: []string{}, LastChangeSummary: "Initial creation",
			KeyFields: map[string]string{"goal": long[:600], "outcome": long[:600]}}},
		"an unknown category has no key fields": {`{"content": {"goal": "g"}}`, "idea", retrieve.Excerpt{
			RecordStatus: "active", Tags: []string{}, LastChangeSummary: "Initial creation", KeyFields: map[string]string{}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m, err := schemas.Decode([]byte(tt.file))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, retrieve.NewExcerpt(m, tt.category)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
