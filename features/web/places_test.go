package web_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/store"
)

const (
	pushed      = "preferences/force-push.json"
	userMemory  = `{"schema_version":"1.0","category":"preference","id":"force-push","title":"Never force push","record_status":"active","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-11-21T00:00:00Z","tags":["pushing"],"content":{"topic":"git","value":"no force push","reason":"others have the branch","strength":"strong"}}`
	otherMemory = `{"schema_version":"1.0","category":"decision","id":"team-review","title":"Every force push is reviewed","record_status":"active","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z","tags":["pushing"],"content":{"status":"accepted","context":"c","decision":"d","rationale":["r"]}}`
)

// withUserRoot makes a root of the user, which names another one that is only read.
func withUserRoot(t *testing.T) files.Root {
	t.Helper()
	user, other := filepath.Join(t.TempDir(), "mine"), filepath.Join(t.TempDir(), "team")
	t.Setenv("MEMCTL_USER_ROOT", user)
	for path, data := range map[string]string{
		filepath.Join(user, files.ConfigName):                 `{"sources":{"roots":["` + filepath.ToSlash(other) + `"]}}`,
		filepath.Join(user, pushed):                           userMemory,
		filepath.Join(other, files.ConfigName):                "{}",
		filepath.Join(other, "decisions", "team-review.json"): otherMemory,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, found, err := files.UserRoot()
	if err != nil || !found {
		t.Fatalf("no root of the user: %v", err)
	}
	return root
}

// says reports what a page says of what it should, and what it should not after a "!".
func (s *site) says(path string, want ...string) {
	s.Helper()
	page := s.get(s.base + path)
	for _, text := range want {
		text, not := strings.CutPrefix(text, "!")
		if strings.Contains(page, text) == not {
			s.Errorf("%s: %q is there: %v", path, text, not)
		}
	}
}

func TestMemoriesOfSeveralRoots(t *testing.T) {
	project := parcel(t)
	user := withUserRoot(t)
	s := serve(t, project, time.Hour)
	folder := strings.TrimPrefix(s.base, s.origin)
	mine, teams := "/memories/user:preferences/force-push", "/memories/other:decisions/team-review"
	s.says("/memories?tag=pushing", "2 memories", `href="`+folder+mine+`"`, `href="`+folder+teams+`"`, `<option value="user">Your own`)
	s.says("/memories?root=user", "1 memory", "Never force push", "!team-review", "!jwt-key")
	s.says("/memories?root=project", "!force push", "jwt-key")
	s.says("/memories?root=user&q=jwt", "0 found")
	const marked = "<mark>force</mark> <mark>push</mark>"
	s.says("/memories?q=force+push", "Never "+marked, "Every "+marked+" is reviewed")
	s.says("/memories?root=other&q=force+pus", "Every "+marked+" is reviewed", "!Never", "1 found")
	s.says("/why?prompt=may+I+force+push+the+branch", `href="`+folder+mine+`"`)
	s.says(mine, "Never force push", `value="`, mine+"/edit", mine+"/retire")
	s.says(teams, "Every force push is reviewed", "!/edit", "!/retire", "memctl only reads")
	for path, want := range map[string]int{
		teams + "/edit":                                403,
		"/memories/team:decisions/team-review":         404,
		"/memories/preferences/force-push":             404, // the project has none
		"/memories/user:decisions/jwt-key-rotation":    404,
		"/memories/user:..%2f..%2fdecisions/x":         404,
		"/memories/other:preferences/force-push":       404,
		"/memories/project:decisions/jwt-key-rotation": 200,
	} {
		if status, page, _ := s.send("GET", s.base+path, "", nil); status != want {
			t.Errorf("%s: status %d, want %d:\n%s", path, status, want, page)
		}
	}

	owned := &site{T: t, Client: s.Client, root: user, origin: s.origin, base: s.base}
	page := s.get(s.base + mine + "/edit")
	values := formValues(page)
	values.Set("content.value", "only to branches of your own")
	if status, answer := owned.post(page, mine+"/edit", values); status != 303 {
		t.Fatalf("status %d:\n%s", status, answer)
	}
	changed := owned.read(pushed)
	if !strings.Contains(changed, "only to branches of your own") {
		t.Errorf("the user's file says:\n%s", changed)
	}
	owned.write(pushed, strings.Replace(changed, "others have", "your team has", 1))
	retire := url.Values{"form_token": {s.moveToken(s.get(s.base+mine), "retire")}, "reason": {"old"}}
	if status, _ := owned.post(page, mine+"/retire", retire); status != 409 {
		t.Errorf("after a change: status %d, want 409", status)
	}
	if status, _ := owned.post(s.get(s.base+mine), mine+"/retire", retire); status != 303 || !strings.Contains(owned.read(pushed), `"retired_reason": "old"`) {
		t.Errorf("retire: status %d:\n%s", status, owned.read(pushed))
	}
}

// Another project that memctl knows is shown where it is chosen, and not changed.
func TestMemoriesOfAnotherProject(t *testing.T) {
	project, other := parcel(t), filepath.Join(t.TempDir(), "billing")
	t.Setenv("MEMCTL_USER_ROOT", filepath.Join(t.TempDir(), "none"))
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for path, data := range map[string]string{files.ConfigName: "{}", "decisions/team-review.json": otherMemory} {
		path = filepath.Join(other, files.RootPath, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := files.At(other)
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, project, time.Hour)
	s.says("/memories", `!<optgroup`)
	if err := (store.Catalogue{}).Add(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	page := s.get(s.base + "/memories")
	option := regexp.MustCompile(`<optgroup label="Other projects"><option value="(at-[0-9a-f]+)">` + regexp.QuoteMeta(filepath.ToSlash(other)) + `<`).FindStringSubmatch(page)
	if option == nil || strings.Contains(page, "force push") {
		t.Fatalf("no other project to choose, or chosen already:\n%s", page)
	}
	s.says("/memories?root="+option[1], "Every force push is reviewed", "1 memory", "!jwt-key", "!/retire")
	s.says("/memories?root="+option[1]+"&q=jwt", "0 found")
	memory := "/memories/" + option[1] + ":decisions/team-review"
	s.says(memory, "Every force push is reviewed", "memctl only reads", "!/edit")
	if status, _, _ := s.send("GET", s.base+memory+"/edit", "", nil); status != 403 {
		t.Errorf("its form has status %d", status)
	}
	if _, err := (store.Catalogue{}).Forget(t.Context(), root.Path, false); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := s.send("GET", s.base+memory, "", nil); status != 404 {
		t.Errorf("after it is forgotten: status %d", status)
	}
}

// The notes of Claude Code are shown as such, and not changed.
func TestNotesOfTheClient(t *testing.T) {
	project := parcel(t)
	t.Setenv("MEMCTL_USER_ROOT", filepath.Join(t.TempDir(), "none"))
	t.Setenv("CLAUDE_CONFIG_DIR", t.TempDir())
	note := filepath.Join(clients.ProjectNotes(project.Project), "release_train.md")
	if err := os.MkdirAll(filepath.Dir(note), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(note, []byte("The zeppelin release leaves on Tuesdays.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	session := fmt.Sprintf("{\"cwd\":%q,\"sessionId\":\"s\"}\n", project.Project) // which says whose the notes are
	if err := os.WriteFile(filepath.Join(clients.ProjectTranscripts(project.Project), "s.jsonl"), []byte(session), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, project, time.Hour)
	folder := strings.TrimPrefix(s.base, s.origin)
	const at = "/memories/note:constraints/release_train"
	s.says("/memories?root=note", "1 memory", "The zeppelin release", "A note of Claude Code", `href="`+folder+at+`"`)
	s.says("/memories?q=zeppelin", "The <mark>zeppelin</mark> release")
	s.says("/why?prompt=when+does+the+zeppelin+release+leave", `href="`+folder+"/memories/note:constraint/release_train"+`"`)
	if err := os.WriteFile(project.Join("memory-config.json"), []byte(`{"retrieval": {"match_strategy": "hybrid", "user_share": 0}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.says("/why?prompt=when+does+the+zeppelin+release+leave", "The zeppelin release", "!loaded: ")
	if err := os.WriteFile(filepath.Join(project.Project, "CLAUDE.md"), []byte("The zeppelin release leaves on Tuesdays.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.says("/why?prompt=when+does+the+zeppelin+release+leave", "loaded: it is in a file")
	for _, address := range []string{at, "/memories/note:constraint/release_train"} {
		s.says(address, "The zeppelin release", "release_train.md", "which memctl only reads", "!/edit", "!/retire")
	}
	if status, page, _ := s.send("GET", s.base+at+"/edit", "", nil); status != 403 {
		t.Errorf("status %d:\n%s", status, page)
	}

	// The button makes a memory of it, once.
	page := s.get(s.base + at)
	adopt := func() url.Values { return url.Values{"form_token": {s.moveToken(page, "adopt")}} }
	if status, answer := s.post(page, at+"/adopt", adopt()); status != 303 {
		t.Fatalf("status %d:\n%s", status, answer)
	}
	s.says("/memories/constraints/release-train", "The zeppelin release", "/edit", "!which memctl only reads")
	if status, answer := s.post(page, at+"/adopt", adopt()); status == 303 || !strings.Contains(answer, "a memory was made of it before") {
		t.Errorf("status %d:\n%s", status, answer)
	}
}

func TestNewMemoryOfTheUser(t *testing.T) {
	project := parcel(t)
	user := withUserRoot(t)
	s := serve(t, project, time.Hour)
	const form = "/new?category=preference"
	s.says(form, `<option value="project" selected>`, `<option value="user">`, `!value="other"`)
	page := s.get(s.base + form)
	values := formValues(page)
	values.Set("title", "Answers are short")
	values.Set("tags", "style")
	values.Set("content.topic", "answers")
	values.Set("content.reason", "they are read on a phone")
	values.Set("root", "user")
	if status, answer := s.post(page, "/new", values); status != 422 || !strings.Contains(answer, `<option value="user" selected>`) {
		t.Errorf("without a value: status %d:\n%s", status, answer)
	}
	values.Set("content.value", "three sentences")
	if status, answer := s.post(page, "/new", values); status != 303 {
		t.Fatalf("status %d:\n%s", status, answer)
	}
	owned := &site{T: t, Client: s.Client, root: user, origin: s.origin, base: s.base}
	if data := owned.read("preferences/answers-are-short.json"); !strings.Contains(data, "three sentences") {
		t.Errorf("the user's file says:\n%s", data)
	}
	s.says("/memories?root=project", "!Answers are short")
	values.Set("title", "Answers are long")
	for name, want := range map[string]int{"other": 403, "no-root": 404} {
		values.Set("root", name)
		if status, _ := s.post(page, "/new", values); status != want {
			t.Errorf("in the root %s: status %d, want %d", name, status, want)
		}
	}
}

func TestTheUsersMemoriesAlone(t *testing.T) {
	parcel(t)
	s := serve(t, withUserRoot(t), time.Hour)
	s.says("/memories", "2 memories", "/memories/preferences/force-push", "/memories/other:decisions/team-review")
	s.says("/memories/preferences/force-push", "/retire")
	for _, path := range []string{"/why?prompt=may+I+force+push+the+branch", "/sessions", "/health", "/health/checks", "/charts", "/settings"} {
		s.get(s.base + path)
	}
}

func TestOneRootHasNoFilter(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	s.says("/memories", `!name="root"`)
	s.says("/memories?root=user", "jwt-key") // a root that is not there
}
