package schemas

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// A template of every category is a draft that lacks only what a person has to say, and
// each of its optional fields can be used by removing the slashes before it.
func TestTemplates(t *testing.T) {
	for _, info := range Categories {
		form := FormOf(info.Category)
		for _, uncommented := range []bool{false, true} {
			draft := form.Template()
			if uncommented {
				draft = regexp.MustCompile(`(?m)^( +)// ("|  "|\}|  //)`).ReplaceAllString(draft, "$1$2")
			}
			doc, err := DecodeDraft([]byte(draft))
			if err != nil {
				t.Fatalf("%s: %v\n%s", info.Category, err, draft)
			}
			for _, field := range form.Head {
				if given := doc.Get(field.Name) != nil; given != (field.Name == "tags" || uncommented && !field.Required) {
					t.Errorf("%s: %s is given: %v", info.Category, field.Name, given)
				}
			}
			content := doc.ContentValues()
			for _, field := range form.Content {
				if _, given := content[field.Name]; given != (field.Required || uncommented) {
					t.Errorf("%s: %s is given: %v", info.Category, field.Name, given)
				}
				if !strings.Contains(draft, field.Description) {
					t.Errorf("%s: does not say what %s means", info.Category, field.Name)
				}
			}
			doc.Category, doc.Title, doc.Tags = info.Category, "Title", []string{"tag"}
			for _, field := range form.Content {
				switch {
				case content[field.Name] == nil && field.Required:
					content[field.Name] = "text"
				case field.NotEmpty:
					content[field.Name] = []any{"text"}
				}
			}
			doc.SetContent(content)
			doc.SchemaVersion, doc.ID, doc.RecordStatus = "1.0", "a", Active
			doc.CreatedAt, doc.UpdatedAt = "2026-01-31T09:00:00Z", "2026-01-31T09:00:00Z"
			data, err := doc.Encode()
			if violations := Validate(data); err != nil || violations != nil {
				t.Errorf("%s, filled in: %v, %v\n%s", info.Category, violations, err, data)
			}
		}
	}
	if form := FormOf("idea"); len(form.Head) > 0 {
		t.Error("an unknown category has a form")
	}
}

func TestDecodeDraft(t *testing.T) {
	tests := map[string]struct {
		draft, want string // want is the value of a, or an error
	}{
		"JSON":                       {`{"a": "1 // 2"}`, "1 // 2"},
		"comments and commas":        {"// first\n{\"a\": /* x */ \"1\",}\n", "1"},
		"a byte order mark":          {"\xef\xbb\xbf{\"a\": \"1\", // x\n}", "1"},
		"broken JSON":                {`{"a": `, "line 1, column 6: unexpected end of JSON input"},
		"broken below a comment":     {"{\n// x\n\"a\" 1}", "line 3, column 5: invalid character '1' after object name"},
		"a key twice, with comments": {"{\"a\": 1, // x\n\"a\": 2}", `the key "a" occurs twice`},
		"nothing":                    {" \n", "the file is empty"},
		"no object":                  {"// x\n[]", "expected a JSON object, got a list"},
		"nested too deeply":          {`{"a": ` + strings.Repeat("[", maxLevels) + strings.Repeat("]", maxLevels) + `}`, "objects and lists are nested more than 100 deep"},
		"nested as deeply as may be": {`{"b": ` + strings.Repeat("[", maxLevels-1) + strings.Repeat("]", maxLevels-1) + `, "a": "1"}`, "1"},
		"nested without end":         {strings.Repeat("[", 1<<20), "line 1, column 10001: invalid character '[' exceeded max depth"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			doc, err := DecodeDraft([]byte(tt.draft))
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got, _ = doc.Get("a").(string)
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLineOf(t *testing.T) {
	doc := `{
  "title": "T", // the title
  "content": {
    "status": "maybe",
    "rationale": [
      "one",
      2
    ],
    "a.b": 1
  }
}`
	for field, want := range map[string]int{
		"title": 2, "content": 3, "content.status": 4, "content.rationale": 5, "content.rationale.1": 7, "content.context": 3,
		"owner": 1, "": 1, `content."a.b"`: 9, "content.rationale.1.x": 7,
	} {
		if got := LineOf([]byte(doc), field); got != want {
			t.Errorf("%s: line %d, want %d", field, got, want)
		}
	}
	if got := LineOf([]byte(`{"a": `), "a"); got != 0 {
		t.Errorf("of no JSON: line %d", got)
	}
}

// Whatever a draft is, it is decoded as the JSON that remains without its comments.
func FuzzDecodeDraft(f *testing.F) {
	f.Add("// x\n{\"a\": [1, 2,],}", "a.1")
	f.Add("{\"a\": \"//\"}", "a")
	f.Fuzz(func(t *testing.T, draft, field string) {
		doc, err := DecodeDraft([]byte(draft))
		line := LineOf([]byte(draft), field)
		if lines := 1 + strings.Count(draft, "\n"); line < 0 || line > lines {
			t.Errorf("line %d of %d", line, lines)
		}
		if plain, plainErr := DecodeExact([]byte(draft)); plainErr == nil && (err != nil || !reflect.DeepEqual(doc, plain)) {
			t.Errorf("JSON is not a draft: %v", err)
		}
	})
}
