package web_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memctl/files"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

type css = chromedp.CSS

//go:embed testdata/audit.js
var audit string

// axe is the script of axe-core (https://github.com/dequelabs/axe-core), if MEMCTL_AXE names its file.
var axe = func() string {
	data, _ := os.ReadFile(os.Getenv("MEMCTL_AXE"))
	return string(data)
}()

// audit fails the test for what a person who sees little, or uses no mouse, would stumble
// over.
func (tb tab) audit(name string) {
	tb.Helper()
	for _, problem := range js[[]string](tb, audit) {
		tb.Errorf("%s: %s", name, problem)
	}
	tb.tree(name)
	if axe == "" {
		return
	}
	const violations = `axe.run().then((r) => JSON.stringify(r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html).join(" | "))))`
	js[bool](tb, axe+"; true")
	if list := js[string](tb, violations, chromedp.EvalAwaitPromise); list != "[]" {
		tb.Errorf("%s: axe: %s", name, list)
	}
}

// TestInTheBrowser walks through the pages in Chromium.
func TestInTheBrowser(t *testing.T) {
	tb := startBrowser(t)
	root := parcel(t)
	giveMemories(t, root, "decisions/jwt-key-rotation.json")
	makeFiles(t, root, "internal/auth/issuer.go", "internal/auth/jwks.go") // and one that is gone
	tb.visit(serve(t, root, time.Hour).first)
	w := walk{shared: tb, root: root}
	t.Run("looks", w.looks)
	t.Run("focus", w.focus)
	t.Run("search", w.search)
	t.Run("enter", w.enter)
	t.Run("keys", w.keys)
	t.Run("palette", w.palette)
	t.Run("settings", w.settings)
	t.Run("edit", w.edit)
	t.Run("conflict", w.conflict)
	t.Run("retire and restore", w.retire)
	t.Run("a change of status meets a change", w.retireConflict)
	t.Run("a memory by keys", w.memory)
	t.Run("new memory", w.create)
	t.Run("why", w.why)
	t.Run("sessions", w.sessions)
	t.Run("health", w.health)
	t.Run("refresh", w.refresh)
	t.Run("nothing typed is lost", w.losses)
	t.Run("several roots", w.roots)
	t.Run("waiting", w.waiting)
	t.Run("trust", w.trust)
	t.Run("Korean", w.korean)
	t.Run("today", w.today)
	t.Run("story", w.story)
	t.Run("conversation", w.conversation)
	t.Run("without scripts", w.plain)
	t.Run("hostile store", w.hostile)
}

// saveForm presses the button that saves the form of a memory.
var saveForm = chromedp.Click(css(".memory-form button:not([type])"))

// fill puts a text into a field.
func fill(selector, text string) chromedp.Action[chromedp.Void] {
	value, _ := json.Marshal(text) // cannot fail
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		const field = document.querySelector(%q);
		field.value = %s;
		field.dispatchEvent(new Event("input", {bubbles: true}));
	}`, selector, value))
}

// focus puts the focus on an element, wherever it is now: a page that refreshes itself has new ones.
func focus(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector(%q).focus()", selector))
}

// press presses a button by its words, wherever it is now: a page that refreshes itself has new ones.
func press(words string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`[...document.querySelectorAll("button")].find((b) => b.textContent === %q).click()`, words))
}

// giveMemories records that a prompt received a memory.
func giveMemories(t *testing.T, root files.Root, path string) {
	t.Helper()
	state := filepath.Join(os.Getenv("XDG_STATE_HOME"), "memctl")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf(`{"time":"2026-11-20T10:00:00Z","session":"4b0c6a1e-52f7-4f0e-9a41-0d7c1b8e2f10","root":%q,"memories":[%q]}`+"\n", root.Key(), path)
	if err := os.WriteFile(filepath.Join(state, "injections.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
}

// makeFiles makes empty files in the project.
func makeFiles(t *testing.T, root files.Root, files ...string) {
	t.Helper()
	for _, file := range files {
		path := filepath.Join(root.Project, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// walk is a walk through the pages in one tab: a new one takes the browser as long as ten
// pages.
type walk struct {
	shared tab
	root   files.Root
}

func (w *walk) tab(t *testing.T) tab {
	tb := w.shared
	tb.T = t
	return tb.fresh()
}

func (w *walk) search(t *testing.T) {
	tb := w.tab(t)
	tb.open("/memories")
	tb.do(
		chromedp.SendKeys(css("#q"), "kafka lag"),
		chromedp.WaitVisible(`//ul[@class="facet"]//a[contains(@href, "q=kafka+lag")]`),
		chromedp.WaitVisible(`//ol[@class="memories"]/li[1]//a[contains(., "Kafka consumer lag")]`),
	)
	if at := js[string](tb, "location.search"); at != "?q=kafka+lag" {
		t.Errorf("the address says %s", at)
	}
	if marks := js[string](tb, "[...document.querySelectorAll('.row:first-child h2 mark')].map((m) => "+
		"m.textContent).join()"); marks != "Kafka,lag" {
		t.Errorf("marked are %q", marks)
	}
	if counts := js[string](tb, "[...document.querySelectorAll('#facets ul:first-of-type .count')].reduce((sum, n) "+
		"=> sum + Number(n.textContent), 0) + ' found'"); !strings.HasPrefix(js[string](tb, "found.textContent"),
		counts) {
		t.Errorf("the filters count %s", counts)
	}
	tb.audit("a search")
	tb.do(chromedp.SendKeys(css("#q"), kb.Escape), chromedp.WaitVisible(`//a[contains(., "JWT signing keys")]`))
	if left := js[string](tb, "location.search + document.getElementById('q').value"); left != "" {
		t.Errorf("Esc leaves %q", left)
	}
	tb.do(fill("#q", "kafak la"), chromedp.WaitVisible(`//*[@id="found"][contains(., '"kafka"')]`))
	tb.do(fill("#q", "kafka lag"))
	// whether or not its results are there
	tb.do(chromedp.SendKeys(css("#q"), kb.Enter), chromedp.WaitVisible(css(".memory h1")))
	if at := js[string](tb, "location.pathname"); !strings.HasSuffix(at, "/memories/runbooks/kafka-consumer-lag") {
		t.Errorf("opened %s", at)
	}
	tb.open("/memories")
	tb.follow(chromedp.Click(`//ul[@class="facet"]//a[contains(., "Runbook")]`))
	if n := js[int](tb, "document.querySelectorAll('.row').length"); n != 7 {
		t.Errorf("%d runbooks, want 7", n)
	}
}

// enter presses enter once and several times, while results are on their way and while typing goes on. Each query is
// asked for once, and the first result is opened.
func (w *walk) enter(t *testing.T) {
	tb := w.tab(t)
	const typing = `const box = document.getElementById("q");
		const type = (text) => { box.value = text; box.dispatchEvent(new Event("input", {bubbles: true})); };
		const enter = () => box.form.requestSubmit();
		const pause = (ms) => new Promise((done) => setTimeout(done, ms));
		box.focus();`
	for name, test := range map[string]struct {
		script string
		most   int // requests
		opens  bool
	}{
		"enter twice": {`type("kafka lag"); enter(); enter();`, 1, true},
		"enter five times": {`type("kafka lag"); for (let i = 0; i < 5; i++) { enter(); await pause(5); }`,
			1, true},
		"enter during a request": {`type("kafka lag"); await pause(65); enter(); await pause(1); enter();`, 1,
			true},
		"enter, then another query":    {`type("jwt"); enter(); type("kafka lag"); enter(); enter();`, 2, true},
		"typing on after enter":        {`type("kafka"); enter(); type("kafka lag");`, 2, false},
		"fast typing":                  {`for (let i = 1; i < 10; i++) { type("kafka lag".slice(0, i)); await pause(10); }`, 1, false},
		"fast typing, then enter":      {`for (let i = 1; i < 10; i++) { type("kafka lag".slice(0, i)); await pause(10); } enter(); enter();`, 1, true},
		"enter where nothing is typed": {`enter(); enter();`, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			tb := tb
			tb.T = t
			tb.open("/memories")
			// A link that is clicked is remembered, not followed: the page stays, and its requests can be counted.
			js[bool](tb, `window.asked = [], window.opened = [], window.own = fetch, window.waiting = 0,
				window.fetch = async (at, ...rest) => {
					if (asked.push(at) > 50) return new Promise(() => {});
					waiting++;
					try { return await own(at, ...rest); } finally { waiting--; }
				},
				document.addEventListener("click", (event) => { if (event.target.matches(".row a")) { event.preventDefault(); opened.push(event.target.textContent); } }),
				true`)
			const quiet = `const frame = () => new Promise(requestAnimationFrame);
				while (asked.length <= 50 && !opened.length && (waiting || !document.getElementById("announced").textContent || !location.search.endsWith("lag"))) await frame();
				for (let i = 0; i < 10; i++) await frame();`
			js[bool](tb, `(async () => {`+typing+test.script+quiet+`return true; })()`, chromedp.EvalAwaitPromise)
			asked, opened := js[[]string](tb, "asked"), js[[]string](tb, "opened")
			if len(asked) > test.most {
				t.Errorf("%d requests, want at most %d: %.80q", len(asked), test.most, asked)
			}
			if test.opens != (len(opened) > 0) || test.most > 0 && slices.ContainsFunc(opened, func(title string) bool {
				return !strings.HasPrefix(title, "Kafka consumer lag")
			}) {
				t.Errorf("opened %q", opened)
			}
		})
	}
}

func (w *walk) keys(t *testing.T) {
	tb := w.tab(t)
	tb.open("/memories")
	tb.do(chromedp.KeyEvent("jjk"), chromedp.WaitVisible(css(".row.selected")))
	if n := js[int](tb, "[...document.querySelectorAll('.row')].indexOf(document.querySelector('.selected'))"); n != 0 {
		t.Errorf("row %d is selected, want 0", n)
	}
	// A refresh leaves it selected.
	const file = "preferences/commit-message-style.json"
	before := w.read(t, file)
	w.write(t, file, strings.Replace(before, `"title": "`, `"title": "Also: `, 1))
	tb.do(chromedp.WaitVisible(`//a[contains(., "Also: ")]`), chromedp.WaitVisible(css(".row.selected a:focus")))
	w.write(t, file, before)
	tb.do(chromedp.KeyEvent("/"))
	if id := js[string](tb, "document.activeElement.id"); id != "q" {
		t.Errorf("/ focuses %q", id)
	}
	tb.do(chromedp.KeyEvent(kb.Escape))
	tb.follow(chromedp.KeyEvent("e"))
	tb.do(chromedp.WaitVisible(css(".memory-form")))
}

// edit sends a title that is too long, corrects it, adds to a list and saves.
func (w *walk) edit(t *testing.T) {
	tb := w.tab(t)
	tb.open(jwt + "/edit")
	tb.do(fill("#f-title", ""), fill("#f-content-decision", ""))
	tb.follow(saveForm)
	tb.do(
		chromedp.WaitVisible(css("#f-content-decision-wrong")),
		chromedp.WaitVisible(css("#f-title-wrong")),
	)
	tb.shot("edit-refused")
	tb.audit("a refused edit")
	tb.do(
		fill("#f-title", "JWT signing keys rotate every 60 days with an overlap in the JWKS"),
		fill("#f-content-decision", "Keys live for 60 days. <private>the vault's PIN</private>"),
		chromedp.Click(`//fieldset[@id="f-content-rationale"]//button`),
		chromedp.KeyEvent("A third reason."),
	)
	tb.follow(saveForm)
	tb.do(chromedp.WaitVisible(css(".notice")))
	page := js[string](tb, "document.querySelector('main').innerText")
	for _, want := range []string{"The change is saved.", "60 days", "A third reason.", "PRIVATE", "A lock marks",
		"1 private section"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
	tb.shot("edit-saved")
	tb.audit("a memory with a lock")
	if stored := w.read(t, "decisions/jwt-key-rotation.json"); strings.Contains(stored, "PIN") {
		t.Error("private text reached the disk")
	}
}

// conflict saves a form after someone else has changed the file.
func (w *walk) conflict(t *testing.T) {
	tb := w.tab(t)
	tb.open(jwt + "/edit")
	theirs := strings.Replace(w.read(t, "decisions/jwt-key-rotation.json"), `"eddsa"`, `"ed25519"`, 1)
	w.write(t, "decisions/jwt-key-rotation.json", theirs)
	tb.do(fill("#f-content-context", "My context."))
	tb.follow(saveForm)
	tb.do(chromedp.WaitVisible(css(".conflict")))
	tb.shot("conflict")
	tb.audit("a conflict")
	page := js[string](tb, "document.querySelector('main').innerText")
	for _, want := range []string{"ed25519", "In the file now:", "The API and the dashboard share one issuer"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
	if w.read(t, "decisions/jwt-key-rotation.json") != theirs {
		t.Error("the file was overwritten")
	}
	tb.do(fill("#f-tags", "auth, ed25519, jwks, jwt, rotation"))
	tb.follow(saveForm)
	tb.do(chromedp.WaitVisible(css(".notice")))
	if stored := w.read(t, "decisions/jwt-key-rotation.json"); !strings.Contains(stored, "My context.") ||
		!strings.Contains(stored, "ed25519") {
		t.Errorf("not both sides were kept:\n%s", stored)
	}
}

func (w *walk) retire(t *testing.T) {
	tb := w.tab(t)
	tb.open("/memories/runbooks/kafka-consumer-lag")
	tb.do(chromedp.SendKeys(css("#reason"), "the writer is gone"))
	for _, step := range []struct{ button, notice string }{
		{"Retire", "The memory is retired."},
		{"Restore", "The memory is active again."},
		{"Archive", "The memory is archived."},
		{"Unarchive", "The memory is active again."},
	} {
		tb.follow(press(step.button))
		page := js[string](tb, "document.querySelector('main').innerText")
		if !strings.Contains(page, step.notice) || step.button == "Retire" &&
			!strings.Contains(page, "the writer is gone") {
			t.Errorf("after %s the page says:\n%s", step.button, page)
		}
	}
	var m struct {
		Status string `json:"record_status"`
	}
	if err := json.Unmarshal([]byte(w.read(t, "runbooks/kafka-consumer-lag.json")), &m); err != nil ||
		m.Status != "active" {
		t.Errorf("status %q, want active (%v)", m.Status, err)
	}
}

func (w *walk) retireConflict(t *testing.T) {
	tb := w.tab(t)
	tb.open("/memories/runbooks/kafka-consumer-lag")
	tb.do(fill("#reason", "old")) // no refresh
	changed := strings.Replace(w.read(t, "runbooks/kafka-consumer-lag.json"), "keeps growing", "grows and grows", 1)
	w.write(t, "runbooks/kafka-consumer-lag.json", changed)
	tb.follow(press("Retire"))
	tb.do(chromedp.WaitVisible(css(".conflict ins")))
	if w.read(t, "runbooks/kafka-consumer-lag.json") != changed {
		t.Error("the file was changed")
	}
	js[bool](tb, `document.getElementById("changed").hidden = true`)
	w.write(t, "runbooks/kafka-consumer-lag.json", changed+"\n")
	tb.do(chromedp.WaitVisible(css("#changed")), chromedp.WaitVisible(css(".conflict ins"))) // it stays
	tb.follow(chromedp.Click(css("#changed a")))
	tb.do(chromedp.WaitVisible(css(".memory h1")))
}

func (w *walk) create(t *testing.T) {
	tb := w.tab(t)
	tb.open("/new")
	tb.audit("the choice of a category")
	tb.do(fill("#text", "Deploys: never on a Friday afternoon"), focus("#text"))
	tb.follow(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	tb.do(chromedp.WaitVisible(`//h1[contains(., "never on a Friday")]`))
	tb.open("/new")
	tb.follow(chromedp.Click(`//a[text()="Preference"]`))
	tb.do(
		chromedp.SendKeys(css("#f-content-topic"), "Names of branches"),
		chromedp.SendKeys(css("#f-content-value"), "Lower case with hyphens"),
		chromedp.SendKeys(css("#f-content-reason"), "Some file systems fold case"),
		chromedp.SendKeys(css("#f-title"), "Branches are named in lower case"),
		chromedp.SendKeys(css("#f-tags"), "git, branches"),
	)
	tb.follow(saveForm)
	tb.do(chromedp.WaitVisible(`//p[contains(., "The memory is saved.")]`))
	w.read(t, "preferences/branches-are-named-in-lower-case.json")
}

// why moves the slider and looks at what that would change.
func (w *walk) why(t *testing.T) {
	w.write(t, files.ConfigName, strings.Replace(w.read(t, files.ConfigName), `"title_tags"`, `"hybrid"`, 1))
	tb := w.tab(t)
	tb.open("/why")
	tb.do(
		chromedp.SendKeys(css("#prompt"), "webhooks and retries"),
		chromedp.WaitVisible(css(".explained table")),
		chromedp.Evaluate[chromedp.Void](`{const s = document.getElementById("min_strength"); s.value = 0; s.dispatchEvent(new Event("input", {bubbles: true}))}`),
		chromedp.WaitVisible(css(".changes-of-slider ins")),
	)
	tb.audit("an explanation")
	tb.shot("why")
	tb.do(
		chromedp.Evaluate[chromedp.Void](`{const s = document.getElementById("min_strength"); s.value = 0.3; s.dispatchEvent(new Event("input", {bubbles: true}))}`),
		chromedp.WaitVisible(css(".changes-of-slider del")),
	)
}

// sessions drafts a runbook from what failed and then worked.
func (w *walk) sessions(t *testing.T) {
	tb := w.tab(t)
	tb.open("/sessions")
	tb.audit("the sessions")
	tb.shot("sessions")
	tb.follow(chromedp.Click(css(".memories .row a")))
	tb.do(chromedp.WaitVisible(css(".timeline .failed")))
	tb.audit("a session")
	tb.shot("session")
	tb.follow(chromedp.Click(`//a[text()="Draft a runbook"]`))
	if trigger := js[string](tb, `document.getElementById("f-content-trigger").value`); trigger != "Bash goose up "+
		"fails" {
		t.Errorf("the draft's trigger is %q", trigger)
	}
	tb.audit("a draft")
}

func (w *walk) health(t *testing.T) {
	tb := w.tab(t)
	tb.open("/health")
	tb.do(chromedp.WaitVisible(css("#checks .checks")))
	page := js[string](tb, "document.querySelector('main').innerText")
	for _, want := range []string{"Broken", "not registered", "half-written-merge", "Decision", "memory root"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
	tb.audit("the health")
	tb.shot("health")
}

// refresh changes a file while its page is open.
func (w *walk) refresh(t *testing.T) {
	tb := w.tab(t)
	path := "constraints/kafka-message-size.json"
	tb.open("/memories/constraints/kafka-message-size")
	title := regexp.MustCompile(`"title": ".*"`)
	w.write(t, path, title.ReplaceAllString(w.read(t, path), `"title": "Changed while it is shown"`))
	tb.do(chromedp.WaitVisible(`//h1[text()="Changed while it is shown"]`))
}

// losses types into forms while the page is loaded again, its files change, and the server ends
// and comes back.
func (w *walk) losses(t *testing.T) {
	const path, mine = "/memories/runbooks/migration-lock-timeout", "Typed by hand"
	stays := func(tb tab, where, field string) {
		t.Helper()
		if text := js[string](tb, fmt.Sprintf("document.querySelector(%q).value", field)); text != mine {
			t.Errorf("%s: the field says %q", where, text)
		}
	}
	tb := w.tab(t)
	tb.open(path + "/edit")
	tb.do(
		chromedp.Click(`//fieldset[@id="f-content-symptoms"]//button`), chromedp.KeyEvent(mine), fill("#f-title", mine),
		chromedp.Reload(), chromedp.WaitVisible(css("#draft")),
	)
	stays(tb, "reload", "#f-title")
	stays(tb, "reload", ".list .entry:last-of-type textarea")
	tb.audit("a draft")
	tb.do(chromedp.Click(css("#draft button")))
	stays(tb, "asked whether to discard", "#f-title")
	tb.follow(chromedp.Click(css("#draft button")))
	if text := js[string](tb, `document.querySelector("#f-title").value`); text == mine {
		t.Error("what was discarded is still there")
	}

	tb.open(path) // its forms are replaced when the page refreshes itself
	changed := strings.Replace(w.read(t, path[len("/memories/"):]+".json"), `"title": "`, `"title": "Refreshed `, 1)
	w.write(t, "runbooks/migration-lock-timeout.json", changed)
	tb.do(chromedp.WaitVisible(`//h1[starts-with(., "Refreshed")]`), fill("#reason", mine))
	w.write(t, "runbooks/migration-lock-timeout.json", changed+"\n")
	tb.do(chromedp.WaitVisible(css("#changed")))
	stays(tb, "refresh", "#reason")

	tb.open("/settings")
	tb.do(
		fill(`[name="v.retrieval.max_inject"]`, "6"), fill(`[name="v.retrieval.user_share"]`, "1"),
		fill("#q", "user_share"), chromedp.WaitNotPresent(`//div[@id="retrieval.max_inject"][not(@hidden)]`),
	)
	tb.follow(chromedp.Click(css(".save-bar button")))
	if stored := w.read(t, files.ConfigName); !strings.Contains(stored, `"max_inject": 6`) ||
		!strings.Contains(stored, `"user_share": 1`) {
		t.Errorf("not both settings are saved:\n%s", stored)
	}
	tb.shot("undo")
	tb.follow(press("Undo"))
	if stored := w.read(t, files.ConfigName); strings.Contains(stored, `"max_inject": 6`) {
		t.Errorf("not undone:\n%s", stored)
	}

	root := parcel(t) // of a server that ends, as by Ctrl-C
	s := serve(t, root, time.Hour)
	tb.visit(s.first)
	tb.open(path + "/edit")
	tb.do(fill("#f-title", mine))
	s.end()
	tb.do(chromedp.WaitVisible(css("#lost")), saveForm)
	stays(tb, "Ctrl-C", "#f-title")
	tb.audit("a server that has ended")
	tb.shot("lost")

	port, err := strconv.Atoi(s.origin[strings.LastIndexByte(s.origin, ':')+1:])
	if err != nil {
		t.Fatal(err)
	}
	s = serve(t, root, time.Hour, port)
	// as the program opens it
	call(tb, target.CreateTarget, target.CreateTargetParams{URL: s.first, Background: new(true)})
	tb.do(chromedp.WaitVisible(css("#again a")))
	tb.audit("a server that runs again")
	tb.follow(chromedp.Click(css("#again a")))
	tb.do(chromedp.WaitVisible(css("#draft")))
	stays(tb, "restart", "#f-title")
	tb.base = s.base
	tb.follow(saveForm)
	tb.do(chromedp.WaitVisible(css("main > .notice")))
	if stored := s.read("runbooks/typed-by-hand.json"); !strings.Contains(stored, mine) {
		t.Errorf("the file says:\n%s", stored)
	}
	tb.open("/memories?q=kafka")
	s.end()
	tb.do(fill("#q", "jwt"), chromedp.WaitVisible(css("#lost")), chromedp.WaitNotPresent(css(".row")))
}

// looks opens every page in both colour schemes and in 360 pixels; "make soak" opens it in
// each language, scheme and width.
func (w *walk) looks(t *testing.T) {
	pages := map[string]string{
		"today": "/today", "session": session, "new": "/new", "memories": "/memories", "memory": jwt, "form": jwt +
			"/edit", "why-page": "/why?prompt=how+do+we+rotate+jwt+keys", "sessions-page": "/sessions",
		"health-page": "/health", "settings": "/settings", "waiting": "/waiting", "charts": "/charts",
		"triage": "/triage", "trust-page": "/trust", "nothing": "/none", "checks": "/health/checks", "palette-page": "/palette?q=kafka",
	}
	tb := w.tab(t)
	tb.open("/today/needs")
	tb.do(chromedp.WaitVisible(css("#needs .row.selected")))
	tb.follow(chromedp.KeyEvent("s")) // that no client is set up here
	type look struct {
		scheme string
		width  int64
	}
	usual, all := []look{{"light", 1180}, {"dark", 360}}, os.Getenv("MEMCTL_SOAK") != ""
	for name, path := range pages {
		tb.width(1180)
		tb.open(path)
		for _, l := range usual {
			tb.scheme(l.scheme)
			tb.width(l.width)
			name := fmt.Sprintf("%s-%s-%d", name, l.scheme, l.width)
			tb.audit(name)
			tb.shot(name)
		}
		for _, lang := range []string{"en", "ko"} {
			if !all {
				break
			}
			tb.language(lang)
			tb.open(path)
			for _, width := range []int64{1440, 1024, 390} {
				tb.width(width)
				for _, scheme := range []string{"light", "dark"} {
					tb.scheme(scheme)
					tb.audit(fmt.Sprintf("%s-%s-%s-%d", name, lang, scheme, width))
				}
			}
			tb.language("en")
		}
	}
}

// session is the page of a session of the parcel store.
const session = "/sessions/4b0c6a1e-52f7-4f0e-9a41-0d7c1b8e2f10"

// focus walks through a page by the tab key.
func (w *walk) focus(t *testing.T) {
	tb := w.tab(t)
	tb.open("/memories")
	js[bool](tb, `window.before = document.body, true`)
	for i := range 20 {
		tb.do(chromedp.KeyEvent(kb.Tab))
		problem := js[string](tb, `(() => {
			const now = document.activeElement, last = window.before;
			window.before = now;
			if (last !== document.body && !(last.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING)) return "goes back to " + now.outerHTML;
			return getComputedStyle(now).outlineStyle === "none" ? "does not show the focus on " + now.outerHTML : "";
		})()`)
		if problem != "" {
			t.Errorf("tab %d %s", i+1, problem)
		}
	}
}

// today answers findings by keys, in at most three keystrokes each: six findings, or twenty in "make soak".
func (w *walk) today(t *testing.T) {
	answers := 6
	if os.Getenv("MEMCTL_SOAK") != "" {
		answers = 20
	}
	decision := `{"schema_version":"1.0","category":"decision","id":"ID","title":"ID is said once","record_status":"active","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","tags":["t"],"related_files":["gone/ID.go"],"content":{"status":"accepted","context":"c","decision":"d ID","rationale":["r"]}}`
	for i := range 22 {
		id := "finding-" + string(rune('a'+i))
		w.write(t, "decisions/"+id+".json", strings.ReplaceAll(decision, "ID", id))
	}
	tb := w.tab(t)
	tb.open("/today/needs?again=1")
	tb.open("/today")
	tb.do(chromedp.WaitVisible(css("#needs .row.selected")))
	keystrokes := 0
	stroke := func(key string) {
		t.Helper()
		keystrokes++
		tb.follow(chromedp.KeyEvent(key))
		tb.do(chromedp.WaitVisible(css("#needs .row.selected")))
	}
	const rest = "document.querySelector('#needs [role=status]').textContent"
	before := js[string](tb, rest)
	for range answers {
		key := js[string](tb,
			`["c", "r", "s"].find((key) => document.querySelector(".selected [data-key=" + key + "]"))`)
		stroke(key)
	}
	// A refresh leaves a row selected, also one without a link, and one that is answered in another tab.
	const selected = `document.querySelector(".row.selected")?.id ?? ""`
	js[bool](tb, `document.querySelectorAll(".row.selected a").forEach((a) => a.remove()), true`)
	at := js[string](tb, selected)
	const refresh = `import(document.querySelector("script[type=module]").src.replace("app.js", "load.js")).then((m) => m.load(location.href, "main"))`
	js[string](tb, refresh, chromedp.EvalAwaitPromise)
	if now := js[string](tb, selected); now != at {
		t.Errorf("a refresh moves the selection from %q to %q", at, now)
	}
	js[bool](tb, `document.querySelector(".row.selected").id = "need-answered-elsewhere", true`)
	js[string](tb, refresh, chromedp.EvalAwaitPromise)
	if now := js[string](tb, selected); !strings.HasPrefix(now, "need-") {
		t.Errorf("after a row is gone, %q is selected", now)
	}
	if after := js[string](tb, rest); before == after || keystrokes > 3*answers {
		t.Errorf("%d keystrokes: %q, then %q", keystrokes, before, after)
	}
	tb.audit("needs with a notice")
	tb.do(chromedp.KeyEvent("?"), chromedp.WaitVisible(css("#keys")))
	if n := js[int](tb, "document.querySelectorAll('#keys kbd').length"); n < 15 {
		t.Errorf("%d keys are listed", n)
	}
	tb.audit("the list of keys")
	tb.do(chromedp.KeyEvent(kb.Escape))
	tb.follow(chromedp.Click(`//a[text()="dark"]`))
	if theme := js[string](tb, "getComputedStyle(document.body).backgroundColor"); theme != "rgb(21, 23, 27)" {
		t.Errorf("the background of the dark theme is %s", theme)
	}
	tb.follow(chromedp.Click(`//a[contains(., "system's")]`))
	tb.follow(chromedp.Click(`//a[text()="한국어"]`))
	if lang := js[string](tb, "document.documentElement.lang"); lang != "ko" {
		t.Errorf("the language is %s", lang)
	}
	tb.follow(chromedp.Click(`//a[text()="English"]`))
}

// story reads what a day tells, opens what is folded, and goes back to another day.
func (w *walk) story(t *testing.T) {
	p := team(t)
	tb := w.tab(t)
	tb.visit(serve(t, p.root, time.Hour).first)
	tb.open("/today")
	tb.do(chromedp.WaitVisible(css("#needs [role=status] + a")))
	page := js[string](tb, "document.querySelector('main').innerText")
	for _, want := range []string{
		"3 rules reached the agent before it acted: one stopped npm install, one was broken, one was kept.",
		"Rotate the signing keys in staging", "Nobody pushes with force", "The agent corrected",
		"2 prompts received nothing new", "· 2 starts", "The agent was asked once", jana + " added 3 memories",
		"3 new memories by others",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "Broken") || !strings.Contains(page, "1 thing needs you") {
		t.Errorf("memories reach the agent, and Jana's are new; the page says otherwise:\n%s", page)
	}
	// Why a prompt got nothing, beside what its session had been given.
	tb.follow(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".story .why-link")].find((a) => a.href.includes("Is%20the%20old") || a.href.includes("Is+the+old")).click()`))
	if then := js[string](tb, `document.getElementById("then").innerText`); !strings.Contains(then, "Nothing was given then") {
		t.Errorf("of a past prompt it says %q", then)
	}
	if why := js[string](tb, `document.getElementById("explanation").innerText`); !strings.Contains(why, "already given at") {
		t.Errorf("it does not say what the session had:\n%s", why)
	}
	tb.open("/today")
	tb.do(chromedp.WaitVisible(css("#needs [role=status] + a")))
	const opened = "document.querySelectorAll('.story details[open]').length"
	tb.do(focus(".story details summary"), chromedp.KeyEvent(kb.Enter))
	js[string](tb,
		`import(document.querySelector("script[type=module]").src.replace("app.js", "load.js")).then((m) => m.load(location.href, "main"))`, chromedp.EvalAwaitPromise)
	if n := js[int](tb, opened); n != 1 {
		t.Errorf("%d lines are open after a refresh, want 1", n)
	}
	for _, v := range views() {
		tb.as(v)
		for name, at := range map[string]struct{ path, whole string }{
			"today":    {"/today", "#needs [role=status] + a"},
			"memories": {"/memories", ".row"},
			"memory":   {"/memories/decisions/jwt-rotation", "#around ol"},
			"trust":    {"/trust", "#private h3"},
		} {
			tb.open(at.path)
			tb.do(chromedp.WaitVisible(css(at.whole)))
			tb.audit(fmt.Sprint("story-", name, "-", v))
			picture := tb.shot(fmt.Sprint("story-", name, "-", v))
			if name == "today" && v == views()[0] && os.Getenv("MEMCTL_SCREENS") != "" {
				keepForReadme(t, "today.png", picture)
			}
		}
	}
	tb.fresh()
	tb.open("/today")
	tb.do(chromedp.Click(css("#told-week summary")))
	tb.follow(chromedp.Click(css("#told-week tr:nth-child(2) a")))
	if day := js[string](tb, "document.querySelector('#happened h1 time').dateTime"); day != p.now.AddDate(0, 0,
		-1).Format(time.DateOnly) {
		t.Errorf("leads to %s", day)
	}

	// All that needs a person, to zero by keys.
	tb.open("/today")
	tb.do(chromedp.WaitVisible(css("#needs .row.selected")))
	tb.follow(chromedp.KeyEvent("e"))
	for range titles {
		tb.do(chromedp.WaitVisible(css("#new .row.selected")))
		tb.follow(chromedp.KeyEvent("c"))
	}
	tb.open("/today")
	tb.do(chromedp.WaitVisible(`//*[@id="needs"]//*[@role="status"][text()="Nothing needs you."]`))
}

// roots chooses the user's memories and opens one.
func (w *walk) roots(t *testing.T) {
	withUserRoot(t)
	tb := w.tab(t)
	tb.open("/memories")
	tb.audit("a list of several roots")
	tb.shot("roots")
	tb.follow(chromedp.Evaluate[chromedp.Void](`{const s = document.getElementById("root"); s.value = "user"; s.dispatchEvent(new Event("change", {bubbles: true}))}`))
	tb.do(chromedp.SendKeys(css("#q"), "push"), chromedp.WaitVisible(`//p[contains(., "1 found")]`))
	tb.follow(chromedp.Click(`//a[contains(., "Never force push")]`))
	tb.do(chromedp.WaitVisible(css("#edit")))
	tb.open("/memories/other:decisions/team-review")
	tb.audit("a memory that is only read")
	tb.shot("read-only")
}

func (w *walk) korean(t *testing.T) {
	tb := w.tab(t)
	tb.language("ko-KR,ko;q=0.9,en;q=0.8")
	tb.open("/memories")
	if heading := js[string](tb,
		"document.documentElement.lang + document.querySelector('h1').innerText"); heading != "ko기억" {
		t.Errorf("heading %q", heading)
	}
	tb.audit("Korean")
	tb.shot("korean")
}

// plain reads and searches with scripts switched off.
func (w *walk) plain(t *testing.T) {
	tb := w.tab(t)
	scripts := func(disabled bool) {
		call(tb, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: disabled})
	}
	scripts(true)
	defer scripts(false)
	tb.open("/memories")
	tb.do(fill("#q", "redis eviction"))
	tb.follow(chromedp.Click(css(".apply")))
	tb.follow(chromedp.Click(`//a[contains(., "Redis eviction")]`))
	tb.do(chromedp.WaitVisible(css(".memory h1")))
}

func (w *walk) read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(w.root.Join(path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (w *walk) write(t *testing.T, path, data string) {
	t.Helper()
	if err := os.WriteFile(w.root.Join(path), []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// keepForReadme writes a picture of at most 256 colours, which is small.
func keepForReadme(t *testing.T, file string, picture []byte) {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[color.Color]int{}
	for y := range full.Bounds().Dy() {
		for x := range full.Bounds().Dx() {
			counts[full.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int { return counts[b] - counts[a] })
	small := image.NewPaletted(full.Bounds(), colours[:min(len(colours), 256)])
	draw.Draw(small, small.Bounds(), full, image.Point{}, draw.Src)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, small); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("..", "..", "docs", "screens", file), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
