package main

import (
	"os"
	"testing"
)

// Whatever the ranking, save offers a memory on the same subject, and none that shares one word
// with the draft.
func TestSaveOffersWhatSharesTheSubject(t *testing.T) {
	t.Parallel()
	decision := func(title string, tags ...string) map[string]any {
		return map[string]any{"memory": map[string]any{
			"category": "decision",
			"title":    title,
			"tags":     tags,
			"content": map[string]any{"status": "accepted", "context": "Pages are slow.", "decision": "As the title says.",
				"rationale": []string{"It was measured."}},
		}}
	}
	heron := decision("Heron cache", "heron")
	eviction := decision("Redis eviction is volatile-lru", "redis")
	for _, strategy := range []string{"hybrid", "title_tags"} {
		t.Run(strategy, func(t *testing.T) {
			p := parcelProject(t)
			config := `{"retrieval": {"match_strategy": "` + strategy + `"}}`
			p.check(os.WriteFile(p.path("memory-config.json"), []byte(config), 0o600))
			session := connect(t, p.dir)
			var out mcpSaved
			session.call("save", eviction, &out)
			if out.Status != "candidate" || out.Candidate == nil {
				t.Errorf("a known subject was answered %+v", out)
			}
			out = mcpSaved{}
			session.call("save", heron, &out)
			if out.Status != "created" {
				t.Errorf("a new subject was answered %+v", out)
			}
		})
	}
}
