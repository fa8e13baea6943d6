package main

import (
	"strings"
	"testing"

	"memctl/retrieve"
)

func TestMCPSearchOfAllNeedsLeave(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.create("shop", "tabs")
	h.create("till", "spaces")
	server := mcpServer(h.dir + "/shop")
	server.Env = h.env
	s := openSession(t, newMCPClient(nil), server, "")
	all := map[string]any{"query": "title of spaces", "scope": "all"}

	result := s.try("search", all)
	if !result.IsError || !strings.Contains(said(result), "sources.agent_all is false in the user's configuration") {
		t.Errorf("without leave: %s", said(result))
	}
	h.run("shop", "", "config", "set", "sources.agent_all", "true")
	if result := s.try("search", all); !result.IsError {
		t.Errorf("with leave of the project alone: %s", said(result))
	}
	if result := s.try("search", map[string]any{"query": "x", "scope": "mine"}); !strings.Contains(said(result), `expected all, hub, sessions or none, got "mine"`) {
		t.Errorf("an unknown scope: %s", said(result))
	}

	h.run("", "", "init")
	h.run("", "", "config", "set", "sources.agent_all", "true")
	var found struct {
		Rows []struct {
			Project string
			retrieve.Row
		}
	}
	s.call("search", all, &found)
	if len(found.Rows) == 0 || found.Rows[0].Project != "till" || found.Rows[0].ID != "spaces" {
		t.Errorf("found %+v", found.Rows)
	}

	// A memory that the server saves is there too.
	var saved struct{ Status string }
	s.call("save", map[string]any{"memory": map[string]any{
		"category": "preference", "title": "Zebra crossing", "tags": []string{"x"},
		"content": map[string]any{"topic": "x", "value": "v", "reason": "r", "strength": "soft"},
	}}, &saved)
	h.run("shop", "", "reindex") // the server does not keep the index open
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if out := h.run("", "", "search", "--all", "zebra"); saved.Status != "created" || !strings.Contains(out, "Zebra crossing") {
		t.Errorf("%s; search --all: %s", saved.Status, out)
	}
}
