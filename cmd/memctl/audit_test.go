package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

const auditDoc = "../../docs/dev/audit.md"

// auditBlock is a query and its result.
var auditBlock = regexp.MustCompile("(?ms)^```sql\n(.*?)^```\n\n```text\n(.*?)^```$")

// TestAuditQueries runs the queries of docs/dev/audit.md in the sqlite3 program, as an
// auditor would. memctl is built with another SQLite.
func TestAuditQueries(t *testing.T) {
	t.Parallel()
	index, doc := auditIndex(t), readAuditDoc(t)
	blocks := auditBlock.FindAllStringSubmatch(doc, -1)
	if all := strings.Count(doc, "\n```sql\n"); len(blocks) != all || all < 10 {
		t.Fatalf("%d of %d queries are followed by their result", len(blocks), all)
	}
	for _, block := range blocks {
		query, want := block[1], block[2]
		got := withoutPadding(sqlite3(t, index, "-column", ".headers on\n"+query))
		if diff := cmp.Diff(cells(want), cells(got)); diff != "" && !*update {
			t.Errorf("%s-doc +sqlite3:\n%s", query, diff)
		}
		doc = strings.Replace(doc, block[0], "```sql\n"+query+"```\n\n```text\n"+got+"```", 1)
	}
	if *update {
		writeAuditDoc(t, doc)
	}
}

func TestAuditNamesEveryTable(t *testing.T) {
	t.Parallel()
	names := sqlite3(t, auditIndex(t), "-list", `
		SELECT name FROM sqlite_schema
		WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'memories_fts_%' AND name NOT LIKE 'observations_fts_%'
		ORDER BY name`)
	doc := readAuditDoc(t)
	for name := range strings.FieldsSeq(names) {
		if !strings.Contains(doc, "`"+name+"`") {
			t.Errorf("docs/dev/audit.md does not say what a row of %s means", name)
		}
	}
}

// A person can run rank.sql: with the right parameters it returns what the search
// command does.
func TestAuditRank(t *testing.T) {
	t.Parallel()
	const root = ".claude/memory/"
	index := auditIndex(t)
	project := strings.TrimSuffix(filepath.ToSlash(index), root+"index.db")
	type ranked struct {
		Path  string
		Score int
	}
	prompts := append(readPrompts(t), "rationale of our kafka quotas") // words from category descriptions
	for _, prompt := range prompts {
		t.Run(prompt, func(t *testing.T) {
			var want, got []ranked
			out, _ := memctl(t, project, "", "search", "--json", "--strategy", "title_tags", prompt)
			decode(t, out, &want)
			want = slices.DeleteFunc(want, func(r ranked) bool { return r.Path == "" }) // observations, which take some of the places
			decode(t, sqlite3(t, index, "-json", rankScript(t, prompt)), &got)
			got = got[:min(len(got), len(want))]
			for i := range got {
				got[i].Path = root + got[i].Path
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-search +sqlite3:\n%s", diff)
			}
		})
	}
}

// rankScript is a script that runs rank.sql with the parameters that the search command
// sets by default.
func rankScript(t *testing.T, prompt string) string {
	t.Helper()
	cfg, _ := schemas.DecodeConfig(schemas.InitialConfig)
	q := retrieve.NewQuery(prompt, cfg.Descriptions, 10, time.Now())
	var script strings.Builder
	for name, value := range map[string]any{"prompt": q.Tokens, "described": q.Described, "statuses": q.Statuses} {
		list, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&script, ".parameter set :%s '%s'\n", name, list)
	}
	fmt.Fprintf(&script, ".parameter set :recent_after %d\n", q.Now.AddDate(0, 0, -retrieve.RecentDays).Unix())
	fmt.Fprintf(&script, ".parameter set :limit %d\n.parameter set :pool -1\n.read retrieve/rank.sql\n", q.Limit)
	return script.String()
}

// auditIndex is the index of a new project with the sample store.
func auditIndex(t *testing.T) string {
	t.Helper()
	project := t.TempDir()
	root := filepath.Join(project, ".claude/memory")
	memctl(t, project, "", "init")
	if err := os.CopyFS(root, os.DirFS("../../testdata/stores/parcel")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(root, "observations"), os.DirFS("../../testdata/stores/observations")); err != nil {
		t.Fatal(err)
	}
	memctl(t, project, "", "list")
	return filepath.Join(root, "index.db")
}

// sqlite3 runs a script in the root of the source tree, without the user's settings,
// and returns its output.
func sqlite3(t *testing.T, index, mode, script string) string {
	t.Helper()
	program, err := exec.LookPath("sqlite3")
	if err != nil && runtime.GOOS == "windows" {
		t.Skip("no sqlite3, which audits the index")
	}
	if err != nil {
		t.Fatalf("%v\nhint: install SQLite's command line program (apt-get install sqlite3)", err)
	}
	cmd := exec.Command(program, "-batch", "-bail", "-init", os.DevNull, mode, "file:"+index+"?mode=ro")
	cmd.Dir = "../.."
	cmd.Stdin = strings.NewReader(script)
	var errOut strings.Builder
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil || errOut.Len() > 0 {
		t.Fatalf("sqlite3: %v\n%s\n%s", err, errOut.String(), script)
	}
	return string(out)
}

// withoutPadding returns a table of sqlite3's mode column as the page shows it: without spaces at the end of lines and without
// the line below the names.
func withoutPadding(result string) string {
	var b strings.Builder
	for line := range strings.Lines(result) {
		if line = strings.TrimRight(line, " \n"); strings.Trim(line, "- ") != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// cells are the rows of a table. The width of a column differs between versions of sqlite3.
func cells(result string) [][]string {
	var rows [][]string
	for line := range strings.Lines(result) {
		rows = append(rows, columnEnd.Split(strings.TrimSpace(line), -1))
	}
	return rows
}

// columnEnd is between two cells of sqlite3's modes column and tabs.
var columnEnd = regexp.MustCompile(` {2,}|\t`)

func decode(t *testing.T, out string, into any) {
	t.Helper()
	if out == "" { // sqlite3 prints nothing for no rows
		out = "[]"
	}
	if err := json.Unmarshal([]byte(out), into); err != nil {
		t.Fatal(err)
	}
}

func readAuditDoc(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(auditDoc)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func writeAuditDoc(t *testing.T, doc string) {
	t.Helper()
	if err := os.WriteFile(auditDoc, []byte(doc), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readPrompts(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("../../testdata/stores/prompts.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}
