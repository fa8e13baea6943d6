package main

import (
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memctl/text"
)

// saves are what agents save, in different forms, and the words that the next session must know of each.
var saves = []struct {
	form  string
	input toolInput
	rule  string
}{
	{"a title and a text", toolInput{"title": "Retries of webhooks",
		"text": "A failed webhook is sent again five times with growing pauses, because receivers restart during deploys."},
		"sent again five times with growing pauses"},
	{"a text alone", toolInput{"text": "Invoices are rounded per line, not per total, since the tax office checks each line."},
		"rounded per line, not per total"},
	{"two sentences", toolInput{"text": "The staging database is restored from production every Sunday night. Keep nothing there that has to last."},
		"Keep nothing there that has to last"},
	{"the rule in the second sentence", toolInput{
		"text": "The importer once left half a file when the disk was full. Always write a temporary file and rename it."},
		"Always write a temporary file and rename it"},
	{"three sentences", toolInput{
		"text": "Search results were wrong after the June release. The analyzer had changed without a reindex. Bump INDEX_VERSION whenever analyzers change."},
		"Bump INDEX_VERSION whenever analyzers change"},
	{"Korean", toolInput{"text": "결제 금액은 정수 원 단위로 저장한다. 반올림 때문에 정산이 두 번 틀렸다."}, "정수 원 단위로 저장한다"},
	{"German", toolInput{"text": "Zeitstempel liegen in UTC in der Tabelle. Umgerechnet wird erst in der Oberfläche, nie in der Abfrage."},
		"nie in der Abfrage"},
	{"code in backquotes", toolInput{"text": "Wrap errors with `fmt.Errorf` and `%w`; `errors.Cause` is gone from this repository."},
		"Wrap errors with `fmt.Errorf` and `%w`"},
	{"a command", toolInput{"text": "Run `make generate && git diff --exit-code` before each push: CI rejects stale mocks."},
		"make generate && git diff --exit-code"},
	{"a path", toolInput{"text": "The client in internal/api/gen is generated. Edit api/openapi.yaml and regenerate it."},
		"Edit api/openapi.yaml"},
	{"a long sentence", toolInput{"text": "When a parcel is split into several shipments in the warehouse the customer's tracking page keeps " +
		"showing the number of the first one, so the label service copies that number to all the others."},
		"copies that number to all the others"},
	{"a topic as the title", toolInput{"title": "Feature flags",
		"text": "Workers read them once, at their start, so every change of a flag ships with a restart of the workers."},
		"every change of a flag ships with a restart"},
	{"the rule as the title", toolInput{"title": "Never call the customs service from a request handler",
		"text": "It takes up to 8 s and took the shop down in March."},
		"Never call the customs service from a request handler"},
	{"a runbook", toolInput{"category": "runbook", "text": "If the label queue hangs, restart labeld and requeue with bin/requeue --since 1h."},
		"restart labeld and requeue with bin/requeue --since 1h"},
	{"a constraint", toolInput{"category": "constraint", "text": "The carrier's list of depots has no pages; one answer has at most 500 rows."},
		"at most 500 rows"},
	{"a preference", toolInput{"category": "preference", "title": "Pull requests",
		"text": "The user wants one change in each pull request, with a screenshot where a page changes. Reviews had become too long."},
		"one change in each pull request"},
	{"tech debt", toolInput{"category": "tech_debt",
		"text": "The address parser is copied in three services. Fix a bug in all of them until they are merged."},
		"Fix a bug in all of them"},
	{"files and tags", toolInput{"tags": []string{"auth", "sessions"}, "files": []string{"internal/auth/token.go"},
		"text": "Refresh tokens rotate at every use, and the old one stays valid for 30 s because phones retry."},
		"stays valid for 30 s"},
	{"a whole decision", toolInput{"memory": toolInput{"category": "decision", "title": "Queue for exports", "tags": []string{"exports"},
		"content": toolInput{"status": "accepted", "context": "Exports block the web process.", "decision": "Exports run in a PostgreSQL queue.",
			"rationale":    []string{"No new service to operate."},
			"alternatives": []toolInput{{"option": "RabbitMQ", "rejected_reason": "nobody is on call for it"}}}}},
		"Exports run in a PostgreSQL queue. Rejected: RabbitMQ (nobody is on call for it)"},
	{"a whole constraint", toolInput{"memory": palletLabel}, "No pallet leaves without one"},
}

// What an agent saves says its rule at the start of the next session, and nothing of it twice.
func TestSavesReachTheNextStart(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	session := connect(t, p.dir)
	for _, save := range saves {
		var out mcpSaved
		session.call("save", save.input, &out)
		found, err := filepath.Glob(p.path("*", out.ID+".json"))
		p.check(err)
		if len(found) != 1 {
			t.Fatalf("%s is in the files %q", save.form, found)
		}
		var stored struct{ Content any }
		data, err := os.ReadFile(found[0])
		p.check(err)
		p.check(json.Unmarshal(data, &stored))
		content := strings.Join(stringsIn(stored.Content), "\n")
		for _, sentence := range sentencesOf(save.input) {
			if strings.Count(content, sentence) > 1 {
				t.Errorf("%s: the file has %q twice: %s", save.form, sentence, content)
			}
		}
	}
	checkSaves(t, hookContext(t, p.dir, sessionStart, "session-start"))
}

// The same by the real client: one session saves, and the next one's first request has the rules.
func TestSavesInTheClient(t *testing.T) {
	c := newClientIn(newProject(t), findClient(t), "default")
	c.install()
	replies := []reply{{tool: "ToolSearch", input: toolInput{"query": "select:" + saveTool}}}
	for _, save := range saves {
		replies = append(replies, reply{tool: saveTool, input: save.input})
	}
	asked := c.ask(newModel(t, append(replies, reply{text: "It is saved."})...), "save what we know")
	if len(asked) < len(replies)+1 {
		t.Fatalf("the model was asked %d times: %s", len(asked), c.said)
	}
	for i, save := range saves {
		if result, failed := asked[i+2].lastResult(); failed || !strings.Contains(result, `"status":"created"`) {
			t.Errorf("%s: the agent could not save: %q", save.form, result)
		}
	}
	asked = c.ask(newModel(t, reply{text: "Hello."}), "hello")
	if len(asked) != 1 {
		t.Fatalf("the model was asked %d times: %s", len(asked), c.said)
	}
	checkSaves(t, asked[0].find("<memory-context"))
}

// checkSaves looks for the rule of each save in what the start of a session gives, and for a sentence that is
// there twice.
func checkSaves(t *testing.T, given string) {
	t.Helper()
	given, _, _ = strings.Cut(html.UnescapeString(given), "</memory-context>")
	for _, save := range saves {
		if !strings.Contains(given, save.rule) {
			t.Errorf("%s: the next session does not get %q", save.form, save.rule)
		}
		for _, sentence := range sentencesOf(save.input) {
			if strings.Count(given, sentence) > 1 {
				t.Errorf("%s: the next session gets %q twice", save.form, sentence)
			}
		}
	}
}

// sentencesOf returns the sentences of a save that have more than one word, without the signs at their ends.
func sentencesOf(input toolInput) (list []string) {
	for _, said := range stringsIn(input) {
		for _, sentence := range text.Sentences(said) {
			if strings.Contains(sentence, " ") {
				list = append(list, strings.TrimRight(sentence, ".。"))
			}
		}
	}
	return list
}
