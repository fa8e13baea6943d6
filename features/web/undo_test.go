package web_test

import (
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

var undoForms = regexp.MustCompile(`action="[^"]*(/undo/\w+)" class="undo"><input type="hidden" name="form_token" value="(\w+)"`)

// undo presses the button of a page that undoes its change.
func (s *site) undo(page string, want int) string {
	s.Helper()
	form := undoForms.FindStringSubmatch(page)
	if form == nil {
		s.Fatalf("nothing can be undone:\n%s", page)
	}
	status, answer, _ := s.send("POST", s.base+form[1], url.Values{"form_token": {form[2]}}.Encode(), nil)
	if status != want {
		s.Errorf("undo: status %d, want %d:\n%s", status, want, answer)
	}
	return answer
}

// sendForm sends a form and follows to the page that says what was done.
func (s *site) sendForm(path string, values url.Values) string {
	s.Helper()
	status, answer, header := s.send("POST", s.base+path, values.Encode(), nil)
	if status != 303 {
		s.Fatalf("%s: status %d:\n%s", path, status, answer)
	}
	return s.get(s.origin + header.Get("Location"))
}

func TestEveryChangeIsUndone(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	before := s.read(jwtFile)

	edit := formValues(s.get(s.base + jwt + "/edit"))
	edit.Set("title", "Signing keys of the payment service live a month")
	edit.Set("hash", s.field(s.get(s.base+jwt), "hash"))
	page := s.sendForm(jwt+"/edit", edit)
	if _, err := s.root.ReadFile(jwtFile); err == nil {
		t.Fatal("the file has its old name")
	}
	s.undo(page, 303)
	if s.read(jwtFile) != before {
		t.Errorf("the edit is not undone:\n%s", s.read(jwtFile))
	}
	s.undo(page, 410) // once

	page = s.get(s.base + jwt)
	page = s.sendForm(jwt+"/retire", url.Values{"form_token": {s.moveToken(page, "retire")}, "hash": {s.field(page, "hash")}})
	retired := s.read(jwtFile)
	s.write(jwtFile, retired+" ")
	s.undo(page, 409)
	if s.read(jwtFile) != retired+" " {
		t.Error("a change since was undone")
	}

	form := s.get(s.base + "/new?category=preference")
	values := formValues(form)
	for field, value := range map[string]string{"title": "Answers are short", "tags": "style", "content.topic": "answers", "content.value": "three sentences", "content.reason": "they are read on a phone"} {
		values.Set(field, value)
	}
	s.undo(s.sendForm("/new", values), 303)
	if _, err := s.root.ReadFile("preferences/answers-are-short.json"); err == nil {
		t.Error("the new memory is still there")
	}
}

// A memory says again what it said before a change, and in a commit.
func TestAVersionIsBroughtBack(t *testing.T) {
	root := parcel(t)
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-C", root.Project, "-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "first")
	s := serve(t, root, time.Hour)
	first := s.read(jwtFile)
	decision := regexp.MustCompile(`"decision": ".*"`).FindString(first)

	edit := formValues(s.get(s.base + jwt + "/edit"))
	edit.Set("content.decision", "Keys live for an hour.")
	edit.Set("hash", s.field(s.get(s.base+jwt), "hash"))
	page := s.sendForm(jwt+"/edit", edit)
	git("commit", "-qam", "second")
	bring := func(button string) string {
		t.Helper()
		_, rest, found := strings.Cut(page, `id="version"><input type="hidden" name="form_token" value="`)
		token, _, _ := strings.Cut(rest, `"`)
		match := regexp.MustCompile(`form="version" name="(`+button+`)" value="(\w+)"`).FindAllStringSubmatch(page, -1)
		if !found || match == nil {
			t.Fatalf("no version to bring back:\n%s", page)
		}
		last := match[len(match)-1]
		if button == "change" {
			last = match[0]
		}
		return s.sendForm(jwt+"/version", url.Values{"form_token": {token}, "hash": {s.field(page, "hash")}, last[1]: {last[2]}})
	}
	page = bring("change")
	after := s.read(jwtFile)
	if !strings.Contains(after, decision) || !strings.Contains(after, "Brought back what it said before") || !strings.Contains(after, "content.decision changed") {
		t.Errorf("after a change was taken back:\n%s", after)
	}
	s.undo(page, 303)
	if !strings.Contains(s.read(jwtFile), "Keys live for an hour.") {
		t.Error("bringing a version back is not undone")
	}
	page = s.get(s.base + jwt)
	bring("commit")
	after = s.read(jwtFile)
	if !strings.Contains(after, decision) || !strings.Contains(after, "Brought back what it said in commit") || !strings.Contains(after, "content.decision changed") {
		t.Errorf("after a commit was brought back:\n%s", after)
	}
}
