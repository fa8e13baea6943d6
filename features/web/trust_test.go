package web_test

import (
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

var seenForms = regexp.MustCompile(`action="[^"]*/memories/seen">((?:<input type="hidden" name="content" value="\w+">)*)\s*` +
	`<button name="form_token" value="(\w+)">I have seen the new memories on this page \((\d+)\)`)

// clone makes the sample store one that somebody else has committed.
func clone(t *testing.T) *site {
	t.Helper()
	root := parcel(t)
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "-A"}, {"commit", "--quiet", "-m", "hers"}} {
		args = append([]string{"-C", root.Project, "-c", "user.name=Ann Lee", "-c", "user.email=ann@acme.example"}, args...)
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return serve(t, root, time.Hour)
}

// answerSeen presses the button of a page with new memories.
func (s *site) answerSeen(page string) (status int, answer, goTo string) {
	s.Helper()
	form := seenForms.FindStringSubmatch(page)
	if form == nil {
		s.Fatalf("the page has no button for new memories:\n%s", page)
	}
	values := url.Values{"form_token": {form[2]}}
	for _, input := range regexp.MustCompile(`value="(\w+)"`).FindAllStringSubmatch(form[1], -1) {
		values.Add("content", input[1])
	}
	status, answer, header := s.send("POST", s.base+"/memories/seen", values.Encode(), nil)
	return status, answer, header.Get("Location")
}

func TestOneButtonAnswersForTheNewMemoriesOfAPage(t *testing.T) {
	s := clone(t)
	page := s.get(s.base + "/memories")
	if !strings.Contains(page, `<span class="tag">new, by someone</span>`) {
		t.Fatalf("nothing is marked:\n%s", page)
	}
	changed := s.read(jwtFile)
	s.write(jwtFile, strings.Replace(changed, "title\": \"", "title\": \"Changed: ", 1))
	status, answer, goTo := s.answerSeen(page)
	if status != 303 {
		t.Fatalf("status %d:\n%s", status, answer)
	}
	if page := s.get(s.origin + goTo); !strings.Contains(page, "memories are marked as seen.") {
		t.Errorf("the page does not say what was done:\n%s", page)
	}
	// What has changed since the page was shown was not seen.
	page = s.get(s.base + "/memories?q=Changed")
	if form := seenForms.FindStringSubmatch(page); form == nil || form[3] != "1" {
		t.Errorf("the changed memory alone is not left:\n%s", page)
	}
	s.answerSeen(page)
	if page = s.get(s.base + "/memories?q=Changed"); seenForms.MatchString(page) {
		t.Errorf("the button is still there:\n%s", page)
	}
}

func TestAnAgentsPagesDoNotAnswerForThePerson(t *testing.T) {
	s := clone(t)
	page := s.get(s.base + "/memories")
	t.Setenv("CLAUDECODE", "1")
	status, answer, _ := s.answerSeen(page)
	if status < 400 || !strings.Contains(answer, "an agent") {
		t.Errorf("status %d:\n%s", status, answer)
	}
	if !strings.Contains(s.get(s.base+"/memories"), "new, by ") {
		t.Error("the memories are marked as seen")
	}
}
