package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// On a terminal, resolve settles each field that both sides changed with a key.
func TestResolveAsksFieldByField(t *testing.T) {
	const both, title, rule = "o ours, t theirs, e edit, s skip, q stop", "Theirs", "3 MB"
	tests := map[string]struct {
		typed []string
		code  int
		says  []string
		title string
		left  string // of the record, "" for none
	}{
		"theirs, then ours": {[]string{"t\n", "o\n"}, 0, []string{both, "resolved: .claude/memory/constraints/kafka.json",
			"resolved 1 of 1 memory", `run "git add .claude/memory/constraints/kafka.json"`}, "Ours", ""},
		"skip, then theirs": {[]string{"s\n", "t\n"}, 1, []string{"resolved 0 of 1 memory"}, "Theirs", "content.rule"},
		"an unknown key":    {[]string{"x\n", "\n", "q\n"}, 1, []string{"resolved 0 of 1 memory"}, "Ours", "content.rule"},
		"edited":            {[]string{"o\n", "e\n"}, 0, []string{"resolved 1 of 1"}, "Edited", ""},
		"an edit of markers": {[]string{"e\n", "q\n"}, 1, []string{"are still in the text; nothing was changed"}, "Ours",
			"content.rule"},
		"a title of two lines": {[]string{"o\n", "e\n", "q\n"}, 1, []string{"or a title of several lines; nothing was changed"},
			"Ours", `"title"`},
		// The terminal drops its output at Ctrl-C.
		"Ctrl-C":           {[]string{"t\n", "\x03"}, 130, nil, "Ours", `"title"`},
		"the end of input": {[]string{"\x04"}, 1, []string{"resolved 0 of 1 memory"}, "Ours", "content.rule"},
	}
	for _, registered := range []bool{true, false} {
		for name, tt := range tests {
			t.Run(map[bool]string{true: "recorded, ", false: "markers, "}[registered]+name, func(t *testing.T) {
				r := newRepository(t, registered)
				r.branch("side", func() { r.set(kafka, values{"title": "Theirs", "content.rule": rule}) })
				r.set(kafka, values{"title": "Ours", "content.rule": "4 MB"})
				r.commit("main")
				r.fails("CONFLICT", "merge", "side")
				editor := filepath.Join(r.home, "editor.sh")
				edit := "sed -i -e '/^[<=>]/d' -e '/Theirs/d' -e 's/Ours/Edited/' \"$1\"\n"
				switch name {
				case "an edit of markers":
					edit = "sed -i '/^>/d' \"$1\"\n"
				case "a title of two lines":
					edit = "sed -i '/^[<=>]/d' \"$1\"\n"
				}
				r.check(os.WriteFile(editor, []byte(edit), 0o644))
				t.Setenv("VISUAL", "")
				t.Setenv("EDITOR", "sh "+editor)
				seen, code := typeInto(t, r.dir, tt.typed, "resolve")
				if code != tt.code {
					t.Errorf("exit status %d, want %d", code, tt.code)
				}
				for _, want := range tt.says {
					if !strings.Contains(seen, want) {
						t.Errorf("no %q", want)
					}
				}
				data, err := os.ReadFile(r.path(kafka))
				if r.check(err); !strings.Contains(string(data), `"title": "`+tt.title+`"`) {
					t.Errorf("no title %s in\n%s", tt.title, data)
				}
				record, _ := os.ReadFile(r.path("constraints/kafka.conflict"))
				isMarked := strings.Contains(string(data), "<<<<<<<")
				if tt.left == "" && (len(record) > 0 || isMarked) || !strings.Contains(string(record), tt.left) && !isMarked {
					t.Errorf("left %s\n%s", record, data)
				}
				if t.Failed() {
					t.Log(seen)
				}
			})
		}
	}
}
