package web_test

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"memctl/files"
)

// mergeless is the store without the file that a merge has left.
func mergeless(t *testing.T) files.Root {
	t.Helper()
	root := parcel(t)
	if err := os.Remove(root.Join("decisions/half-written-merge.json")); err != nil {
		t.Fatal(err)
	}
	return root
}

// takeSide presses the button of a page that takes a side of a field, "" for the one that merges both.
func (s *site) takeSide(page, side string) string {
	s.Helper()
	for _, form := range regexp.MustCompile(`(?s)<form method="post">.*?</form>`).FindAllString(page, -1) {
		button := regexp.MustCompile(`formaction="[^"]*/memories(/[^"]*/resolve)" name="form_token" value="(\w+)"`).
			FindStringSubmatch(form)
		values := formValues(`class="memory-form"` + form)
		if button == nil || values.Get("side") != side {
			continue
		}
		values.Set("form_token", button[2])
		return s.sendForm("/memories"+button[1], values)
	}
	s.Fatalf("no button takes %q:\n%s", side, page)
	return ""
}

func TestSidesAreTakenOnThePage(t *testing.T) {
	s := serve(t, mergeless(t), time.Hour)
	before := s.read(jwtFile)
	record := `{"memory":"decisions/jwt-key-rotation.json","conflicts":[` +
		`{"field":"title","ours":"One title","theirs":"Other title"},` +
		`{"field":"content.decision","ours":"Keys live 90 days","theirs":"Keys live 30 days"}]}`
	s.write("decisions/jwt-key-rotation.conflict", record)
	s.says("/today/needs", "merge conflict", "title, content.decision")
	page := s.takeSide(s.get(s.base+jwt), "theirs")
	if now := s.read(jwtFile); !strings.Contains(now, `"title": "Other title"`) || strings.Contains(now, "30 days") {
		t.Errorf("not the one field is taken:\n%s", now)
	}
	if !strings.Contains(page, "More fields are in conflict") {
		t.Errorf("the page does not say what is left:\n%s", page)
	}
	page = s.takeSide(page, "ours")
	if _, err := s.root.ReadFile("decisions/jwt-key-rotation.conflict"); err == nil ||
		!strings.Contains(page, "The conflict is resolved.") || strings.Contains(page, "Take the other") {
		t.Errorf("it is not resolved:\n%s", page)
	}
	s.says("/today/needs", "!merge conflict")
	s.undo(page, 303)
	s.says(jwt, "Take the other", "Keys live 30 days", "!Other title</p>")

	// Who saw another file decides nothing.
	s.write(jwtFile, before)
	page = s.get(s.base + jwt)
	s.write(jwtFile, before+" ")
	form := regexp.MustCompile(`(?s)<form method="post"><p class="side">.*?</form>`).FindString(page)
	values := formValues(`class="memory-form"` + form)
	values.Set("form_token", regexp.MustCompile(`name="form_token" value="(\w+)"`).FindStringSubmatch(form)[1])
	if status, answer, _ := s.send("POST", s.base+jwt+"/resolve", values.Encode(), nil); status != 410 {
		t.Errorf("status %d\n%s", status, answer)
	}
}

func TestMarkersAreMergedOnThePage(t *testing.T) {
	s := serve(t, mergeless(t), time.Hour)
	whole := s.read(jwtFile)
	line := regexp.MustCompile(`(?m)^  "title": .*\n`).FindString(whole)
	two := "<<<<<<< HEAD\n  \"title\": \"One title\",\n=======\n  \"title\": \"Other title\",\n>>>>>>> side\n"
	marked := strings.Replace(whole, line, two, 1)
	s.write(jwtFile, marked)
	s.says("/today/needs", "merge conflict", `/memories/decisions/jwt-key-rotation">decisions/jwt-key-rotation.json`)
	status, page, _ := s.send("GET", s.base+jwt, "", nil)
	if status != 422 || !strings.Contains(page, "&lt;&lt;&lt;&lt;&lt;&lt;&lt; HEAD") || !strings.Contains(page, "Other title") {
		t.Fatalf("status %d:\n%s", status, page)
	}
	page = s.takeSide(page, "theirs")
	if now := s.read(jwtFile); !strings.Contains(now, `"title": "Other title"`) || strings.Contains(now, "<<<<") {
		t.Errorf("not merged:\n%s", now)
	}
	s.undo(page, 303)
	if s.read(jwtFile) != marked {
		t.Errorf("not undone:\n%s", s.read(jwtFile))
	}

	// Both sides may fit together.
	s.write(jwtFile, strings.Replace(whole, line, "<<<<<<< HEAD\n"+line+"=======\n"+line+">>>>>>> side\n", 1))
	status, page, _ = s.send("GET", s.base+jwt, "", nil)
	if status != 422 || !strings.Contains(page, "fit together") {
		t.Fatalf("status %d:\n%s", status, page)
	}
	if page = s.takeSide(page, ""); !strings.Contains(page, "The conflict is resolved.") {
		t.Errorf("not merged:\n%s", page)
	}
	for _, values := range []url.Values{{"side": {"ours"}}, {"field": {"title"}}, {"field": {"title"}, "side": {"value"}}} {
		values.Set("form_token", "x")
		if status, _, _ := s.send("POST", s.base+jwt+"/resolve", values.Encode(), nil); status != 403 {
			t.Errorf("%v: status %d", values, status)
		}
	}
}

func TestOwnMemoriesInConflictStandOnToday(t *testing.T) {
	root := mergeless(t)
	user := filepath.Join(t.TempDir(), ".claude", "memory")
	t.Setenv("MEMCTL_USER_ROOT", user)
	if _, err := files.Init(user); err != nil {
		t.Fatal(err)
	}
	data, err := root.ReadFile(jwtFile)
	if err == nil {
		err = os.WriteFile(filepath.Join(user, filepath.FromSlash(jwtFile)), data, 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(user, "decisions", "jwt-key-rotation.conflict"),
			[]byte(`{"conflicts":[{"field":"title","ours":"One title","theirs":"Other title"}]}`), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, root, time.Hour)
	s.says("/today/needs", "/memories/user:decisions/jwt-key-rotation", "memctl resolve jwt-key-rotation --user",
		"!both sides of a merge")
	s.takeSide(s.get(s.base+"/memories/user:decisions/jwt-key-rotation"), "theirs")
	now, err := os.ReadFile(filepath.Join(user, filepath.FromSlash(jwtFile)))
	if err != nil || !strings.Contains(string(now), `"title": "Other title"`) || s.read(jwtFile) != string(data) {
		t.Errorf("%v\n%s", err, now)
	}
}
