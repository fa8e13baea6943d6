package web_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"memctl/observe"
	"memctl/triage"
)

// post sends the form of a page with some of its values changed.
func (s *site) post(page, path string, values url.Values) (int, string) {
	s.Helper()
	values.Set("hash", s.field(page, "hash"))
	status, answer, _ := s.send("POST", s.base+path, values.Encode(), nil)
	return status, answer
}

// moveToken returns the token of a button that changes the status.
func (s *site) moveToken(page, move string) string {
	s.Helper()
	_, rest, found := strings.Cut(page, "/"+move+`" name="form_token" value="`)
	token, _, _ := strings.Cut(rest, `"`)
	if !found {
		s.Fatalf("the page has no button for %s:\n%s", move, page)
	}
	return token
}

func (s *site) read(path string) string {
	s.Helper()
	data, err := os.ReadFile(s.root.Join(path))
	if err != nil {
		s.Fatal(err)
	}
	return string(data)
}

func (s *site) write(path, data string) {
	s.Helper()
	if err := os.WriteFile(s.root.Join(path), []byte(data), 0o644); err != nil {
		s.Fatal(err)
	}
}

const jwtFile = "decisions/jwt-key-rotation.json"

func TestAChangedFileKeepsItsStatus(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	page := s.get(s.base + jwt)
	changed := strings.Replace(s.read(jwtFile), "every 90 days", "every 30 days", 1)
	s.write(jwtFile, changed)
	status, answer := s.post(page, jwt+"/retire", url.Values{"form_token": {s.moveToken(page, "retire")},
		"reason": {"old"}})
	if status != 409 || !strings.Contains(answer, "<ins>30 </ins>") || !strings.Contains(answer, "<del>90 </del>") {
		t.Errorf("status %d:\n%s", status, answer)
	}
	if s.read(jwtFile) != changed {
		t.Error("the file was changed")
	}
	page = s.get(s.base + jwt)
	if status, answer := s.post(page, jwt+"/retire", url.Values{"form_token": {s.moveToken(page, "retire")},
		"reason": {"old"}}); status != 303 {
		t.Errorf("with the new hash: status %d:\n%s", status, answer)
	}
	if !strings.Contains(s.read(jwtFile), `"retired_reason": "old"`) {
		t.Error("the memory was not retired")
	}
}

// What a form does not show stays, and so do texts that were not changed.
func TestAFormKeepsWhatItDoesNotShow(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	before := s.read(jwtFile)
	s.write(jwtFile, strings.Replace(before, `"context": "`, `"context": "  `, 1))
	before = s.read(jwtFile)
	page := s.get(s.base + jwt + "/edit")
	values := formValues(page)
	if status, answer := s.post(page, jwt+"/edit", values); status != 303 {
		t.Fatalf("status %d:\n%s", status, answer)
	}
	if after := s.read(jwtFile); after != before {
		t.Errorf("a form without a change changed the file:\n%s", after)
	}
	values.Set("content.decision", "Keys live for an hour.")
	if status, answer := s.post(page, jwt+"/edit", values); status != 303 {
		t.Fatalf("status %d:\n%s", status, answer)
	}
	after := s.read(jwtFile)
	for _, want := range []string{`"decision": "Keys live for an hour."`, `"context": "  The API`,
		`"option": "Opaque tokens with introspection"`, `"confidence": 0.9`, `"field": "content.decision"`} {
		if !strings.Contains(after, want) {
			t.Errorf("the file has no %s:\n%s", want, after)
		}
	}
}

// formValues reads what a browser would send of the form on a page.
func formValues(page string) url.Values {
	values := url.Values{}
	_, form, _ := strings.Cut(page, `class="memory-form"`)
	for _, match := range inputTags.FindAllStringSubmatch(form, -1) {
		values.Set(match[1], html.UnescapeString(match[2]))
	}
	for _, match := range textareas.FindAllStringSubmatch(form, -1) {
		values.Set(match[1], strings.ReplaceAll(html.UnescapeString(match[2]), "\n", "\r\n"))
	}
	for _, match := range selects.FindAllStringSubmatch(form, -1) {
		values.Set(match[1], html.UnescapeString(match[2]))
	}
	return values
}

func TestTheTrustPageSaysWhatWasKeptFromTheDisk(t *testing.T) {
	root := parcel(t)
	line := `{"event_id":"e1","event_type":"tool_observation","session_id":"s1","timestamp":"2026-11-20T10:00:00.000Z","payload":{"tool_name":"Bash","tool_input":{},"tool_output":"","success":true,` +
		`"metadata":{"privacy":{"hasPrivateSections":true,"privateCount":2,"secrets":{"password":3},"originalLength":100,"filteredLength":60}}}}` + "\n"
	if err := os.WriteFile(filepath.Join(root.Path, "observations", "s1.jsonl"), []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	s := serve(t, root, time.Hour)
	s.says("/health/checks", "half-written-merge", "Broken", "<strong>settings</strong> not registered")
	page := s.get(s.base + "/trust/private")
	for _, want := range []string{
		`<th scope="row">password</th><td class="number">4</td><td class="number">46</td>`,
		`<th scope="row">private section</th><td class="number">2</td><td class="number">40</td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %s:\n%s", want, page)
		}
	}
}

func TestSessionsAreListed(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	page := s.get(s.base + "/sessions")
	for _, want := range []string{"goose up", "go test ./internal/store/...", "4 runs of tools", "5 runs of tools",
		"1 failed"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %s:\n%s", want, page)
		}
	}
}

// Lines of sessions that nobody was asked about are saved or dropped from the page.
func TestWaitingLinesAreSavedAndDropped(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	keep := triage.Find{Turn: 2, Side: triage.Person, Signs: []string{"standing"}, Text: "Never write to the " +
		"<b>replica</b>, it is read-only."}
	drop := triage.Find{Turn: 3, Side: triage.Agent, Signs: []string{"cause"}, Text: "The cause was a lock."}
	data, err := json.Marshal(triage.Watch{Turns: 3, Since: 1, Finds: []triage.Find{keep, drop}})
	if err != nil {
		t.Fatal(err)
	}
	stage := observe.OpenStage(s.root, "a-session")
	defer stage.Close()
	if err := stage.KeepMoments(data); err != nil {
		t.Fatal(err)
	}
	page := s.get(s.base + "/today/needs")
	if !strings.Contains(page, "Never write to the &lt;b&gt;replica&lt;/b&gt;") ||
		!strings.Contains(page, "and 1 more like it") {
		t.Fatalf("the page shows no lines:\n%s", page)
	}
	if status, answer, _ := s.send("POST", s.base+"/today/000000000000/confirm", "", nil); status != 403 {
		t.Errorf("without a token: status %d\n%s", status, answer)
	}
	status, header := s.answer(page, "Never write", "confirm")
	if status != 303 || !strings.Contains(header.Get("Location"), "/today?") {
		t.Fatalf("status %d, at %q", status, header.Get("Location"))
	}
	saved := s.get(s.origin + header.Get("Location"))
	if !strings.Contains(saved, "The memory is saved.") || !strings.Contains(s.get(s.base+"/memories?q=replica"),
		"Never write to the") {
		t.Errorf("it is not saved:\n%s", saved)
	}
	if status, _ := s.answer(page, "Never write", "confirm"); status != 410 {
		t.Errorf("saved twice: status %d", status)
	}
	if status, _ := s.answer(saved, "The cause was a lock.", "retire"); status != 303 {
		t.Errorf("status %d", status)
	}
	if page := s.get(s.base + "/today/needs?again=1"); strings.Contains(page, "The cause was a lock") {
		t.Errorf("a line that was dropped waits:\n%s", page)
	}
}

func TestAListHasPages(t *testing.T) {
	root := parcel(t)
	template := `{"schema_version":"1.0","category":"decision","id":"ID","title":"Memory ID","record_status":"active","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","tags":["many"],"content":{"status":"accepted","context":"c","decision":"d","rationale":["r"]}}`
	for i := range 120 {
		id := "many-" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		if err := os.WriteFile(root.Join("decisions/"+id+".json"), []byte(strings.ReplaceAll(template, "ID", id)),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := serve(t, root, time.Hour)
	for query, want := range map[string][]string{
		"?tag=many":                 {"120 memories", "1–50", "Next"},
		"?tag=many&page=3":          {"101–120", "Previous"},
		"?q=memory+many&page=2":     {"51–100", "Previous", "Next"},
		"?tag=many&page=4":          {"No memory matches"},
		"?tag=many&since=30d":       {"No memory matches"},
		"?category=runbook":         {"7 memories"},
		"?status=retired":           {"4 memories"},
		"?status=all&sort=title":    {"164 memories"},
		"?status=none&category=odd": {"No memory matches"},
	} {
		page := s.get(s.base + "/memories" + query)
		for _, say := range want {
			if !strings.Contains(page, say) {
				t.Errorf("%s does not say %q", query, say)
			}
		}
	}
}

var (
	inputTags = regexp.MustCompile(`<input type="(?:text|hidden)"[^>]*? name="([^"]*)" value="([^"]*)"`)
	textareas = regexp.MustCompile(`<textarea [^>]*name="([^"]*)"[^>]*>\n([^<]*)</textarea>`)
	selects   = regexp.MustCompile(`<select [^>]*name="([^"]*)"[^>]*>(?:<option [^>]*>[^<]*</option>)*?<option value="([^"]*)" selected>`)
)

// A past session is found, shown as a conversation with what was given to it and saved from it, and a turn is
// saved.
func TestPastSessionsAreConversations(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_STATE_HOME", "XDG_DATA_HOME"} {
		t.Setenv(name, home)
	}
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(home, "claude"))
	s := serve(t, parcel(t), time.Hour)
	folder := filepath.Join(home, "claude", "projects", "x")
	lines := fmt.Sprintf(`{"type":"user","sessionId":"5b1c","cwd":%q,"timestamp":"2026-03-01T10:00:00Z","message":{"content":"Why <b>kafka</b>? <private>hunter2</private>"}}
{"type":"assistant","timestamp":"2026-03-01T10:00:00Z","message":{"content":[{"type":"text","text":"We decided to keep it, because events are replayed."}]}}
`, s.root.Project)
	if err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "5b1c.jsonl"), []byte(lines),
		0o600)); err != nil {
		t.Fatal(err)
	}
	for _, in := range []observe.Injection{
		{Session: observe.SessionKey("5b1c"), Moment: observe.AtPrompt,
			Memories: []string{"decisions/given-to-it.json"}},
		{Session: observe.SessionKey("another"), Moment: observe.AtPrompt,
			Memories: []string{"decisions/given-to-another.json"}},
		{Use: observe.Saved, Memories: []string{"decisions/saved-from-it.json"}},
	} {
		in.Root, in.Time = s.root.Key(), time.Date(2026, 3, 1, 10, 0, 30, 0, time.UTC)
		if err := in.Append(); err != nil {
			t.Fatal(err)
		}
	}
	for _, address := range []string{"/sessions", "/sessions?q=kafka"} {
		if page := s.get(s.base + address); !strings.Contains(page, "/sessions/5b1c") ||
			!strings.Contains(page, "Why &lt;b&gt;kafka") {
			t.Errorf("%s does not list the session:\n%s", address, page)
		}
	}
	page := s.get(s.base + "/sessions/5b1c")
	for _, want := range []string{"Why &lt;b&gt;kafka", "events are replayed", "decisions/given-to-it.json",
		"decisions/saved-from-it.json"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %s:\n%s", want, page)
		}
	}
	for _, not := range []string{"hunter2", "given-to-another"} {
		if strings.Contains(page, not) {
			t.Errorf("the page says %s", not)
		}
	}
	if !strings.Contains(page, "/sessions/5b1c/1/save?side=user") {
		t.Fatalf("no prompt can be saved:\n%s", page)
	}
	save := s.base + "/sessions/5b1c/1/save?side=agent"
	values := formValues(s.get(save))
	for name, want := range map[string]string{"category": "decision",
		"title": "We decided to keep it, because events are replayed"} {
		if values.Get(name) != want {
			t.Errorf("proposes the %s %q, want %q", name, values.Get(name), want)
		}
	}
	chosen := formValues(s.get(save + "&text=Never+push+on+Fridays.")).Get("category")
	if chosen != "constraint" {
		t.Errorf("proposes the category %q for what was selected", chosen)
	}
	values.Set("title", "Kafka stays")
	status, answer, header := s.send("POST", save, values.Encode(), nil)
	if status != 303 || !strings.Contains(header.Get("Location"), "/memories/decisions/kafka-stays") {
		t.Fatalf("status %d, at %q\n%s", status, header.Get("Location"), answer)
	}
	page = s.get(s.origin + header.Get("Location"))
	if status, answer, _ := s.send("POST", save, values.Encode(), nil); status != 409 ||
		!strings.Contains(answer, "/memories/decisions/kafka-stays") || !strings.Contains(answer, "Kafka stays") {
		t.Errorf("a second one: status %d\n%s", status, answer)
	}
	form := undoForms.FindStringSubmatch(page)
	if form == nil {
		t.Fatalf("the page offers no undo:\n%s", page)
	}
	_, _, header = s.send("POST", s.base+form[1], url.Values{"form_token": {form[2]}}.Encode(), nil)
	if at := header.Get("Location"); !strings.Contains(at, "/sessions/5b1c?note=") ||
		!strings.HasSuffix(at, "&turn=1#turn-1") {
		t.Errorf("what is undone leads to %s", at)
	}
	values.Set("text", "")
	values.Set("title", "")
	if status, answer, _ := s.send("POST", save, values.Encode(), nil); status != 422 ||
		!strings.Contains(answer, "no text") {
		t.Errorf("without a text: status %d\n%s", status, answer)
	}
}

// A long session comes in pages; an address that names a turn shows it. Without a transcript the page says so.
func TestALongSessionIsReadInPages(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", home)
	s := serve(t, parcel(t), time.Hour)
	var lines strings.Builder
	for i := range 300 {
		at := time.Date(2026, 3, 1, 10, i, 0, 0, time.UTC).Format(time.RFC3339)
		fmt.Fprintf(&lines, `{"type":"user","sessionId":"long","cwd":%q,"timestamp":%q,"message":{"content":"Do step %d"}}
{"type":"assistant","timestamp":%q,"message":{"content":[{"type":"text","text":%q}]}}
`, s.root.Project, at, i+1, at, strings.Repeat("Done. ", 500))
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(home, "projects", "x"), 0o755),
		os.WriteFile(filepath.Join(home, "projects", "x", "long.jsonl"), []byte(lines.String()), 0o600)); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][3]string{
		"":          {`id="turn-1"`, `id="turn-51"`, `?from=51"`},
		"?from=51":  {`id="turn-100"`, `id="turn-50"`, `?from=1"`},
		"?turn=250": {`id="turn-250"`, `id="turn-247"`, `?from=298"`},
		"?turn=300": {`id="turn-300"`, `id="turn-1"`, `?from=248"`},
		"?turn=999": {"<h1>Do step 1</h1>", `id="turn-300"`, `?from=947"`},
	} {
		page := s.get(s.base + "/sessions/long" + query)
		if !strings.Contains(page, want[0]) || strings.Contains(page, want[1]) || !strings.Contains(page, want[2]) ||
			len(page) > 2*256<<10 {
			t.Errorf("%s: %d bytes, want %s, not %s, and a link to %s", query, len(page), want[0], want[1], want[2])
		}
	}
	const silent = "memctl has no transcript of this session"
	if page := s.get(s.base + "/sessions/long"); strings.Contains(page, silent) {
		t.Error("the page says that there is no transcript")
	}
	s.says("/sessions/4b0c6a1e-52f7-4f0e-9a41-0d7c1b8e2f10", silent, "runs of tools", "!/save?side=")
}
