package web

import (
	"fmt"
	"html/template"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What was taken leaves its place to others.
func TestACacheHasRoomForTheLast(t *testing.T) {
	var c cache[int]
	c.put("first", 1)
	c.put("taken", 2)
	if got := []int{c.take("taken"), c.take("taken")}; !slices.Equal(got, []int{2, 0}) {
		t.Errorf("taken twice: %v", got)
	}
	for i := range maxKept - 1 {
		c.put(fmt.Sprint(i), i)
	}
	if c.get("first") != 1 {
		t.Error("one of the last is gone")
	}
	if c.put("more", 3); c.get("first") != 0 || c.get("more") != 3 || len(c.values) != maxKept {
		t.Errorf("%d values, the first one is %d", len(c.values), c.get("first"))
	}
}

func TestAnAddressTakesAValue(t *testing.T) {
	for page, want := range map[string]string{
		"/today":             "/today?note=k",
		"/sessions/a?b=1#c2": "/sessions/a?b=1&note=k#c2",
		"/memories?note=old": "/memories?note=k",
		"/memories?q=\x00":   "/today",
	} {
		if got := with(page, "note", "k"); got != want {
			t.Errorf("with(%q) = %q, want %q", page, got, want)
		}
	}
}

// Each function and each part of the templates is used, and so is each style.
func TestNothingOfThePagesIsDead(t *testing.T) {
	set := template.Must(template.New("").Funcs(pages{}.funcs("en")).ParseFS(templates, "templates/*.html"))
	var markup strings.Builder
	for _, part := range set.Templates() {
		if part.Tree != nil {
			markup.WriteString(part.Tree.Root.String())
		}
	}
	calls := strings.Join(regexp.MustCompile(`{{[^}]*}}`).FindAllString(markup.String(), -1), " ")
	for name := range (pages{}).funcs("en") {
		if !regexp.MustCompile(`[{( |]` + name + `[ )}|]`).MatchString(calls) {
			t.Errorf("no template calls %s", name)
		}
	}
	for _, part := range set.Templates() {
		isFile := strings.HasSuffix(part.Name(), ".html") || part.Name() == ""
		if !isFile && !strings.Contains(calls, `{{template "`+part.Name()+`"`) {
			t.Errorf("no template has the part %s", part.Name())
		}
	}
	style, err := static.ReadFile("static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := static.ReadDir("static")
	if err != nil {
		t.Fatal(err)
	}
	source := sources(t)
	for _, script := range scripts {
		if strings.HasSuffix(script.Name(), ".js") {
			data, err := os.ReadFile("static/" + script.Name())
			if err != nil {
				t.Fatal(err)
			}
			source += string(data)
		}
	}
	selectors := regexp.MustCompile(`(?s)/\*.*?\*/|\{[^{}]*\}`).ReplaceAllString(string(style), "")
	names := matches(regexp.MustCompile(`[.#]([a-zA-Z][\w-]*)`), selectors)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		used := regexp.MustCompile(`(?:class|id)="[^"]*\b` + name + `\b|["'#.{} ]` + name + `["'}). ]`)
		if !used.MatchString(source) {
			t.Errorf("nothing has the style %s", name)
		}
	}
}
