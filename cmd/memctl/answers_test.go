package main

import (
	"io"
	"io/fs"
	"regexp"
	"testing"
)

var (
	definedTemplate = regexp.MustCompile(`\{\{define "([^"]+)"`)
	calledTemplate  = regexp.MustCompile(`\{\{-? *template "([^"]+)"`)
)

// A template is parsed when a command prints it. Here all are, and each calls only what there is.
func TestAnswersAreTemplates(t *testing.T) {
	t.Parallel()
	defined, called := map[string]bool{}, map[string]bool{}
	for _, f := range features() {
		if f.Texts == nil {
			continue
		}
		files, _ := fs.Glob(f.Texts, "answers/*.tmpl")
		for _, file := range files {
			data, err := fs.ReadFile(f.Texts, file)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range definedTemplate.FindAllSubmatch(data, -1) {
				if name := string(found[1]); defined[name] {
					t.Errorf("%s: there is another template %q", file, name)
				}
				defined[string(found[1])] = true
			}
			for _, found := range calledTemplate.FindAllSubmatch(data, -1) {
				called[string(found[1])] = true
			}
		}
	}
	std := program()
	for name := range defined {
		_ = std.Say(io.Discard, name, nil) // panics if it cannot be parsed
	}
	for name := range called {
		if !defined[name] {
			t.Errorf("there is no template %q", name)
		}
	}
	if len(defined) < 50 {
		t.Errorf("only %d templates", len(defined))
	}
}
