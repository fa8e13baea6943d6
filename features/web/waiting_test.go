package web_test

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"memctl/features/proposals"
	"memctl/files"
	"memctl/schemas"
	"memctl/store"
	"memctl/writer"

	"github.com/chromedp/chromedp"
)

// propose has an agent save a text where a person takes it.
func propose(t *testing.T, root files.Root, category schemas.Category, text string) {
	t.Helper()
	saved, err := proposing(t, root).Add(t.Context(), category, text, &schemas.Memory{Category: category})
	if err != nil || saved.Status != writer.Proposed {
		t.Fatalf("%+v: %v", saved, err)
	}
}

// proposing is the writer of an agent where a person takes its changes.
func proposing(t *testing.T, root files.Root) *writer.Writer {
	t.Helper()
	cfg, _, err := root.Config()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Capture.Review = true
	return store.At(root, store.Options{Agent: true, Client: "Claude Code", Propose: proposals.Keep}).WriterWith(root, cfg)
}

// giveWork puts two items into the work list of a root, and one that is settled.
func giveWork(t *testing.T, root files.Root) {
	t.Helper()
	state := filepath.Join(os.Getenv("XDG_STATE_HOME"), "memctl")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	const list = `{"last": 3, "items": [
		{"item": 1, "file": "AGENTS.md", "line": 3, "text": "Describes the folders.", "sha256": "a", "state": "done", "reason": "the code says it"},
		{"item": 2, "file": "AGENTS.md", "line": 7, "under": "Service > Never:", "text": "Never <b>push</b> to main on a Friday", "sha256": "b", "state": "waits"},
		{"item": 3, "file": "docs/adr/0001.md", "line": 1, "text": "# 1. Queue\n\nUse Kafka.", "sha256": "c", "record": true, "state": "waits"}]}`
	if err := os.WriteFile(filepath.Join(state, "worklist-"+root.Key()+".json"), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
}

var waitingForms = regexp.MustCompile(`action="[^"]*(/waiting/[^"]*)">\s*<input type="hidden" name="form_token" value="(\w+)"`)

// answerWaiting sends a form of the page Waiting, by the end of its address.
func (s *site) answerWaiting(end string, values url.Values) (status int, page string) {
	s.Helper()
	for _, form := range waitingForms.FindAllStringSubmatch(s.get(s.base+"/waiting"), -1) {
		if strings.HasSuffix(form[1], end) {
			values.Set("form_token", form[2])
			status, page, header := s.send("POST", s.base+form[1], values.Encode(), nil)
			if status == 303 {
				page = s.get(s.origin + header.Get("Location"))
			}
			return status, page
		}
	}
	s.Fatalf("no form %s", end)
	return 0, ""
}

// A person takes and drops on the page, which checks again and can undo it.
func TestProposalsAreTakenOnThePage(t *testing.T) {
	root := parcel(t)
	propose(t, root, schemas.Decision, "Parcels are weighed at the dock. The <i>belt</i> is slow.")
	propose(t, root, schemas.Constraint, "Labels are printed once.")
	if _, err := proposing(t, root).Move(t.Context(), writer.Retire, jwtFile, "keys rotate by themselves"); err != nil {
		t.Fatal(err)
	}
	s := serve(t, root, time.Hour)
	s.says("/waiting", "3 proposals wait", "Claude Code", "The &lt;i&gt;belt&lt;/i&gt; is slow.", "keys rotate by themselves")
	const file = "decisions/parcels-are-weighed-at-the-dock.json"

	status, page := s.answerWaiting("/1/take", url.Values{})
	if status != 303 || !strings.Contains(page, "The memory is saved.") || !strings.Contains(s.read(file), "taken by a person") {
		t.Fatalf("take: %d\n%s", status, page)
	}
	s.undo(page, 303)
	if _, err := root.ReadFile(file); err == nil {
		t.Error("the memory is still there")
	}
	status, page = s.answerWaiting("/3/take", url.Values{})
	if status != 303 || !strings.Contains(s.read(jwtFile), `"retired"`) {
		t.Fatalf("retire: %d\n%s", status, page)
	}
	s.undo(page, 303)
	s.says("/waiting", "3 proposals wait")

	st := store.At(root, store.Options{})
	if _, err := st.Add(t.Context(), store.Refuse, store.Note{Text: "Labels are printed once.", Category: schemas.Constraint, Given: &schemas.Memory{}}); err != nil {
		t.Fatal(err)
	}
	status, page = s.answerWaiting("/2/take", url.Values{})
	if status != 409 || !strings.Contains(page, "Take it anyway") {
		t.Errorf("a duplicate since: %d\n%s", status, page)
	}
	if status, page = s.answerWaiting("/2/take", url.Values{"anyway": {"1"}}); status != 303 {
		t.Errorf("anyway: %d\n%s", status, page)
	}
	s.read("constraints/labels-are-printed-once-2.json")

	s.write(jwtFile, strings.Replace(s.read(jwtFile), "\n", "\n ", 1))
	if status, page = s.answerWaiting("/3/take", url.Values{}); status != 409 || !strings.Contains(page, "Not taken:") {
		t.Errorf("a change since: %d\n%s", status, page)
	}
	if status, page = s.answerWaiting("/3/drop", url.Values{"reason": {"they do not"}}); status != 303 {
		t.Errorf("drop: %d\n%s", status, page)
	}
	s.says("/waiting", "1 proposal waits")
	s.undo(page, 303)
	s.says("/waiting", "2 proposals wait")

	t.Setenv("CLAUDECODE", "1")
	if status, page = s.answerWaiting("/1/take", url.Values{}); status == 303 || !strings.Contains(page, "shell of") {
		t.Errorf("through the server of an agent: %d\n%s", status, page)
	}
}

// The items of a work list are settled on the page, or become memories that remember their place.
func TestWorkIsSettledOnThePage(t *testing.T) {
	root := parcel(t)
	giveWork(t, root)
	s := serve(t, root, time.Hour)
	s.says("/waiting", "2 items wait", "AGENTS.md:7", "Never &lt;b&gt;push&lt;/b&gt; to main on a Friday", "the code says it")
	if status, page := s.answerWaiting("/work/3", url.Values{"reason": {"it was reversed"}}); status != 303 || !strings.Contains(page, "it was reversed") {
		t.Errorf("done: %d\n%s", status, page)
	}
	form := s.get(s.base + "/new?from=2")
	if !strings.Contains(form, "AGENTS.md:7") {
		t.Errorf("the form does not say where it is from:\n%s", form)
	}
	values := formValues(form)
	if values.Get("text") != "Never <b>push</b> to main on a Friday" {
		t.Errorf("the form has %q", values.Get("text"))
	}
	values.Set("text", "Never push to main on a Friday. Nobody is there.")
	page := s.sendForm("/new/sentence", values)
	if !strings.Contains(page, "never-push-to-main-on-a-friday") || !strings.Contains(page, "0 items wait") {
		t.Errorf("the list does not say what it became:\n%s", page)
	}
	if saved := s.read("constraints/never-push-to-main-on-a-friday.json"); !strings.Contains(saved, "Made of AGENTS.md:7") {
		t.Error(saved)
	}
	if status, _, _ := s.send("GET", s.base+"/new?from=99", "", nil); status != 404 {
		t.Errorf("an unknown item: status %d", status)
	}
}

// waiting takes a proposal and settles an item in the browser.
func (w *walk) waiting(t *testing.T) {
	propose(t, w.root, schemas.Decision, "Parcels are weighed at the dock. The belt is slow, and the scale there is calibrated every week.")
	propose(t, w.root, schemas.Constraint, "Labels are printed once.")
	if _, err := proposing(t, w.root).Restate(t.Context(), "runbooks/migration-lock-timeout.json", "When a migration waits for a lock, stop it.", &schemas.Memory{}); err != nil {
		t.Fatal(err)
	}
	giveWork(t, w.root)
	tb := w.tab(t)
	for _, look := range []struct {
		scheme, language string
		width            int64
	}{{"light", "en", 1180}, {"dark", "ko", 360}} {
		tb.scheme(look.scheme)
		tb.language(look.language)
		tb.width(look.width)
		tb.open("/waiting")
		tb.audit("waiting " + look.scheme)
		tb.shot("waiting-" + look.scheme)
		js[bool](tb, "document.getElementById('work').scrollIntoView(), true")
		tb.shot("waiting-work-" + look.scheme)
	}
	tb = w.tab(t)
	tb.open("/waiting")
	tb.do(chromedp.WaitVisible(css("#menu .pill")), chromedp.WaitVisible(`//a[@aria-current="page"][text()="Waiting"]`))
	tb.follow(press("Take"))
	tb.do(chromedp.WaitVisible(`//p[contains(., "The memory is saved.")]`))
	w.read(t, "decisions/parcels-are-weighed-at-the-dock.json")
	tb.do(fill("#item-3 .why-not input[type=text]", "it was reversed"))
	tb.follow(chromedp.Click(css("#item-3 .why-not button")))
	tb.do(chromedp.WaitVisible(`//p[contains(., "Item 3 is done.")]`))
	tb.follow(chromedp.Click(`//a[text()="Save as a memory"]`))
	tb.do(chromedp.WaitVisible(`//code[text()="AGENTS.md:7"]`))
	tb.audit("a memory of an item")
}
