package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memctl/features/sessions"
	"memctl/retrieve"
)

// said writes a transcript of Claude Code with a turn for each pair.
func (h home) said(project, session string, pairs []meantPair) {
	h.t.Helper()
	var lines strings.Builder
	for i, p := range pairs {
		for _, side := range [][2]string{{"user", p.title}, {"assistant", p.text}} {
			line, err := json.Marshal(map[string]any{"type": side[0], "sessionId": session, "cwd": filepath.Join(h.dir, project),
				"timestamp": fmt.Sprintf("2026-03-01T10:%02d:00Z", i), "message": map[string]string{"content": side[1]}})
			if err != nil {
				h.t.Fatal(err)
			}
			lines.WriteString(string(line) + "\n")
		}
	}
	h.write(".claude/projects/"+project+"/"+session+".jsonl", lines.String())
}

// recalled searches the past sessions and returns session/turn of those found.
func (h home) recalled(project string, args ...string) (found []string) {
	h.t.Helper()
	var list []sessions.Match
	if err := json.Unmarshal([]byte(h.run(project, "", append([]string{"search", "--sessions", "--json"}, args...)...)), &list); err != nil {
		h.t.Fatal(err)
	}
	for _, f := range list {
		found = append(found, fmt.Sprintf("%s/%d", f.Session.ID, f.Turn))
	}
	return found
}

// sessionVectors counts the vectors of past sessions.
func (h home) sessionVectors() (n int) {
	h.t.Helper()
	d, err := sql.Open("sqlite", filepath.Join(h.dir, "state", "memctl", "sessions.db"))
	if err != nil {
		h.t.Fatal(err)
	}
	defer d.Close()
	if err := d.QueryRow(`SELECT count(*) FROM vectors`).Scan(&n); err != nil {
		h.t.Fatal(err)
	}
	return n
}

// What was said in past sessions is found by its meaning, in this project alone. Nothing private is sent, and
// of a session that is forgotten no vector stays.
func TestMeaningFindsPastSessions(t *testing.T) {
	t.Parallel()
	s := &sentTexts{model: testModel(t)}
	server := httptest.NewServer(s)
	defer server.Close()
	h := newMeantUser(t, server.URL)
	pairs := meantPairs(t)
	h.run("shop", "", "init")
	h.said("shop", "first", []meantPair{pairs[0], pairs[40]})
	h.said("shop", "second", append(slices.Clone(pairs[1:20]), meantPair{title: "Rotate them", text: privateNote}))
	h.said("other", "third", append(slices.Clone(pairs[20:40]), pairs[0]))
	h.run("other", "", "sessions") // the third session is in the database too
	if got := h.recalled("shop", meantPrompt); len(got) == 0 || got[0] != "first/1" || slices.Contains(got, "third/21") {
		t.Errorf("with the model: %q", got)
	}
	if out := h.run("shop", "", "explain", "--sessions", meantPrompt); !strings.Contains(out, "near in meaning (cosine 0.") {
		t.Errorf("explain says %s", out)
	}
	for _, p := range pairs[20:40] {
		if got := h.recalled("shop", p.question); slices.Contains(got, "third/1") {
			t.Errorf("%q finds a session of another project: %q", p.question, got)
		}
	}
	own := 0
	for i, p := range pairs[1:20] {
		if slices.Contains(h.recalled("shop", p.question), fmt.Sprintf("second/%d", i+1)) {
			own++
		}
	}
	if own < 15 {
		t.Errorf("%d of 19 questions find the session by the turn that answers them", own)
	}
	sent := strings.Join(s.texts, "\n")
	if !strings.Contains(sent, "Keys rotate") || strings.Contains(sent, "10.0.0.7") || strings.Contains(sent, "ghp_") {
		t.Errorf("sent %s", sent)
	}
	answers := h.run("shop", hello+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"`+
		meantPrompt+`","scope":"sessions"}}}`+"\n", "mcp")
	if !strings.Contains(answers, "session/first/1") {
		t.Errorf("the MCP server answers %s", answers)
	}
	before := h.sessionVectors()
	h.run("shop", "", "sessions", "forget", "first")
	if after := h.sessionVectors(); before < 40 || after != before-1 {
		t.Errorf("%d vectors, after a session was forgotten %d", before, after)
	}
	server.Close()
	if got := h.recalled("shop", meantPrompt); slices.Contains(got, "first/1") {
		t.Errorf("without the server: %q", got)
	}
	if out := h.run("shop", "", "explain", "--sessions", "salted argon2"); !strings.Contains(out, "by words alone: ") ||
		!strings.Contains(out, "second turn 1") {
		t.Errorf("without the server explain says %s", out)
	}
}

// A search of all projects finds by meaning too, and each text is filtered by the settings of its own project.
func TestMeaningFindsMemoriesOfAllProjects(t *testing.T) {
	t.Parallel()
	s := &sentTexts{model: testModel(t)}
	server := httptest.NewServer(s)
	defer server.Close()
	h := newMeantUser(t, "")
	pairs := meantPairs(t)
	pairs[12].text = "It belongs to codename-9"
	for project, own := range map[string][]meantPair{"shop": pairs[:10], "till": pairs[10:20]} {
		h.save(project, own)
		h.run(project, "", "roots", "add")
	}
	h.write("till/.claude/memory/memory-config.json", `{"privacy": {"excludePatterns": ["codename-\\d+"]}}`)
	search := func(folder, question string) (ids []string) {
		var list []retrieve.IndexEntry
		if err := json.Unmarshal([]byte(h.run(folder, "", "search", "--all", "--json", question)), &list); err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			ids = append(ids, filepath.Base(e.Project)+"/"+e.ID)
		}
		return ids
	}
	if got := search("till", meantPrompt); len(got) > 0 {
		t.Errorf("by words: %q", got)
	}
	h.meant("endpoint", server.URL)
	h.run("till", "", "roots", "rebuild")
	for _, folder := range []string{"shop", "till", "elsewhere"} {
		if got := search(folder, meantPrompt); len(got) == 0 || got[0] != "shop/pair-00" {
			t.Errorf("in %s: %q", folder, got)
		}
	}
	if sent := strings.Join(s.texts, "\n"); strings.Contains(sent, "codename-9") || !strings.Contains(sent, "It belongs to") {
		t.Errorf("sent %s", sent)
	}
	h.save("till", []meantPair{{id: "late", title: "Throttling policy for API calls", text: pairs[0].text}})
	if got := search("shop", meantPrompt); !slices.Contains(got, "till/late") {
		t.Errorf("a memory that was saved since is not found: %q", got)
	}
}

// The MCP server, smart and batched searches and candidate go by meaning as a search does.
func TestMeaningAtEveryDoor(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(testModel(t))
	defer server.Close()
	h := newMeantUser(t, server.URL)
	pairs := meantPairs(t)[:20]
	for i := range 150 { // whose signs fill the first page
		pairs = append(pairs, meantPair{id: fmt.Sprintf("filler-%03d", i), title: fmt.Sprintf("Colour %d of the logo", i), text: "Hex."})
	}
	h.save("project", pairs)
	h.run("project", "", "reindex")
	call := func(tool, arguments string) string {
		return h.run("project", hello+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+"}}\n", "mcp")
	}
	doors := map[string]func() string{
		"search of the MCP server": func() string { return call("search", `{"query":"`+meantPrompt+`"}`) },
		"search --smart":           func() string { return h.run("project", "", "search", "--smart", meantPrompt) },
		"search --batch":           func() string { return h.run("project", meantPrompt+"\n", "search", "--batch", "-") },
		"candidate": func() string {
			return h.run("project", "", "candidate", "--category", "preference", "--new-info", meantPrompt)
		},
	}
	for name, ask := range doors {
		if out := ask(); !strings.Contains(out, "pair-00") {
			t.Errorf("%s answers %s", name, out)
		}
	}
	h.meant("endpoint", "")
	for name, ask := range doors {
		if out := ask(); strings.Contains(out, "pair-00") {
			t.Errorf("by words %s answers %s", name, out)
		}
	}
}
