package writer

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memctl/memdir"
	"memctl/schemas"
)

func TestReadInput(t *testing.T) {
	base := t.TempDir()
	temp := filepath.Join(base, "temp")
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	project := filepath.Join(temp, "project")
	memories := filepath.Join(project, memdir.RootPath, "decisions")
	for _, dir := range []string{memories, filepath.Join(temp, "folder")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	root, err := memdir.At(project)
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(temp, name) }
	for path, data := range map[string]string{
		at("draft.json"): "draft", at("huge.json"): strings.Repeat("x", maxInput+1), at("full.json"): strings.Repeat("x", maxInput),
		filepath.Join(base, "outside.json"): "outside", filepath.Join(memories, "a.json"): "memory", at("folder/draft.json"): "below",
	} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{
		at("link.json"): at("draft.json"), at("out.json"): filepath.Join(base, "outside.json"), at("linked"): at("folder"), at("loop"): at("loop"),
		filepath.Join(base, "in"): temp,
	} {
		if err := os.Symlink(to, from); err != nil {
			t.Skip(err)
		}
	}

	tests := map[string]struct {
		name string
		code Code // "": it is read
		want string
	}{
		"a draft":                          {name: at("draft.json"), want: "draft"},
		"a draft in a folder":              {name: at("folder/draft.json"), want: "below"},
		"stdin":                            {name: "-", want: "from stdin"},
		"as large as may be":               {name: at("full.json"), want: strings.Repeat("x", maxInput)},
		"too large":                        {name: at("huge.json"), code: InputError},
		"no such file":                     {name: at("none.json"), code: InputError},
		"a folder":                         {name: at("folder"), code: SecurityError},
		"outside the temporary folder":     {name: filepath.Join(base, "outside.json"), code: SecurityError},
		"the temporary folder itself":      {name: temp, code: SecurityError},
		"two dots":                         {name: at("folder") + "/../draft.json", code: SecurityError},
		"two dots in a name":               {name: at("draft..json"), code: SecurityError},
		"a link to a draft":                {name: at("link.json"), code: SecurityError},
		"a link that leads out":            {name: at("out.json"), code: SecurityError},
		"a link on the way":                {name: at("linked/draft.json"), code: SecurityError},
		"a link to itself":                 {name: at("loop"), code: SecurityError},
		"a link to the temporary folder":   {name: filepath.Join(base, "in", "draft.json"), code: SecurityError},
		"a memory":                         {name: filepath.Join(memories, "a.json"), code: SecurityError},
		"a device":                         {name: os.DevNull, code: SecurityError},
		"a name that no file system has":   {name: at("a\x00b"), code: InputError},
		"a name longer than a name can be": {name: at(strings.Repeat("a", 5000)), code: InputError},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in, err := ReadInput(root, tt.name, strings.NewReader("from stdin"))
			var refused *Error
			if errors.As(err, &refused) && refused.Code != tt.code || err != nil && tt.code == "" || err == nil && tt.code != "" {
				t.Fatalf("got %v, want %q", err, tt.code)
			}
			if err == nil && string(in.Data) != tt.want {
				t.Errorf("read %.40q, want %.40q", in.Data, tt.want)
			}
		})
	}
	if _, err := ReadInput(root, "-", strings.NewReader(strings.Repeat("x", maxInput+1))); err == nil {
		t.Error("stdin is read without end")
	}
}

// A draft becomes a valid memory or is refused with a writer's error.
func FuzzDraft(f *testing.F) {
	f.Add(`{"title": "Kafka", "tags": ["a"], "content": {"status": "accepted", "context": "c", "decision": "d", "rationale": ["r"]}}`)
	f.Add(`{"title": "<private>x", "id": "../../x", "category": "runbook", "content": {"trigger": "t", "steps": ["s"], "verification": "v"}}`)
	f.Fuzz(func(t *testing.T, draft string) {
		for _, info := range schemas.Categories {
			doc, err := Input{Name: "-", Data: []byte(draft)}.document()
			if err != nil {
				t.Skip()
			}
			w, _ := testWriter()
			p, data, _, err := w.newMemory(info.Category, "", doc)
			if err != nil {
				if refused := new(Error); !errors.As(err, &refused) {
					t.Errorf("refused with %v", err)
				}
				continue
			}
			m, err := schemas.Decode(data)
			if violations := schemas.Validate(data); err != nil || len(violations) > 0 || m.ID != p.stem || m.Category != info.Category {
				t.Errorf("%s is not valid as %s: %v, %v", data, p.shown, err, violations)
			}
		}
	})
}
