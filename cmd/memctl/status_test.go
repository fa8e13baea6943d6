package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The records of a folder say of each other which one stands. A line says the status of
// each that is given, and none is given above, or beside, the one that took its place.
func TestStatusOfDecisionsSpeaks(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.check(os.WriteFile(p.path("memory-config.json"), []byte(`{"retrieval": {"match_strategy": "hybrid", "start_tokens": 5000}}`), 0o644))
	record := func(number int, title, status, decision string) {
		p.writeFile(fmt.Sprintf("docs/adr/%04d-record.md", number), fmt.Sprintf(
			"# %d. %s\n\nDate: 2023-01-%02d\n\n## Status\n\n%s\n\n## Context\n\nWe need %s.\n\n## Decision\n\n%s\n", number, title, number%28+1, status, title, decision))
	}
	topics := strings.Fields("orders carts invoices refunds vouchers parcels couriers tariffs ledgers payouts")
	n := 0
	for _, topic := range topics { // for each a chain of three, and two that never held
		for i, r := range []struct{ title, status, decision string }{
			{"Keep %s in MySQL", "Superseded by [%d. Keep %s in Oracle](%04d-record.md)", "Say %s-first."},
			{"Keep %s in Oracle", "Superseded by [%d. Keep %s in PostgreSQL](%04d-record.md)", "Say %s-second."},
			{"Keep %s in PostgreSQL", "Accepted", "Say %s-last."},
			{"Keep %s in MongoDB", "Rejected", "Say %s-rejected."},
			{"Keep %s in Redis", "Proposed", "Say %s-proposed."},
		} {
			n++
			if i < 2 {
				r.status = fmt.Sprintf(r.status, n+1, topic, n+1)
			}
			record(n, fmt.Sprintf(r.title, topic), r.status, fmt.Sprintf(r.decision, topic))
		}
	}
	memctl(t, p.dir, "", "import", "adr", "docs/adr", "--yes")
	context := func(hook, event string) string {
		out, _ := memctl(t, p.dir, event, "hook", hook)
		a, err := decodeHookAnswer(out)
		p.check(err)
		return a.Specific.Context
	}
	look := func(where, text, topic string) {
		t.Helper()
		for _, said := range []string{"first", "second"} {
			if strings.Contains(text, topic+"-"+said) {
				t.Errorf("%s gives what was superseded: %s", where, text)
			}
		}
		if !strings.Contains(text, " Say "+topic+"-last.") {
			t.Errorf("%s does not give what stands: %s", where, text)
		}
		for status, said := range map[string]string{"deprecated": "rejected", "proposed": "proposed"} {
			if !regexp.MustCompile(`\(` + status + `\)( Keep \w+ in \w+\.)? Say ` + topic + "-" + said + `\.`).MatchString(text) {
				t.Errorf("%s does not say that it is %s: %s", where, said, text)
			}
		}
	}
	given := 0
	start := context("session-start", `{"session_id": "start", "source": "startup"}`)
	for _, topic := range topics {
		look("a start", start, topic)
		for _, base := range []string{"MySQL", "Oracle", "PostgreSQL"} {
			prompt := fmt.Sprintf(`{"session_id": "%[1]s-%[2]s", "prompt": "do we keep %[1]s in %[2]s?"}`, topic, base)
			got := context("user-prompt-submit", prompt)
			if got != "" {
				given++
				if !strings.Contains(got, ": Keep "+topic+" in PostgreSQL\n") {
					t.Errorf("a prompt does not give what stands: %s", got)
				}
			}
			list := got + context("user-prompt-submit", prompt)
			if regexp.MustCompile(topic + ` in (MySQL|Oracle)`).MatchString(list) {
				t.Errorf("a prompt gives what was superseded: %s", list)
			}
			if regexp.MustCompile(topic + ` in (MongoDB|Redis)\n`).MatchString(list) {
				t.Errorf("a prompt does not say what never held: %s", list)
			}
		}
		out, _ := memctl(t, p.dir, "", "search", "--limit", "20", "keep "+topic+" in MySQL or Oracle")
		last, second := strings.Index(out, "Say "+topic+"-last."), strings.Index(out, "Say "+topic+"-second.")
		first := strings.Index(out, "Say "+topic+"-first.")
		if last < 0 || second < last || first < last || !strings.Contains(out, ", superseded by keep-"+topic+"-in-oracle) Say "+topic+"-first.") {
			t.Errorf("search: %s", out)
		}
	}
	if given < 25 {
		t.Errorf("%d of 30 prompts got a memory", given)
	}

	// Before a tool, where two records are about one file.
	p.rewrite("decisions/keep-orders-in-mysql.json", func(doc map[string]any) { doc["related_files"] = []string{"db/orders.sql"} })
	p.rewrite("decisions/keep-orders-in-oracle.json", func(doc map[string]any) { doc["related_files"] = []string{"db/orders.sql"} })
	memctl(t, p.dir, "", "reindex")
	got := context("pre-tool-use", fmt.Sprintf(`{"session_id": "t", "tool_name": "Edit", "tool_input": {"file_path": %q}}`, p.dir+"/db/orders.sql"))
	if strings.Contains(got, "orders-first") || !strings.Contains(got, "superseded") || !strings.Contains(got, "Say orders-second.") {
		t.Errorf("a tool: %s", got)
	}
}
