package main

import (
	"fmt"
	"strings"
	"testing"
)

// Tools mark what others wrote and the person has not seen, and no one asks about it in a tool.
func TestToolsMarkWhatThePersonHasNotSeen(t *testing.T) {
	t.Parallel()
	p := parcelProject(t)
	p.git("init", "--quiet")
	p.git("add", "-A")
	p.git("-c", "user.name=Ann Lee", "-c", "user.email=ann@acme.example", "commit", "--quiet", "-m", "hers")
	memctl(t, p.dir, fmt.Sprintf(`{"session_id": "s", "cwd": %q, "source": "startup"}`, p.dir), "hook", "session-start")
	session := connect(t, p.dir)
	type marked struct {
		ID    string
		Type  string
		Event string
		NewBy string `json:"new_by"`
	}
	var found struct{ Rows []marked }
	session.call("search", map[string]any{"query": "idempotency webhooks"}, &found)
	var got struct{ Details []marked }
	session.call("get", map[string]any{"ids": []string{"webhook-idem"}}, &got)
	var lines struct{ Timelines []struct{ Events []marked } }
	session.call("timeline", map[string]any{"ids": []string{"webhook-idem"}, "window": 2}, &lines)
	for _, list := range [][]marked{found.Rows, got.Details, lines.Timelines[0].Events} {
		if len(list) == 0 {
			t.Error("nothing was found")
		}
		for _, m := range list {
			if !strings.HasPrefix(m.NewBy, "Ann Lee") && (m.Event == "" || m.NewBy == "") { // a timeline has retired ones too
				t.Errorf("%+v is not marked", m)
			}
		}
	}

	// What the agent saves here is not of others.
	saved := map[string]any{"text": "decision: The ledger has two schemas, because audits read one of them alone"}
	if result := session.try("save", saved); result.IsError {
		t.Fatal(said(result))
	}
	var own struct{ Rows []marked }
	session.call("search", map[string]any{"query": "ledger schemas audits"}, &own)
	if len(own.Rows) == 0 || own.Rows[0].NewBy != "" {
		t.Errorf("the agent's own memory is marked: %+v", own.Rows)
	}
}
