package web_test

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/files"
	"memctl/schemas"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// settings changes settings by keys alone: one in words and back, one of those behind the search, and the choice of v5
// and back.
func (w *walk) settings(t *testing.T) {
	root := parcel(t)
	if err := os.WriteFile(root.Join(files.ConfigName), schemas.InitialConfig, 0o644); err != nil {
		t.Fatal(err)
	}
	tb := w.tab(t)
	tb.visit(serve(t, root, time.Hour).first)
	says := func(want string) {
		t.Helper()
		tb.do(chromedp.WaitVisible(css("main > .notice")))
		if notice := js[string](tb, `document.querySelector("main > .notice").innerText`); !strings.Contains(notice,
			want) {
			t.Errorf("the notice says %q, want %q", notice, want)
		}
	}
	file := func(want bool, part string) {
		t.Helper()
		if data, err := os.ReadFile(root.Join(files.ConfigName)); err != nil || strings.Contains(string(data),
			part) != want {
			t.Errorf("%s is in the file: %v (%v)\n%s", part, !want, err, data)
		}
	}
	save := chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl))

	tb.open("/settings")
	if shown := js[int](tb,
		`[...document.querySelectorAll(".setting")].filter((s) => s.checkVisibility()).length`); shown > 20 {
		t.Errorf("%d settings are shown at once", shown)
	}
	tb.do(focus("#v-capture\\.review"), chromedp.KeyEvent("on"))
	tb.follow(save)
	says("Agents' memories now wait for you.")
	file(true, `"review": true`)
	if differs := js[string](tb, `document.getElementById("changed-settings").innerText`); !strings.Contains(differs,
		"Ask me before an agent's memory counts on · new projects: off") {
		t.Errorf("the list of differences says %q", differs)
	}
	w.lookAt(tb, "settings-changed")
	tb.follow(chromedp.KeyEvent("u"))
	file(false, `"review": true`)

	// One of the others is found by a word of its description, in any language.
	for _, typed := range []string{"compacted or cleared", "압축되거나"} {
		tb.open("/settings")
		tb.do(chromedp.KeyEvent("/"), fill("#q", ""), chromedp.KeyEvent(typed),
			chromedp.WaitVisible(`//*[@id="retrieval.once_a_session"]`))
		if found := js[string](tb,
			`document.getElementById("settings-found").textContent`); found != "Settings found: 1" {
			t.Errorf("%s: %s", typed, found)
		}
	}
	tb.audit("a search among the settings")
	tb.shot("settings-search")
	// The browser of the test would also press enter on the field that gets the focus.
	js[bool](tb,
		`document.getElementById("q").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}))`)
	if at := js[string](tb, "document.activeElement.id"); at != "v-retrieval.once_a_session" {
		t.Errorf("enter leads to %q", at)
	}
	tb.do(chromedp.KeyEvent("off"))
	tb.follow(save)
	says("is saved: off.")
	file(true, `"once_a_session": false`)

	tb.open("/settings")
	tb.do(fill("#q", "no such words"), chromedp.WaitNotVisible(css("#more")),
		fill("#q", ""), chromedp.WaitVisible(css("#more")))
	if open := js[bool](tb, `document.getElementById("more").open`); open {
		t.Error("the others stay open after the search")
	}
	tb.do(focus("#preset"), chromedp.KeyEvent("as c"))
	tb.follow(save)
	says("This project now behaves as with claude-memory v5.")
	file(true, `"match_strategy": "title_tags"`)
	tb.do(focus("#preset"), chromedp.KeyEvent("new"))
	tb.follow(save)
	says("3 settings have changed.")
	file(true, `"match_strategy": "hybrid"`)
	file(true, `"once_a_session": false`)

	// The palette leads to a setting of the closed list, and opens it.
	tb.do(chromedp.Click(css("#to-palette")), chromedp.WaitVisible(css("#palette[open]")),
		chromedp.KeyEvent("budget_ms"+kb.Enter), chromedp.WaitVisible(css(`#v-meaning\.budget_ms:focus`)))
	if open := js[bool](tb, `document.getElementById("more").open`); !open {
		t.Error("the others are closed around a setting that the address names")
	}
	w.lookAt(tb, "settings-all")
}

// lookAt audits a page in two languages, colours and widths.
func (w *walk) lookAt(tb tab, name string) {
	tb.Helper()
	at := js[string](tb, `location.href.slice(location.href.indexOf("/settings"))`)
	for _, v := range slices.Backward(views()) {
		tb.as(v)
		tb.open("/charts") // or the address would differ in nothing
		tb.open(at)
		tb.audit(fmt.Sprint(name, "-", v))
		tb.shot(fmt.Sprint(name, "-", v))
	}
}

// The state of the preset is that of the file. One that is chosen changes its settings, and nothing that was typed or
// changed meanwhile.
func TestPresetOfTheSettings(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	const isNew, isV5, isMix = `name="was.preset" value="new"`, `name="was.preset" value="v5"`,
		`name="was.preset" value="mix"`
	for config, want := range map[string][]string{
		string(schemas.InitialConfig): {isNew, "As claude-memory v5: changes 3 settings", "!New defaults: changes",
			"!Own mix"},
		"{}": {isV5, "New defaults: changes 3 settings", "!v5: changes"},
		`{"retrieval": {"match_strategy": "hybrid"}}`: {isMix, "Own mix</option>",
			"As claude-memory v5: changes 2 settings", "New defaults: changes 1 setting<",
			"by lists of words, as v5 → <strong>seldom"},
	} {
		s.write(files.ConfigName, config)
		s.says("/settings", want...)
	}
	send := func(more url.Values) (status int, page string) {
		t.Helper()
		page = s.get(s.base + "/settings")
		values := url.Values{}
		for _, name := range []string{"form_token", "was.preset", "was.retrieval.max_inject",
			"was.retrieval.match_strategy", "was.triage.strategy"} {
			values.Set(name, s.field(page, name))
		}
		for name, value := range more {
			values[name] = value
		}
		status, page, header := s.send("POST", s.base+"/settings", values.Encode(), nil)
		if status == 303 {
			page = s.get(s.origin + header.Get("Location"))
		}
		return status, page
	}
	s.write(files.ConfigName, string(schemas.InitialConfig))
	if status, page := send(url.Values{"preset": {"new"}}); status != 303 ||
		strings.Contains(page, `class="notice" role="status"><p>`) {
		t.Errorf("the preset of the file: status %d\n%s", status, page)
	}
	status, page := send(url.Values{"preset": {"v5"}, "v.retrieval.max_inject": {"7"}})
	config, _, err := s.root.Config()
	if err != nil || status != 303 || config.Retrieval.MaxInject != 7 ||
		config.Retrieval.MatchStrategy != schemas.TitleTags {
		t.Errorf("v5 with seven memories: status %d, %+v (%v)", status, config.Retrieval, err)
	}
	if !strings.Contains(page, "at most this many memories: 7.") || strings.Contains(page, "behaves as with") {
		t.Errorf("the page says:\n%.2000s", page)
	}
	if status, _ := send(url.Values{"preset": {"new"}, "was.triage.strategy": {"moments"}}); status != 409 {
		t.Errorf("a setting that changed meanwhile: status %d", status)
	}
}

// What applies in all projects is shown in a project, and changed in the person's own settings.
func TestOwnSettingsAreShownInAProject(t *testing.T) {
	root := parcel(t)
	user := withUserRoot(t)
	if err := os.WriteFile(user.Join(files.ConfigName), []byte(`{"sources": {"notes": "leave"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	serve(t, root, time.Hour).says("/settings", "<strong>left alone</strong>", "memctl config set sources.notes … "+
		"--user",
		"!was.sources.notes", "was.sources.agent_all")
	serve(t, user, time.Hour).says("/settings", "!left alone</strong> <span class=\"muted\">in your own settings",
		`name="was.sources.notes" value="leave"`)
}
