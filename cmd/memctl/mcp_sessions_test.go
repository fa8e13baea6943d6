package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An agent finds and reads the past sessions of its project by MCP, and those of no other.
func TestMCPFindsPastSessions(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.create("shop", "tabs")
	h.create("till", "spaces")
	folder := filepath.Join(h.dir, ".claude", "projects", "p")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for session, project := range map[string]string{"own": "shop", "other": "till"} {
		lines := strings.NewReplacer("SESSION", session, "PROJECT", filepath.ToSlash(filepath.Join(h.dir, project))).Replace(
			`{"type":"user","sessionId":"SESSION","cwd":"PROJECT","timestamp":"2026-03-01T10:00:00Z","message":{"content":"Why kafka in SESSION?"}}
{"type":"assistant","message":{"content":[{"type":"text","text":"We keep it because events are replayed."}]}}
{"type":"user","timestamp":"2026-03-01T10:01:00Z","message":{"content":"Thank you."}}
`)
		if err := os.WriteFile(filepath.Join(folder, session+".jsonl"), []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := mcpServer(h.dir + "/shop")
	server.Env = h.env
	s := openSession(t, newMCPClient(nil), server, "")
	var found struct {
		Rows []struct {
			ID, Type, Client, Summary, Prompt string
			Tokens                            int
		}
	}
	s.call("search", map[string]any{"query": "kafka", "scope": "sessions"}, &found)
	if len(found.Rows) != 1 || found.Rows[0].ID != "session/own/1" || found.Rows[0].Type != "session" || found.Rows[0].Tokens == 0 {
		t.Fatalf("found %+v", found)
	}
	var read struct {
		Details []struct {
			ID, Session, Folder, Transcript string
			Passages                        []struct{ Prompt, Answer string }
		}
	}
	s.call("get", map[string]any{"ids": []string{"session/own/1"}}, &read)
	if len(read.Details) != 1 || len(read.Details[0].Passages) != 2 || read.Details[0].Folder+read.Details[0].Transcript != "" ||
		read.Details[0].Passages[0].Answer != "We keep it because events are replayed." {
		t.Errorf("read %+v", read)
	}
	for _, id := range []string{"session/other/1", "session/own/9", "session/own", "session//1"} {
		if result := s.try("get", map[string]any{"ids": []string{id}}); !result.IsError || strings.Contains(said(result), "other?") {
			t.Errorf("%s: %s", id, said(result))
		}
	}
}
