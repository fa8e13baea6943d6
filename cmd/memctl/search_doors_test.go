package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memctl/schemas"
)

// searched are memories beside those of the sample store, by the name of their file.
var searched = map[string]string{
	"decisions/refund-window.json":       "Refunds are booked within 14 days of the return",
	"decisions/refund-queue.json":        "Refunds go through a queue; superseded by refund-ledger",
	"decisions/refund-ledger.json":       "Bookkeeping of returned money is a ledger of its own",
	"decisions/settlement-night.json":    "정산 배치는 매일 새벽 두 시에 시작한다",
	"decisions/settlement-retry.json":    "정산 재시도는 세 번까지 한다",
	"decisions/address-validation.json":  "주소 검증은 주문 단계에서 한다",
	"constraints/sms-quota.json":         "SMS gateway: 20,000 messages a day",
	"constraints/label-printer.json":     "Label printers speak ZPL only",
	"constraints/customs-forms.json":     "Customs forms are sent before the parcel leaves the depot",
	"constraints/webview-cookies.json":   "The WebView of depot tablets drops third-party cookies",
	"preferences/branch-names.json":      "Branches are named after their ticket",
	"preferences/korean-commits.json":    "커밋 메시지는 한국어로 쓴다",
	"preferences/table-tests.json":       "Tests are tables with subtests named for outcomes",
	"preferences/feature-flags.json":     "Feature flags are removed two weeks after a launch",
	"runbooks/label-jam.json":            "Labels come out blank after a printer was changed",
	"runbooks/settlement-stuck.json":     "정산 배치가 멈췄을 때",
	"runbooks/tablet-offline.json":       "A depot tablet stays offline after an update",
	"runbooks/kubernetes-eviction.json":  "Kubernetes evicts the tracker for its memory",
	"tech-debt/import-script.json":       "The importer of addresses reads whole files into memory",
	"tech-debt/duplicate-validator.json": "Postal codes are validated in three places",
	"tech-debt/settings-page.json":       "memctl.yaml and settings.toml say the same thing",
	"sessions/label-migration.json":      "Moved the label service to the new printers",
	"sessions/pickup-points.json":        "Pickup points get their own table",
}

// ofUser are memories of the user.
var ofUser = map[string]string{
	"preferences/short-answers.json":   "Answers about Kafka and webhooks stay short",
	"preferences/printer-names.json":   "Printers and tablets have names of rivers",
	"decisions/timestamps-in-utc.json": "Timestamps everywhere are UTC", // the project's stands in its place
}

// questions are what every door is asked.
var questions = []string{
	"kafka", "settlement", "idempotency key of webhooks", "how do we rotate the jwt signing keys?",
	"why does the migration fail with a lock timeout", "refunds queue", "printer labels blank", "정산 배치",
	"정산 배치가 멈췄어요, 어떻게 하나요?", "주소 검증", "커밋 메시지는 어떻게 쓰나요?", "kafka 컨슈머 지연 lag",
	"kafak consumer lag", "webhoks retry policy", "postgers connection pool limits", `"dead-letter table" replay`,
	`what do we mean by "code freeze"?`, "which depot tablets are offline", "kaf", "restore the dashboard with a pg_dum",
	"the eviction storm of redi", "migrati", "주소 검", "logging logrus", "carrier quota rate-limit", "kafka-consumer-lag",
	"webhook-idempotency-keys", "read internal/notifier/retry/policy.go and its retry queue",
	"where is memctl.yaml read, and settings.toml", "customs forms and timestamps in Kestrel events", "zzzzzz",
	"refunds and the bookkeeping of kubernetes memory",
}

// finds are memories that some questions find, with both strategies: by beginnings of words, and Korean ones.
var finds = map[string]string{
	"kaf": "runbooks/kafka-consumer-lag", "migrati": "runbooks/migration-lock-timeout",
	"정산 배치": "runbooks/settlement-stuck", "주소 검": "decisions/address-validation",
}

// TestSearchesAgree asks the same of every way to search. There is one search and one order; the page and the
// MCP server give all of it. The prompt hook gives the beginning that is relevant enough, and explain divides
// the list into what the hook gives and what it leaves out: both parts are in the order of the search.
func TestSearchesAgree(t *testing.T) {
	t.Setenv("MEMCTL_USER_ROOT", filepath.Join(t.TempDir(), "user"))
	for name, title := range ofUser {
		putSearched(t, filepath.Join(os.Getenv("MEMCTL_USER_ROOT"), name), title)
	}
	for _, strategy := range schemas.Strategies {
		t.Run(strategy, func(t *testing.T) {
			t.Parallel()
			p := parcelProject(t)
			p.check(os.WriteFile(p.path("memory-config.json"), fmt.Appendf(nil, `{"retrieval":{"match_strategy":%q}}`, strategy), 0o644))
			for name, title := range searched {
				putSearched(t, p.path(name), title)
			}
			d, ui, session := door{p}, openUI(p), connect(t, p.dir)
			given, asked := 0, 0
			for i, q := range questions {
				want, some := finds[q]
				if i%soak(3, 1) != 0 && !some {
					continue
				}
				asked++
				all := d.found(q)
				if some && !slices.Contains(all, want) {
					t.Errorf("%q finds %q without %s", q, all, want)
				}
				var rows struct {
					Rows []struct {
						ID       string
						Category schemas.Category
					}
				}
				session.call("search", map[string]any{"query": q, "limit": 50}, &rows)
				var ofTool []string
				for _, row := range rows.Rows {
					info, _ := row.Category.Info()
					ofTool = append(ofTool, info.Folder+"/"+row.ID[strings.LastIndexByte(row.ID, ':')+1:])
				}
				if !slices.Equal(ofTool, all[:min(len(all), 50)]) {
					t.Errorf("%q: the tool search gives\n%q, want\n%q", q, ofTool, all)
				}
				if ofPage := ui.found(url.Values{"q": {q}}); !slices.Equal(ofPage, all) {
					t.Errorf("%q: the page gives\n%q, want\n%q", q, ofPage, all)
				}
				narrowed := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return !strings.Contains(id, "runbooks/") })
				if ofPage := ui.found(url.Values{"q": {q}, "category": {"runbook"}}); !slices.Equal(ofPage, narrowed) {
					t.Errorf("%q: the page narrowed to runbooks gives\n%q, want\n%q", q, ofPage, narrowed)
				}
				ofHook := d.given(q)
				given += len(ofHook)
				injected, leftOut := d.explained(q)
				for name, part := range map[string][]string{"the hook": ofHook, "explain, injected": injected, "explain, left out": leftOut} {
					if !inOrder(part, all) {
						t.Errorf("%q: %s gives\n%q, not in the order of\n%q", q, name, part, all)
					}
				}
			}
			if given < asked/2 {
				t.Errorf("the hook gives %d memories for %d questions", given, asked)
			}
		})
	}
}

// putSearched writes a memory of the category that its folder says.
func putSearched(t *testing.T, file, title string) {
	t.Helper()
	folder := filepath.Base(filepath.Dir(file))
	category, _ := schemas.CategoryOfFolder(folder)
	content := map[schemas.Category]string{
		schemas.Decision:       `{"status":"accepted","context":"It came up.","decision":%q,"rationale":["It was measured."]}`,
		schemas.Constraint:     `{"kind":"technical","rule":%q,"impact":["It stops work."],"severity":"medium","active":true}`,
		schemas.Preference:     `{"topic":%[1]q,"value":%[1]q,"reason":"People like it.","strength":"default"}`,
		schemas.Runbook:        `{"trigger":%q,"steps":["Look at the log."],"verification":"It works again."}`,
		schemas.TechDebt:       `{"status":"open","priority":"low","description":%q,"reason_deferred":"Time."}`,
		schemas.SessionSummary: `{"goal":%q,"outcome":"success","completed":["All of it."],"next_actions":["None."]}`,
	}[category]
	data := fmt.Sprintf(`{"schema_version":"1.0","category":%q,"id":%q,"title":%q,"record_status":"active",
		"created_at":"2025-01-02T03:04:05Z","updated_at":"2025-01-02T03:04:05Z","tags":["noted"],"content":%s}`,
		category, strings.TrimSuffix(filepath.Base(file), ".json"), title, fmt.Sprintf(content, title))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// inOrder reports whether a list is another one with some left out.
func inOrder(part, all []string) bool {
	for _, id := range all {
		if len(part) > 0 && part[0] == id {
			part = part[1:]
		}
	}
	return len(part) == 0
}

var (
	fileOfMemory = regexp.MustCompile(`([a-z-]+/[a-z0-9-]+)\.json`)
	lineOfPrompt = regexp.MustCompile(`(?m)^- \[.* -> \S*?([a-z-]+/[a-z0-9-]+)\.json`)
	// titleOfPrompt matches a line of a list of titles, headOfMemory what show prints above a memory.
	titleOfPrompt = regexp.MustCompile(`(?m)^- [a-z_]+ (\S+): `)
	headOfMemory  = regexp.MustCompile(`(?m)^\[[A-Z_]+\] .*\n\S*?([a-z-]+/[a-z0-9-]+)\.json$`)
	rowOfPage     = regexp.MustCompile(`<h2><a href="[^"]*?([a-z-]+/[a-z0-9-]+)"`)
)

// firsts returns the first group of each match.
func firsts(pattern *regexp.Regexp, s string) (list []string) {
	for _, match := range pattern.FindAllStringSubmatch(s, -1) {
		list = append(list, match[1])
	}
	return list
}

// found returns the memories of a search, as FOLDER/ID.
func (d door) found(words string) (list []string) {
	out, messages, ok := d.run(nil, "search", "--json", "--limit", "1000", "--", words)
	var found []struct{ Path string }
	if err := json.Unmarshal([]byte(out), &found); err != nil || !ok {
		d.t.Fatalf("search %q: %v: %s", words, err, messages)
	}
	for _, m := range found {
		list = append(list, firsts(fileOfMemory, m.Path)...)
	}
	return list
}

// given returns the memories that a prompt gets, as FOLDER/ID.
func (d door) given(prompt string) []string {
	context := d.hook(prompt)
	ids := firsts(titleOfPrompt, context)
	if len(ids) == 0 {
		return firsts(lineOfPrompt, context)
	}
	out, messages, ok := d.run(nil, append([]string{"show"}, ids...)...)
	list := firsts(headOfMemory, out)
	if !ok || len(list) != len(ids) {
		d.t.Errorf("show %q: %d memories: %s", ids, len(list), messages)
	}
	return list
}

// explained leaves out the memories that a search does not give: those that are not active, and those in whose
// place another one stands.
func (d door) explained(prompt string) (injected, leftOut []string) {
	out, messages, ok := d.run(nil, "explain", "--json", "--left-out", "100", "--", prompt)
	type memory struct {
		Path, Status string
		LeftOut      string `json:"left_out"`
	}
	var e struct {
		Injected []memory
		LeftOut  []memory `json:"left_out"`
	}
	if err := json.Unmarshal([]byte(out), &e); err != nil || !ok {
		d.t.Fatalf("explain %q: %v: %s", prompt, err, messages)
	}
	for _, m := range e.Injected {
		injected = append(injected, firsts(fileOfMemory, m.Path)...)
	}
	for _, m := range e.LeftOut {
		if m.Status == "active" && !strings.Contains(m.LeftOut, "stands in its place") {
			leftOut = append(leftOut, firsts(fileOfMemory, m.Path)...)
		}
	}
	return injected, leftOut
}

// found returns the memories of all pages of a search.
func (b visitor) found(values url.Values) (list []string) {
	for page := 1; ; page++ {
		values.Set("page", fmt.Sprint(page))
		code, _, body := b.fetch(http.MethodGet, b.base+"/memories?"+values.Encode(), nil)
		if code != http.StatusOK {
			b.t.Fatalf("%v: status %d", values, code)
		}
		list = append(list, firsts(rowOfPage, body)...)
		if !strings.Contains(body, `rel="next"`) {
			return list
		}
	}
}
