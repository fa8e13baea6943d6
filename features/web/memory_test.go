package web_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memctl/files"
	"memctl/observe"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	rulePage   = "/memories/constraints/no-npm-install"
	ruleFile   = "constraints/no-npm-install.json"
	ruleMemory = `{"schema_version":"1.0","category":"constraint","id":"no-npm-install","title":"Packages come from pnpm","record_status":"active","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-11-20T00:00:00Z","tags":["packages"],"content":{"kind":"policy","rule":"Do not run ` + "`npm install`" + `: the lockfile is that of pnpm.","impact":["CI refuses a package-lock.json","See webhook-idempotency-keys"],"severity":"high","active":true},"changes":[{"date":"2026-11-20T00:00:00Z","summary":"Say which lockfile","field":"content.rule","old_value":"Do not run npm: the lockfile is pnpm's.","new_value":"Do not run npm install: the lockfile is that of pnpm."}]}`
)

// giveRule records that sessions were given the rule, one of which broke it.
func giveRule(t *testing.T, root files.Root) {
	t.Helper()
	var lines strings.Builder
	for i, line := range []struct{ session, moment, use string }{
		{"11111111-0000-4000-8000-000000000001", observe.AtTool, ""},
		{"11111111-0000-4000-8000-000000000001", "", observe.Stopped},
		{"11111111-0000-4000-8000-000000000002", observe.AtTool, ""},
		{"11111111-0000-4000-8000-000000000002", "", observe.Broken},
		{"4b0c6a1e-52f7-4f0e-9a41-0d7c1b8e2f10", observe.AtPrompt, ""},
		{"4b0c6a1e-52f7-4f0e-9a41-0d7c1b8e2f10", observe.AtTool, ""},
		{"4b0c6a1e-52f7-4f0e-9a41-0d7c1b8e2f10", "", observe.Opened},
	} {
		fmt.Fprintf(&lines,
			`{"time":"2026-11-2%dT10:00:00Z","session":%q,"root":%q,"moment":%q,"use":%q,"memories":[%q]}`+"\n",
			i, line.session, root.Key(), line.moment, line.use, ruleFile)
	}
	folder := filepath.Join(os.Getenv("XDG_STATE_HOME"), "memctl")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(folder, "injections.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(lines.String()); err != nil {
		t.Fatal(err)
	}
}

// memory edits a memory where it is read, and retires it, by keys alone.
func (w *walk) memory(t *testing.T) {
	tb := w.tab(t)
	w.write(t, ruleFile, ruleMemory)
	giveRule(t, w.root)
	tb.open(rulePage)
	tb.do(chromedp.WaitVisible(css(".lead")))
	tb.shot("memory-rule")
	tb.language("ko")
	tb.open(rulePage)
	tb.scheme("dark")
	tb.width(360)
	tb.shot("memory-rule-360")
	tb.audit("a rule in Korean")
	if bottom := js[float64](tb,
		`document.querySelector(".tools button").getBoundingClientRect().bottom`); bottom > 800 {
		t.Errorf("Retire ends at pixel %.0f", bottom)
	}
	tb.fresh()
	tb.open(rulePage)
	tb.do(chromedp.KeyEvent("e"), chromedp.WaitVisible(css(".memory.editing #f-title:focus")))
	tb.shot("edit-in-place")
	tb.audit("editing in place")
	const rule = "#f-content-rule"
	tb.do(focus(rule), chromedp.KeyEvent("Here: "), chromedp.Reload(),
		chromedp.WaitVisible(css(".editing "+rule)))
	if text := js[string](tb, fmt.Sprintf("document.querySelector(%q).value", rule)); !strings.HasPrefix(text,
		"Here: ") {
		t.Errorf("after loading the page again the rule is %q", text)
	}
	tb.do(chromedp.Click(css(".memory-form a.quiet")), chromedp.WaitVisible(css("#edit:focus")),
		chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible(css(".editing #f-title:focus")), focus(rule))
	tb.follow(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	tb.do(chromedp.WaitVisible(`//p[contains(., "The change is saved.")]`), chromedp.WaitVisible(css(".diff ins")))
	if lead := js[string](tb, `document.querySelector(".lead").textContent`); !strings.HasPrefix(lead, "Here: ") {
		t.Errorf("the rule is %q", lead)
	}
	tb.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("given").scrollIntoView()`))
	tb.shot("memory-changed")
	tb.audit("a changed memory")
	tb.do(chromedp.KeyEvent("r"), chromedp.WaitVisible(css("#reason:focus")),
		fill("#reason", "")) // the protocol types the key too, which a browser with a keyboard does not
	// a refresh leaves the focus there
	w.write(t, ruleFile, strings.Replace(w.read(t, ruleFile), "CI refuses", "The CI refuses", 1))
	tb.do(chromedp.WaitVisible(`//li[contains(., "The CI refuses")]`), chromedp.WaitVisible(css("#reason:focus")),
		chromedp.KeyEvent("npm is back"))
	tb.shot("memory-reason")
	tb.audit("a reason")
	tb.follow(chromedp.KeyEvent(kb.Enter))
	tb.do(chromedp.WaitVisible(`//p[contains(., "The memory is retired.")]`),
		chromedp.WaitVisible(`//p[contains(., "npm is back")]`))
	tb.follow(chromedp.KeyEvent("u"))
	if stored := w.read(t, ruleFile); strings.Contains(stored, "npm is back") {
		t.Errorf("not undone:\n%s", stored)
	}
}

// A memory's page shows its rule, what became of it, and what names it.
func TestMemoryPage(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	s.write(ruleFile, ruleMemory)
	s.says(rulePage, `<p class="prose lead">Do not run`, "!<h2>Rule</h2>", "No recorded prompt received it.")
	giveRule(t, s.root)
	s.says(rulePage, "Given 4 times in 3 sessions · opened once · stopped a call in 1 session · kept in 1 session · "+
		"broken in 1 session",
		`/sessions/4b0c6a1e-52f7-4f0e-9a41-0d7c1b8e2f10"`, "/sessions/11111111", "<dd>policy</dd>", "<del>npm: </del>",
		"pnpm&#39;s.")
	s.says("/memories/decisions/webhook-idempotency-keys", "Named by</h3>", ">Packages come from pnpm</a>")
	const newer = "decisions/keys-of-webhooks.json"
	s.write(newer, strings.NewReplacer("team-review", "keys-of-webhooks", `"d"`,
		`"It replaces webhook-idempotency-keys."`,
		"Every force push is reviewed", "Outgoing webhooks have keys").Replace(otherMemory))
	s.says("/memories/decisions/keys-of-webhooks", "Supersedes</h3>", "Idempotency key of outgoing webhooks")
	s.says("/memories/decisions/webhook-idempotency-keys", "Superseded by</h3>", ">Outgoing webhooks have keys</a>")
	s.write("decisions/keys-again.json", strings.NewReplacer("team-review", "keys-again", "Every force push is "+
		"reviewed",
		"Webhooks going out have other keys", "pushing", "keys").Replace(otherMemory))
	s.says("/memories/decisions/keys-again", "Similar title</h3>", ">Outgoing webhooks have keys</a>", "!Idempotency")
	page := s.get(s.base + jwt)
	if hash := s.field(page, "hash"); strings.Count(page, hash) != strings.Count(page, `name="hash" value="`+hash+`"`) {
		t.Error("the page shows a hash")
	}
}

// A commit shows what it changed, word by word.
func TestCommitsShowWhatTheyChanged(t *testing.T) {
	s := clone(t)
	s.write(jwtFile, strings.Replace(s.read(jwtFile), "live for 15 minutes", "live for 5 minutes", 1))
	s.says(jwt, "not committed", "1 field changed", "<del>15 </del><ins>5 </ins>")
	out, err := exec.Command("git", "-C", s.root.Project, "-c", "user.name=Ann Lee", "-c",
		"user.email=ann@acme.example", "commit",
		"--quiet", "-am", "Shorter").CombinedOutput()
	if err != nil {
		t.Fatalf("git commit: %v\n%s", err, out)
	}
	s.says(jwt, "!not committed", "Shorter", "1 field changed", "<del>15 </del><ins>5 </ins>")
}
