package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memctl/features/proposals"
	"memctl/files"
	"memctl/schemas"

	"github.com/chromedp/chromedp"
)

// gitIn runs git in a folder with an author's name and address.
func gitIn(t *testing.T, dir, name, email string, args ...string) {
	t.Helper()
	args = append([]string{"-C", dir, "-c", "user.name=" + name, "-c", "user.email=" + email}, args...)
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// clone makes the sample store one that somebody else has committed.
func clone(t *testing.T) *site {
	t.Helper()
	root := parcel(t)
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "-A"}, {"commit", "--quiet", "-m", "hers"}} {
		gitIn(t, root.Project, "Ann Lee", "ann@acme.example", args...)
	}
	return serve(t, root, time.Hour)
}

var (
	seenForms = regexp.MustCompile(`action="[^"]*/trust/seen">\s*((?:<input type="hidden" name="\w+" value="[\w#-]*">)*)\s*` +
		`<button[^>]* name="form_token" value="(\w+)"[^>]*>([^<]+)<`)
	seenContents = regexp.MustCompile(`name="content" value="(\w+)"`)
)

// answerSeen presses the first button of a page with some words, and returns what the next page says.
func (s *site) answerSeen(page, words string) (status int, answer string) {
	s.Helper()
	for _, form := range seenForms.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(form[3], words) {
			continue
		}
		values := url.Values{"form_token": {form[2]}}
		for _, content := range seenContents.FindAllStringSubmatch(form[1], -1) {
			values.Add("content", content[1])
		}
		status, answer, header := s.send("POST", s.base+"/trust/seen", values.Encode(), nil)
		if status == 303 {
			answer = s.get(s.origin + header.Get("Location"))
		}
		return status, answer
	}
	s.Fatalf("the page has no button %q:\n%s", words, page)
	return 0, ""
}

// newRows counts the new memories of a page.
func newRows(page string) int { return strings.Count(page, `id="new-`) }

func TestOnlyWhatThePageHasShownIsSeen(t *testing.T) {
	s := clone(t)
	if page := s.get(s.base + "/memories"); !strings.Contains(page, `/trust">`) {
		t.Errorf("the list does not lead to the new memories:\n%s", page)
	}
	page := s.get(s.base + "/trust")
	all := newRows(page)
	if all < 10 || !strings.Contains(page, "<span>Ann Lee</span> <span><time") {
		t.Fatalf("%d rows:\n%s", all, page)
	}
	s.write(jwtFile, strings.Replace(s.read(jwtFile), "title\": \"", "title\": \"Changed: ", 1))
	status, page := s.answerSeen(page, "I have seen all")
	if status != 303 || !strings.Contains(page, "memories are marked as seen.") {
		t.Fatalf("status %d:\n%s", status, page)
	}
	if newRows(page) != 1 || !strings.Contains(page, "Changed: JWT") {
		t.Fatalf("%d memories are left, not the one that has changed since:\n%s", newRows(page), page)
	}
	if _, page = s.answerSeen(page, "I have seen it"); newRows(page) != 0 || !strings.Contains(page, "No memory is new") {
		t.Errorf("it is still new:\n%s", page)
	}
}

func TestAnAgentsPagesDoNotAnswerForThePerson(t *testing.T) {
	s := clone(t)
	page := s.get(s.base + "/trust")
	t.Setenv("CLAUDECODE", "1")
	for _, words := range []string{"I have seen it", "I have seen all"} {
		if status, answer := s.answerSeen(page, words); status < 400 || !strings.Contains(answer, "an agent") {
			t.Errorf("%s: status %d:\n%s", words, status, answer)
		}
	}
	if now := newRows(s.get(s.base + "/trust")); now != newRows(page) {
		t.Errorf("%d memories are new, want %d", now, newRows(page))
	}
}

// A row says what a memory would do, and its buttons lead to the next row.
func TestANewMemoryIsJudgedByItsRow(t *testing.T) {
	root := parcel(t)
	path := root.Join("constraints/never-force.json")
	data := `{"schema_version":"1.0","category":"constraint","id":"never-force","title":"Main is never rewritten","record_status":"active",
		"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","tags":["git"],"related_files":["ci/<b>.yml"],
		"changes":[{"date":"2026-01-01T00:00:00Z","field":"origin","summary":"Imported (rules) from AGENTS.md","new_value":"abc"}],
		"content":{"kind":"policy","rule":"Never run ` + "`git push --force`" + ` on main","impact":["History is lost <private>"],"severity":"high","active":true}}`
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	s := serve(t, root, time.Hour)
	page := s.get(s.base + "/trust")
	start := strings.Index(page, "never-force")
	if start < 0 {
		t.Fatalf("it is not new:\n%s", page)
	}
	row := page[strings.LastIndex(page[:start], "<li"):]
	row = row[:strings.Index(row, "</li>\n  <li")]
	for _, want := range []string{"not committed", `class="prose lead">Never run`, "Forbids the agent <code>git push --force</code>",
		"each session starts with", "ci/&lt;b&gt;.yml", "imported from AGENTS.md", "History is lost &lt;private&gt;", "Severity: high"} {
		if !strings.Contains(row, want) {
			t.Errorf("the row does not say %q:\n%s", want, row)
		}
	}
	form := regexp.MustCompile(`action="([^"]*/retire)">\s*<input type="hidden" name="hash" value="(\w+)"><input type="hidden" name="back" value="(#new-\w+)">` +
		`(?s:.*?)name="form_token" value="(\w+)"`).FindStringSubmatch(row)
	if form == nil {
		t.Fatalf("it cannot be retired:\n%s", row)
	}
	_, _, header := s.send("POST", s.origin+form[1], url.Values{"hash": {form[2]}, "back": {form[3]}, "form_token": {form[4]}}.Encode(), nil)
	to := header.Get("Location")
	if !strings.Contains(to, "/trust?note=") || !strings.HasSuffix(to, form[3]) {
		t.Fatalf("retiring leads to %q", to)
	}
	page = s.get(s.origin + to)
	if strings.Contains(page, "Main is never rewritten") || !strings.Contains(page, "The memory is retired.") || !strings.Contains(page, form[3][1:]) {
		t.Errorf("after it is retired:\n%s", page)
	}
}

func TestNewMemoriesNeedAPerson(t *testing.T) {
	root := parcel(t)
	propose(t, root, schemas.Decision, "Parcels are weighed at the dock.")
	s := serve(t, root, time.Hour)
	all := newRows(s.get(s.base + "/trust"))
	counted := regexp.MustCompile(`/trust">(\d+) new memories? by others`)
	if n := counted.FindStringSubmatch(s.get(s.base + "/today/needs")); all < 10 || n == nil || n[1] != strconv.Itoa(all) {
		t.Fatalf("of %d new memories the start page says %q", all, n)
	}
	page := s.get(s.base + "/trust")
	if !strings.Contains(page, `/waiting">1 change by an agent`) {
		t.Error("the proposals of agents are not linked")
	}
	s.answerSeen(page, "I have seen all")
	if page := s.get(s.base + "/today"); counted.MatchString(page) {
		t.Errorf("the start page still has them:\n%s", page)
	}
	if list, err := proposals.Read(root); err != nil || len(list.Waiting) != 1 {
		t.Errorf("the proposal is gone: %v", err)
	}
}

// Numbers and links, and no text.
func TestPrivateSaysHowMuchAndNotWhat(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	lock := func(path, marks string) {
		s.write(path, regexp.MustCompile(`("decision": ")`).ReplaceAllString(s.read(path), "${1}"+marks+" "))
	}
	lock(jwtFile, "[PRIVATE] and [PRIVATE], then [REDACTED]")
	config := s.read(files.ConfigName)
	s.write(files.ConfigName, strings.Replace(config, "{", `{"privacy": {"excludePatterns": ["PARCEL-[0-9]+"]},`, 1))
	page := s.get(s.base + "/trust/private")
	for _, want := range []string{"JWT signing keys", "2 private sections, 1 secret", "PARCEL-[0-9]+", "observations.excluded_tools", "/settings#privacy.formats"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
	if strings.Contains(s.get(s.base+"/health/checks"), `name="privacy"`) || strings.Contains(page, "[REDACTED]") {
		t.Error("the page quotes what is around a lock")
	}
}

// trust looks through three memories by keys, and then chooses a person's.
func (w *walk) trust(t *testing.T) {
	p := team(t)
	tb := w.tab(t)
	tb.visit(serve(t, p.root, time.Hour).first)
	tb.open("/today")
	tb.do(chromedp.WaitVisible(css("#needs [role=status] + a")))
	tb.follow(chromedp.Click(`//a[text()="3 new memories by others"]`))
	tb.do(chromedp.WaitVisible(css("#new .row.selected")), chromedp.WaitVisible(css("#private h3")))
	tb.audit("new memories")
	title := `document.querySelector("#new .row.selected a").textContent`
	var answered []string
	for range 2 {
		answered = append(answered, js[string](tb, title))
		tb.follow(chromedp.KeyEvent("c"))
		tb.do(chromedp.WaitVisible(css("#new .row.selected")), chromedp.WaitVisible(css(".notice")))
	}
	left := js[[]string](tb, `[...document.querySelectorAll("#new .row h3")].map((h) => h.textContent)`)
	if len(left) != 1 || slices.Contains(answered, left[0]) {
		t.Errorf("answered %q, left are %q", answered, left)
	}
	for _, v := range views() {
		tb.as(v)
		tb.open("/trust")
		tb.do(chromedp.WaitVisible(css("#private h3")))
		tb.audit(fmt.Sprint("trust-", v))
		tb.shot(fmt.Sprint("trust-", v))
	}
	tb.fresh()
	tb.open("/memories")
	tb.follow(chromedp.Evaluate[chromedp.Void](`{const s = document.getElementById("who"); s.value = "Jana Nováková"; s.dispatchEvent(new Event("change", {bubbles: true}))}`))
	tb.do(chromedp.SendKeys(css("#q"), "cursor"), chromedp.WaitVisible(`//*[@id="found"][contains(., "1 found")]`))
	tb.audit("the memories of a person")
	if by := js[string](tb, `document.querySelector(".row .who").textContent`); !strings.HasPrefix(by, "saved by Jana Nováková ") {
		t.Errorf("the row says %q", by)
	}
}

// A look that a person left before it was done is not kept: it may have missed anything.
func TestALookThatWasLeftIsNotKept(t *testing.T) {
	p := team(t)
	s := serve(t, p.root, time.Hour)
	s.get(s.base + "/memories") // builds the index
	for _, path := range []string{"/today/needs", "/health/verdict"} {
		for wait := 5 * time.Millisecond; wait < time.Second; wait += wait / 16 {
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if response, err := s.Do(r); err == nil {
				response.Body.Close()
				cancel()
				break // it was done in time
			}
			cancel()
		}
		s.says("/today/needs", "3 new memories by others")
		s.says("/health/verdict", "!"+">Broken<")
	}
}
