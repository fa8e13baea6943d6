package writer

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memctl/files"
	"memctl/files/systemtest"
	"memctl/schemas"
)

// A draft may be any file. Only one in the staging folder is removed.
func TestReadInput(t *testing.T) {
	base := t.TempDir()
	t.Setenv("TMPDIR", base)
	t.Setenv("TMP", base)
	project := filepath.Join(base, "project")
	if err := os.MkdirAll(filepath.Join(project, files.RootPath), 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := files.At(project)
	if err != nil {
		t.Fatal(err)
	}
	staging, err := root.OpenStaging()
	if err != nil {
		t.Fatal(err)
	}
	defer staging.Close()
	staged, err := staging.Write("draft-a.json", "staged")
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(base, name) }
	for path, data := range map[string]string{
		at("draft.json"): "draft", at("huge.json"): strings.Repeat("x", maxInput+1), at("full.json"): strings.Repeat("x", maxInput),
	} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	linked := root.Staging()
	if systemtest.HasLinks() {
		linked = at("linked")
		systemtest.Symlink(t, at("draft.json"), at("link.json"))
		systemtest.Symlink(t, root.Staging(), linked)
	}

	tests := map[string]struct {
		name, want string // want is the data, or an error
		removed    bool
	}{
		"a draft":                        {name: at("draft.json"), want: "draft"},
		"a link to one":                  {name: at("link.json"), want: "draft"},
		"two dots":                       {name: at("project/../draft.json"), want: "draft"},
		"stdin":                          {name: "-", want: "from stdin"},
		"as large as may be":             {name: at("full.json"), want: strings.Repeat("x", maxInput)},
		"a staged draft through a link":  {name: filepath.Join(linked, "draft-a.json"), want: "staged", removed: true},
		"a device":                       {name: os.DevNull, want: ""},
		"too large":                      {name: at("huge.json"), want: "more than 1 MiB"},
		"no such file":                   {name: "none.json", want: "there is no file none.json"},
		"no such folder":                 {name: at("no/none.json"), want: "there is no file " + at("no/none.json")},
		"a folder":                       {name: project, want: project + " is a folder, not a draft"},
		"a name that no file system has": {name: "a\x00b", want: "the file a\x00b cannot be read: invalid argument"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.name == at("link.json") && !systemtest.HasLinks() {
				t.Skip(systemtest.NoLinks)
			}
			in, err := ReadInput(root, tt.name, strings.NewReader("from stdin"))
			got := string(in.Data)
			if err != nil {
				got = Reason(err)
			}
			if got != tt.want {
				t.Fatalf("got %.60q, want %.60q", got, tt.want)
			}
			if err != nil || tt.name == "-" || tt.name == os.DevNull {
				return
			}
			if err := in.Remove(); err != nil {
				t.Error(err)
			}
			if _, err := os.Lstat(tt.name); (err != nil) != tt.removed {
				t.Errorf("removed: %v", err)
			}
		})
	}
	if _, err := os.Lstat(staged); err == nil {
		t.Error("the staged draft is still there")
	}
}

// A draft becomes a valid memory or is refused with a writer's error.
func FuzzDraft(f *testing.F) {
	f.Add(`{"title": "Kafka", "tags": ["a"], "content": {"status": "accepted", "context": "c", "decision": "d", "rationale": ["r"]}}`)
	f.Add(`{"title": "<private>x", "id": "../../x", "category": "runbook", "content": {"trigger": "t", "steps": ["s"], "verification": "v"}}`)
	f.Fuzz(func(t *testing.T, draft string) {
		for _, info := range schemas.Categories {
			doc, err := Input{Name: "-", Data: []byte(draft)}.decode()
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
