package indexer

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memctl/db"
	"memctl/files"
)

// A rebuild collects the triggers while it reads the files, a hook that ends a build takes them from the index, and
// Sync adds those of new files.
func TestTriggersAreTheSameWhereverTheyComeFrom(t *testing.T) {
	project := t.TempDir()
	root := files.Root{Path: filepath.Join(project, "memory"), Project: project}
	for name, content := range map[string]string{
		"src/api/auth.go": "", "src/main.go": "",
		"memory/constraints/a.json": `{"title": "Sessions end after an hour", "related_files": ["src", "./lib/*.go"],
			"content": {"rule": "Never run ` + "`npm install`" + ` in src/api. See main.go and other.go.", "severity": "high",
			"check": {"forbidden_lines": "foo.*bar"}}}`,
		"memory/constraints/b.json": `{"title": "Sessions end after a day", "record_status": "retired",
			"content": {"rule": "See main.go and ` + "`make`" + `"}}`,
		"memory/sessions/c.json": `{"title": "Worked on the sessions", "content": {"goal": "fix main.go"}}`,
	} {
		check(t, os.MkdirAll(filepath.Dir(filepath.Join(project, name)), 0o755))
		check(t, os.WriteFile(filepath.Join(project, name), []byte(content), 0o644))
	}
	lines := func() []string {
		all := bytes.Split(slices.Concat(Triggers(root), Titles(root)), []byte("\n"))
		var list []string
		for _, line := range all {
			if len(line) > 0 {
				list = append(list, string(line))
			}
		}
		slices.Sort(list)
		return list
	}
	_, err := Rebuild(t.Context(), root, time.Minute, nil)
	check(t, err)
	want := lines()
	if !slices.Contains(want, "n\tmain.go\tconstraints/a.json") ||
		!slices.Contains(want, "f\tsrc/api\tconstraints/a.json") ||
		slices.Contains(want, "n\tother.go\tconstraints/a.json") || len(want) != 7 {
		t.Errorf("a rebuild writes %q", want)
	}
	d, err := db.Open(t.Context(), root.Join(files.IndexName))
	check(t, err)
	defer d.Close()
	check(t, writeTriggers(t.Context(), d, root))
	if got := lines(); !slices.Equal(got, want) {
		t.Errorf("the index gives %q, the files %q", got, want)
	}
	for _, name := range []string{triggersName(root), titlesName(root)} {
		check(t, files.WriteStateFile(name, ""))
	}
	check(t, d.Update(t.Context(), func(tx *db.Tx) error { return tx.Remove("constraints/a.json") }))
	_, err = Sync(t.Context(), d, root, Full)
	check(t, err)
	if got := lines(); !slices.Equal(got, want) {
		t.Errorf("Sync adds %q, the rebuild wrote %q", got, want)
	}
}
