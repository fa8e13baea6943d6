package main

import (
	"strings"
	"testing"
)

// Where a person takes the changes of agents, save proposes them and says that nothing is saved.
func TestSaveProposesWhereAPersonTakes(t *testing.T) {
	p := parcelProject(t)
	memctl(t, p.dir, "", "config", "set", "capture.review", "true")
	session := connect(t, p.dir)
	type proposed struct {
		Status   string
		Proposal int
		Notices  []string
	}
	for i, arguments := range []map[string]any{
		{"text": "Ospreys are counted in May. The law says so.", "category": "decision"},
		{"id": "redis-eviction-policy", "text": "Redis eviction is volatile-ttl. It was measured."},
		{"memory": map[string]any{"category": "preference", "title": "Tabs", "tags": []string{"style"},
			"content": map[string]any{"topic": "indentation", "value": "tabs", "reason": "blind readers", "strength": "strong"}}},
	} {
		var out proposed
		session.call("save", arguments, &out)
		if said := strings.Join(out.Notices, "\n"); out.Status != "proposed" || out.Proposal != i+1 || !strings.Contains(said, "NOT saved yet") {
			t.Errorf("%v is answered %+v", arguments, out)
		}
	}
	if rows := session.search(map[string]any{"query": "ospreys"}); len(rows) != 0 {
		t.Errorf("a search finds %v", rows)
	}
	again := session.try("save", map[string]any{"text": "Ospreys are counted in May. The law says so.", "category": "decision"})
	if !again.IsError || !strings.Contains(said(again), "proposal 1 already says this") {
		t.Errorf("the same again is answered %s", said(again))
	}
	list, _ := memctl(t, p.dir, "", "proposals")
	if !strings.Contains(list, "change") || strings.Count(list, "test") < 3 { // the client's name
		t.Errorf("the list is\n%s", list)
	}
}
