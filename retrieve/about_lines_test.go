package retrieve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memctl/schemas"
)

// forbidding is a constraint with a check for lines.
func forbidding(id, expression string, related ...string) json.RawMessage {
	data, _ := json.Marshal(map[string]any{
		"category": "constraint", "id": id, "title": id, "related_files": related, "record_status": "active",
		"content": map[string]any{"rule": "It is so", "severity": "high",
			"check": map[string]any{"forbidden_lines": expression, "instead": "that"}},
	})
	return data
}

func TestAboutForbiddenLines(t *testing.T) {
	root := rootWith(t, []json.RawMessage{
		forbidding("anywhere", `\bmoment\(`),
		forbidding("file", `\bfloat64\b`, "pay/pay.go"),
		forbidding("pattern", `\bfloat32\b`, "pay/*.go"),
		forbidding("start", `^import `),
	})
	inProject(t, root, "pay/pay.go", "web/app.js")
	for name, tt := range map[string]struct {
		file  string
		added []string
		want  []string // the ids that forbid it
	}{
		"any file":       {"web/app.js", []string{"a", "b = moment()"}, []string{"anywhere"}},
		"part of a word": {"web/app.js", []string{"b = amoment()"}, nil},
		"its file":       {"pay/pay.go", []string{"var a float64"}, []string{"file"}},
		"a pattern":      {"pay/new.go", []string{"var a float32"}, []string{"pattern"}},
		"another file":   {"web/app.js", []string{"float64 float32"}, nil},
		"each line":      {"web/app.js", []string{"x", "import y"}, []string{"start"}},
		"within a line":  {"web/app.js", []string{"x import y"}, nil},
		"no lines":       {"web/app.js", nil, nil},
		"no file":        {"", []string{"moment()"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			action := Action{Added: func() []string { return tt.added }}
			if tt.file != "" {
				action.Files = []string{tt.file}
			}
			var got []string
			for _, r := range About(root, action) {
				if r.Forbids {
					got = append(got, r.ID)
				}
				if said := strings.Contains(r.Sentence, "It is so. Instead: that"); said != r.Forbids {
					t.Errorf("%s says %q", r.ID, r.Sentence)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	isRead := Action{Files: []string{"web/app.js"}, Reads: true, Added: func() []string { return []string{"moment()"} }}
	if got := About(root, isRead); len(got) > 0 {
		t.Errorf("what is read: %v", got)
	}
}

// The lines are made only where a memory forbids lines, and compared with so many expressions.
func TestAboutForbiddenLinesIsBounded(t *testing.T) {
	var memories []json.RawMessage
	for n := range maxExpressions + 20 {
		memories = append(memories, forbidding(fmt.Sprintf("n-%d", n), fmt.Sprintf("n%d|same", n)))
	}
	root := rootWith(t, memories)
	found := map[string]bool{}
	for n := range memories {
		for _, r := range About(root, Action{Files: []string{"a"}, Added: func() []string { return []string{fmt.Sprintf(".n%d.", n)} }}) {
			found[r.ID] = true
		}
	}
	if len(found) != maxExpressions {
		t.Errorf("%d memories are found", len(found))
	}
	if got := About(root, Action{Files: []string{"a"}, Added: func() []string { return []string{"same"} }}); len(got) != maxAbout {
		t.Errorf("%d memories for one line", len(got))
	}
	without := rootWith(t, []json.RawMessage{constraint("file", "It is.", "a")})
	About(without, Action{Files: []string{"a"}, Added: func() []string { t.Error("the lines are asked for"); return nil }})
}

func TestLiteralOf(t *testing.T) {
	for expression, want := range map[string]string{
		`\bmoment\(`: "moment(", `a\.only\(|b`: "", `(?i)moment`: "", `[a-z]+foo.*bars`: "bars", `x?`: "", `(moment)`: "",
		`moment(`: "", "": "", `^import `: "import ", `foo|foobar`: "foo",
	} {
		if got := literalOf(expression); got != want {
			t.Errorf("%s: got %q, want %q", expression, got, want)
		}
	}
}

func FuzzForbiddenLine(f *testing.F) {
	f.Add(`\bmoment\(`, "a = moment()")
	f.Fuzz(func(t *testing.T, expression, line string) {
		at := ForbiddenLine(&schemas.Check{ForbiddenLines: expression}, []string{line})
		if at > 0 || at == 0 && schemas.Expression(expression) == nil {
			t.Errorf("%q forbids %q at %d", expression, line, at)
		}
		if a := (act{added: []string{line}}); at == 0 && !a.hasText(literalOf(expression)) {
			t.Errorf("%q forbids %q, which does not have %q", expression, line, literalOf(expression))
		}
	})
}
