package web_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"memctl/observe"
)

// answer presses a button of what needs a person, after a text of the page.
func (s *site) answer(page, text, answer string) (int, http.Header) {
	s.Helper()
	_, rest, _ := strings.Cut(page, text)
	button := regexp.MustCompile(`formaction="([^"]+/` + answer +
		`)" name="form_token" value="(\w+)"`).FindStringSubmatch(rest)
	if button == nil {
		s.Fatalf("no button %s after %q:\n%s", answer, text, page)
	}
	status, _, header := s.send("POST", s.origin+button[1], url.Values{"form_token": {button[2]}}.Encode(), nil)
	return status, header
}

const (
	goneFile = "decisions/gone.json"
	missing  = `{"schema_version":"1.0","category":"decision","id":"gone","title":"Zebra stripes are cached","record_status":"active","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","tags":["t"],"related_files":["a/none1.go","a/none2.go","a/none3.go","a/none4.go","a/none5.go"],"content":{"status":"accepted","context":"c","decision":"d","rationale":["r"]}}`
)

// The start page says what a prompt received, which one it was, and what was then opened.
func TestTodayTellsWhatAPromptReceived(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(home, "claude"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	s := serve(t, parcel(t), time.Hour)
	folder := filepath.Join(home, "claude", "projects", "x")
	year, month, day := time.Now().Date()
	now := time.Date(year, month, day-1, 12, 0, 0, 0, time.Local).UTC() // all happens on one day
	line := func(at time.Time, prompt string) string {
		return fmt.Sprintf(`{"type":"user","sessionId":"5b1c","cwd":%q,"timestamp":%q,"message":{"content":%q}}`+"\n",
			s.root.Project, at.Format(time.RFC3339), prompt)
	}
	lines := line(now.Add(-2*time.Minute), "Rotate the <i>keys</i>") + line(now.Add(time.Minute), "Something else")
	if err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "5b1c.jsonl"), []byte(lines),
		0o600)); err != nil {
		t.Fatal(err)
	}
	for _, in := range []observe.Injection{{Moment: observe.AtPrompt}, {Use: observe.Opened}} {
		in.Root, in.Time, in.Session, in.Memories = s.root.Key(), now, observe.SessionKey("5b1c"), []string{jwtFile}
		if err := in.Append(); err != nil {
			t.Fatal(err)
		}
	}
	page := s.get(s.base + "/today")
	_, session, _ := strings.Cut(page, "/sessions/5b1c")
	for _, want := range []string{"Rotate the &lt;i&gt;keys", "The first prompt received 1 memory",
		"/why?prompt=Rotate", "The agent opened", "JWT signing keys", "/sessions/5b1c?turn=2#turn-2\">Something else</a> · received nothing"} {
		if !strings.Contains(session, want) {
			t.Errorf("the session does not say %s:\n%s", want, page)
		}
	}
}

// An answer on the start page is undone like every change, and the finding comes back.
func TestAnAnswerIsUndone(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	s.write(goneFile, missing)
	page := s.get(s.base + "/today/needs")
	skip := regexp.MustCompile(`formaction="([^"]+/skip)" name="form_token" value="(\w+)"`).FindStringSubmatch(page)
	_, _, header := s.send("POST", s.origin+skip[1], url.Values{"form_token": {skip[2]}, "day": {"2026-01-01"}}.Encode(), nil)
	if at := header.Get("Location"); !strings.Contains(at, "/today?day=2026-01-01") {
		t.Errorf("the day that the page was of is lost: %s", at)
	}
	page = s.get(s.base + "/today/needs?again=1")
	status, header := s.answer(page, "Zebra stripes", "retire")
	if status != 303 || !strings.Contains(s.read(goneFile), `"retired_reason": "a/none1.go does not exist; `) {
		t.Fatalf("status %d:\n%s", status, s.read(goneFile))
	}
	page = s.get(s.origin + header.Get("Location"))
	// in the notice and on the left
	if strings.Contains(page, `id="needs"`) && strings.Count(page, "Zebra stripes") != 2 {
		t.Errorf("what was answered still waits:\n%s", page)
	}
	s.undo(page, 303)
	if s.read(goneFile) != missing {
		t.Errorf("the file is not as it was:\n%s", s.read(goneFile))
	}
	page = s.get(s.base + "/today")
	s.write(goneFile, strings.Replace(missing, "Zebra", "Other", 1))
	if status, _ := s.answer(page, "Zebra stripes", "retire"); status != 410 || !strings.Contains(s.read(goneFile),
		`"active"`) {
		t.Errorf("a memory that has changed since is retired: status %d\n%s", status, s.read(goneFile))
	}
}

// Files that got other names get them in all memories by one answer, and lose them by one.
func TestFilesAreRenamedInAllMemories(t *testing.T) {
	p := play(t)
	git := func(args ...string) {
		t.Helper()
		program := exec.Command("git", append([]string{"-C", p.root.Project, "-c", "user.name=a", "-c",
			"user.email=a@b"}, args...)...)
		if out, err := program.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	p.write(filepath.Join(p.root.Project, "internal", "decisions.go"), strings.Repeat("package internal // of "+
		"decisions\n", 20))
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "one")
	git("mv", "internal/decisions.go", "internal/choices.go")
	git("commit", "-qm", "two")
	s := serve(t, p.root, time.Hour)
	page := s.get(s.base + "/today/needs")
	if !strings.Contains(page, "Rename in all 4") || !strings.Contains(page, "and 3 more like it") {
		t.Fatalf("no row for all:\n%s", page)
	}
	before := s.read("decisions/utc-times.json")
	status, header := s.answer(page, `id="needs"`, "all")
	page = s.get(s.origin + header.Get("Location"))
	for _, id := range []string{"utc-times", "webhook-keys"} {
		if now := s.read("decisions/" + id + ".json"); status != 303 || !strings.Contains(now, "internal/choices.go") {
			t.Errorf("status %d:\n%s", status, now)
		}
	}
	if !strings.Contains(page, "new names in 4 memories") || strings.Contains(page, "Rename in all") {
		t.Errorf("the page does not say so:\n%s", page)
	}
	s.undo(page, 303)
	if now := s.read("decisions/utc-times.json"); now != before {
		t.Errorf("not undone:\n%s", now)
	}
	s.says("/today", "Rename in all 4")
}

// What says the same is merged in one form; saving retires the other.
func TestTwoMemoriesAreMerged(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	older := strings.ReplaceAll(strings.ReplaceAll(missing, `"gone"`, `"older"`), `"d"`, `"They are cached for a day"`)
	s.write("decisions/older.json", older)
	s.write(goneFile, strings.Replace(missing, `"updated_at":"2026-01`, `"updated_at":"2026-02`, 1))
	page := s.get(s.base + "/today/needs")
	for strings.Contains(page, "/skip") && !strings.Contains(page, "edit?merge=") {
		_, header := s.answer(page, `id="needs"`, "skip")
		page = s.get(s.origin + header.Get("Location"))
	}
	link := regexp.MustCompile(`href="([^"]+/decisions/gone/edit)\?merge=([^"]+older)"`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("nothing to merge:\n%s", page)
	}
	form := s.get(s.origin + link[1] + "?merge=" + link[2])
	if !strings.Contains(form, "They are cached for a day") {
		t.Fatalf("the form does not say what the other says:\n%s", form)
	}
	values := formValues(form)
	values.Set("merge", "/memories/decisions/older")
	values.Set("hash", s.field(form, "hash"))
	values.Set("content.decision", "d, for a day")
	status, answer, header := s.send("POST", s.origin+link[1], values.Encode(), nil)
	if status != 303 {
		t.Fatalf("status %d:\n%s", status, answer)
	}
	if !strings.Contains(s.read("decisions/older.json"), `"retired_reason": "merged into gone"`) {
		t.Errorf("the other is not retired:\n%s", s.read("decisions/older.json"))
	}
	s.undo(s.get(s.origin+header.Get("Location")), 303)
	if s.read("decisions/older.json") != older {
		t.Errorf("the other is not what it was:\n%s", s.read("decisions/older.json"))
	}
}

func TestAFileThatIsNoMemoryHasAPage(t *testing.T) {
	s := serve(t, mergeless(t), time.Hour)
	s.write(goneFile, "<<<<<<< ours\n"+missing+"\n=======\n>>>>>>> theirs\n")
	status, page, _ := s.send("GET", s.base+"/memories/decisions/gone", "", nil)
	if status != 422 || !strings.Contains(page, "&lt;&lt;&lt;&lt;&lt;&lt;&lt; ours") ||
		!strings.Contains(page, "decisions/gone.json cannot be read as a memory") {
		t.Errorf("status %d:\n%s", status, page)
	}
	// What a merge left stands on the start page too, and on the page of the memory.
	s.write("decisions/jwt-key-rotation.conflict",
		`{"memory":"decisions/jwt-key-rotation.json","conflicts":[{"field":"content.decision","ours":"Keys live 90 days","theirs":"Keys live <i>30</i> days"}]}`)
	s.says("/today/needs", `/memories/decisions/gone">decisions/gone.json`, "a file that cannot be read",
		"!is not a valid memory",
		`/memories/decisions/jwt-key-rotation">decisions/jwt-key-rotation.json`, "merge conflict", "content.decision",
		"memctl resolve jwt-key-rotation", "!both sides of a merge")
	s.says(jwt, "Merge conflict", "Keys live 90 days", "Keys live &lt;i&gt;30", "memctl resolve jwt-key-rotation",
		"Take the other")
	if err := os.Symlink("/etc/passwd", s.root.Join("decisions/link.json")); err != nil {
		t.Skip("no links")
	}
	if status, page, _ := s.send("GET", s.base+"/memories/decisions/link", "", nil); status != 404 {
		t.Errorf("a link is followed: status %d\n%s", status, page)
	}
}

func TestTheListRetires(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	page := s.get(s.base + "/memories?q=jwt+rotate")
	values := url.Values{
		"form_token": {s.moveToken(page, "jwt-key-rotation/retire")}, "hash": {s.field(page, "hash")},
		"back": {"?q=jwt+rotate"},
	}
	status, answer, header := s.send("POST", s.base+jwt+"/retire", values.Encode(), nil)
	if at := header.Get("Location"); status != 303 || !strings.Contains(at, "/memories?note=") ||
		!strings.HasSuffix(at, "&q=jwt+rotate") {
		t.Fatalf("status %d, at %q\n%s", status, at, answer)
	}
	s.undo(s.get(s.origin+header.Get("Location")), 303)
}

func TestLanguageAndColoursAreKept(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	_, _, header := s.send("GET", s.base+"/look?lang=ko&back=//evil.example", "", nil)
	if at := header.Get("Location"); !strings.HasSuffix(at, "/today") || strings.Contains(at, "evil") {
		t.Errorf("leads to %q", at)
	}
	s.send("GET", s.base+"/look?theme=dark&back=/settings", "", nil)
	s.send("GET", s.base+"/look?theme=pink&lang=xx", "", nil)
	if page := s.get(s.base + "/settings"); !strings.Contains(page, `<html lang="ko" data-theme="dark">`) {
		t.Errorf("neither is kept:\n%.300s", page)
	}
	version := regexp.MustCompile(`/static/\w+/app.js`).FindString(s.get(s.base + "/why"))
	_, script, header := s.send("GET", s.base+version, "", nil)
	if !strings.Contains(header.Get("Cache-Control"), "immutable") || !strings.Contains(script, "import") {
		t.Errorf("%s is not kept: %v", version, header)
	}
}
