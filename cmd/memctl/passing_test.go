package main

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// passing is testdata/passing/rules.json: rules that a user lays down in passing, how an agent saves them, and what a
// later session does that needs them; and what an agent saves in the month after.
type passing struct {
	Rules []struct {
		Save            toolInput
		Text            string // a shorter form of the same, as agents save without further fields
		Prompt          string
		Edits, Commands []string
		Key             string // the beginning of the text
	}
	Month []toolInput
}

func readPassing(t *testing.T) (p passing) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/passing/rules.json")
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Of ten rules, nine reach the session that needs them, the next day and after a month of further saves, in stores that do
// not fit into a session's start too.
func TestRulesSaidInPassingArrive(t *testing.T) {
	sizes := []int{300}
	if os.Getenv("MEMCTL_SOAK") != "" {
		sizes = append(sizes, 40, 600)
	}
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%d memories", size), func(t *testing.T) {
			t.Parallel()
			p, said := ordinaryProject(t, size), readPassing(t)
			session := connect(t, p.dir)
			for _, rule := range said.Rules {
				session.call("save", rule.Save, &mcpSaved{})
			}
			arrives := func(when string) {
				missing := p.missingRules(said)
				if len(missing) > 1 {
					t.Errorf("%s, %d rules do not arrive: %q", when, len(missing), missing)
				}
			}
			arrives("the next day")
			p.backdate(30 * 24 * time.Hour)
			for _, save := range said.Month {
				session.call("save", save, &mcpSaved{})
			}
			arrives("after a month")
		})
	}
}

// A text alone stands too.
func TestTextsOfRulesArrive(t *testing.T) {
	t.Parallel()
	p, said := ordinaryProject(t, 40), readPassing(t)
	for i, rule := range said.Rules {
		p.memctl("add", rule.Text)
		said.Rules[i].Key = rule.Text[:strings.LastIndex(rule.Text[:30], " ")]
	}
	if missing := p.missingRules(said); len(missing) > 1 {
		t.Errorf("%d rules do not arrive: %q", len(missing), missing)
	}
}

// ordinaryProject is a project with memories of two months ago, a tenth of which stand.
func ordinaryProject(t *testing.T, size int) project {
	t.Helper()
	p := newProject(t)
	parts := []string{"ingest", "billing", "search", "mail", "reports", "exports", "sessions", "quotas", "webhooks", "archive"}
	things := []string{"queue", "cache", "retry", "schema", "log", "index", "lock", "batch", "stream", "schedule", "token", "limit"}
	written := time.Now().AddDate(0, -2, 0).UTC().Format(time.RFC3339)
	for i := range size {
		title := fmt.Sprintf("The %s of %s keeps %d entries", things[i%len(things)], parts[i/len(things)%len(parts)], i+3)
		category, folder, content := "decision", "decisions", map[string]any{
			"status": "accepted", "context": "", "decision": title + ".", "rationale": []string{"Fewer made it slow in March."}}
		if i%10 == 0 {
			category, folder, content = "constraint", "constraints", map[string]any{
				"kind": "policy", "rule": title + ".", "impact": []string{"More made it slow in May."}, "severity": "high", "active": true}
		}
		id := fmt.Sprintf("ordinary-%03d", i)
		data, err := json.Marshal(map[string]any{"schema_version": "1.0", "category": category, "id": id, "title": title, "record_status": "active",
			"created_at": written, "updated_at": written, "tags": []string{parts[i/len(things)%len(parts)]}, "content": content, "times_updated": 0})
		p.check(err)
		p.check(os.MkdirAll(p.path(folder), 0o755))
		p.check(os.WriteFile(p.path(folder, id+".json"), data, 0o644))
	}
	p.memctl("config", "set", "retrieval.match_strategy", "hybrid")
	p.memctl("reindex")
	return p
}

func (p project) memctl(args ...string) {
	p.t.Helper()
	memctl(p.t, p.dir, "", args...)
}

// missingRules plays the session that needs each rule, and returns the keys of those that it is not given.
func (p project) missingRules(said passing) (missing []string) {
	for i, rule := range said.Rules {
		send := func(hook string, event map[string]any) string {
			event["session_id"], event["prompt_id"] = fmt.Sprintf("needs-%d", i), "p"
			data, err := json.Marshal(event)
			p.check(err)
			out, _ := memctl(p.t, p.dir, string(data), "hook", hook)
			if out == "" {
				return ""
			}
			return html.UnescapeString(readHookAnswer(p.t, out).Specific.Context)
		}
		given := send("session-start", map[string]any{"source": "startup"})
		if strings.Contains(given, rule.Key) {
			continue
		}
		given += send("user-prompt-submit", map[string]any{"prompt": rule.Prompt})
		for _, file := range rule.Edits {
			given += send("pre-tool-use", map[string]any{"tool_name": "Edit", "tool_input": toolInput{"file_path": file, "new_string": "x"}})
		}
		for _, command := range rule.Commands {
			given += send("pre-tool-use", map[string]any{"tool_name": "Bash", "tool_input": toolInput{"command": command}})
		}
		if !strings.Contains(given, rule.Key) {
			missing = append(missing, rule.Key)
		}
	}
	return missing
}

var stamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// backdate moves all times in the memories back.
func (p project) backdate(by time.Duration) {
	p.t.Helper()
	files, err := filepath.Glob(p.path("*", "*.json"))
	p.check(err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		p.check(err)
		aged := stamp.ReplaceAllStringFunc(string(data), func(at string) string {
			then, err := time.Parse(time.RFC3339, at)
			p.check(err)
			return then.Add(-by).Format(time.RFC3339)
		})
		p.check(os.WriteFile(file, []byte(aged), 0o644))
	}
}
