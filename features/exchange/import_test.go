package exchange

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/features/doctor"
	"memctl/files"
	"memctl/files/systemtest"
	"memctl/observe"
	"memctl/schemas"
	"memctl/writer"

	"github.com/google/go-cmp/cmp"
)

// newWriter returns the writer of a new project.
func newWriter(t *testing.T) *writer.Writer {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, ".state"))
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	if _, err := files.Init(filepath.Join(dir, files.RootPath)); err != nil {
		t.Fatal(err)
	}
	root, err := files.At(dir)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return &writer.Writer{Root: root, Config: schemas.DefaultConfig(), Now: func() time.Time { return now },
		Notify: func(writer.Notice) {}, Lasting: true}
}

// importAll imports a source whole.
func importAll(t *testing.T, w *writer.Writer, format, source string) *Import {
	t.Helper()
	f, known := FormatNamed(format)
	if !known {
		t.Fatalf("no format %s", format)
	}
	im, err := Read(context.Background(), w, f, source, Options{Project: "parcel", Observations: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := im.Write(context.Background()); err != nil {
		t.Fatal(err)
	}
	return im
}

// samples are the sources of testdata/import by their formats.
var samples = map[string]string{
	"beads": "beads/issues.jsonl",
	"adr":   "adr", "auto-memory": "auto-memory", "basic-memory": "basic-memory",
	"markdown": "markdown", "mcp-memory": "mcp-memory/memory.jsonl", "claude-mem": "claude-mem/claude-mem.db",
	"transcripts": "transcripts", "engram": "engram/engram.db",
	"mcp-memory-service": "mcp-memory-service/sqlite_vec.db",
}

func sample(format string) string {
	return filepath.Join("..", "..", "testdata", "import", samples[format])
}

// everything is what an import would write and reports, as one text.
func everything(im *Import) string {
	var b strings.Builder
	for _, e := range im.Items {
		fmt.Fprintln(&b, e.Title, e.Text, e.Origin)
		b.Write(e.draft.Data)
	}
	return b.String()
}

func TestSamplesAreImportedOnce(t *testing.T) {
	for format := range samples {
		t.Run(format, func(t *testing.T) {
			w := newWriter(t)
			first := importAll(t, w, format, sample(format))
			if first.Written+first.Recorded == 0 || first.Counts[Refused] > 0 {
				t.Errorf("%d written: %v", first.Written, first.Items)
			}
			validation, err := doctor.Validate(context.Background(), w.Root)
			if err != nil || len(validation.Findings) > 0 {
				t.Errorf("%v %v", validation.Findings, err)
			}
			again := importAll(t, w, format, sample(format))
			if again.Written+again.Recorded > 0 || again.Counts[Changed]+again.Counts[Similar] > 0 ||
				again.Counts[LeftOut] != first.Counts[LeftOut] {
				t.Errorf("the second time: %v", again.Counts)
			}
		})
	}
}

// The same source gives the same bytes, whenever it is imported.
func TestFreshImportsAreTheSame(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Dir(sample("adr")))); err != nil {
		t.Fatal(err)
	}
	var first map[string]string
	for n := range 3 {
		w := newWriter(t)
		now := time.Date(2100, 1, 1, n, 0, 0, 0, time.UTC) // no source is as new
		w.Now = func() time.Time { return now }
		for _, format := range slices.Sorted(maps.Keys(samples)) {
			if format != "transcripts" {
				importAll(t, w, format, filepath.Join(folder, samples[format]))
			}
		}
		data, err := os.ReadFile(w.Root.Join(files.SourcesName))
		if err != nil {
			t.Fatal(err)
		}
		contents := filesOf(t, w)
		contents[files.SourcesName] = string(data)
		if first == nil {
			first = contents
		}
		if diff := cmp.Diff(first, contents); diff != "" {
			t.Fatalf("import %d: %s", n+1, diff)
		}
	}
}

// If an import of tool runs was stopped, also within a line, the next records the rest.
func TestToolRunsAreCompleted(t *testing.T) {
	w := newWriter(t)
	first := importAll(t, w, "transcripts", sample("transcripts"))
	path := filepath.Join(w.Root.Path, "observations", "7c0f2f6a-3f51-4c1e-9d1a-2b8f6e0a9c10.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{len(data) - 1, len(data) / 2, 10, 0} {
		if err := os.Truncate(path, int64(size)); err != nil {
			t.Fatal(err)
		}
		importAll(t, w, "transcripts", sample("transcripts"))
		if calls, err := observe.Calls(w.Root, "7c0f2f6a-3f51-4c1e-9d1a-2b8f6e0a9c10"); err != nil ||
			len(calls) != first.Recorded {
			t.Errorf("cut at %d: %d of %d runs, %v", size, len(calls), first.Recorded, err)
		}
	}
}

// Every word of a source is in a memory or in the report.
func TestNoWordIsLost(t *testing.T) {
	seeds := int64(60)
	if os.Getenv("MEMCTL_SOAK") != "" {
		seeds = 300
	}
	for _, format := range []string{"adr", "auto-memory", "basic-memory", "markdown"} {
		t.Run(format, func(t *testing.T) {
			w, folder := newWriter(t), t.TempDir()
			for seed := range seeds {
				doc := randomMarkdown{Rand: rand.New(rand.NewSource(seed))}
				phrase := doc.text(format)
				source := filepath.Join(folder, "note.md")
				if err := os.WriteFile(source, []byte(phrase), 0o600); err != nil {
					t.Fatal(err)
				}
				f, _ := FormatNamed(format)
				im, err := Read(context.Background(), w, f, source, Options{})
				if err != nil {
					t.Fatal(err)
				}
				got := everything(im)
				for n := range doc.words {
					if word := uniqueWord(n); !strings.Contains(got, word) {
						t.Fatalf("seed %d: %s is lost of:\n%s\ngot:\n%s", seed, word, phrase, got)
					}
				}
			}
		})
	}
}

// Every word of a graph is in a memory or in the report, whatever is linked to what.
func TestNoWordOfAGraphIsLost(t *testing.T) {
	w := newWriter(t)
	source := filepath.Join(t.TempDir(), "memory.jsonl")
	for seed := range int64(100) {
		r := randomMarkdown{Rand: rand.New(rand.NewSource(seed))}
		kinds := []string{"decision", "person", "procedure", ""}
		names := []string{"no such entity " + r.phraseOf()}
		var lines strings.Builder
		for range 1 + r.Intn(5) {
			var parts []string
			for range r.Intn(3) {
				parts = append(parts, r.phrase())
			}
			names = append(names, r.phraseOf())
			line, _ := json.Marshal(graphLine{Type: "entity", Name: names[len(names)-1],
				EntityType: kinds[r.Intn(len(kinds))], Observations: parts})
			fmt.Fprintf(&lines, "%s\n", line)
		}
		from, to := names[r.Intn(len(names))], names[r.Intn(len(names))]
		line, _ := json.Marshal(graphLine{Type: "relation", From: from, To: to, RelationType: "참조_" + r.phraseOf()})
		write(t, source, lines.String()+string(line))
		f, _ := FormatNamed("mcp-memory")
		im, err := Read(context.Background(), w, f, source, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := everything(im)
		for n := range r.words {
			if word := uniqueWord(n); strings.Contains(lines.String()+string(line), word) && !strings.Contains(got, word) ||
				strings.Contains(got, "\uFFFD") {
				t.Fatalf("seed %d: %s is lost of:\n%s%s\ngot:\n%s", seed, word, lines.String(), line, got)
			}
		}
	}
}

// randomMarkdown makes texts in which no word stands twice.
type randomMarkdown struct {
	*rand.Rand
	words int
}

// uniqueWord is a word that is part of no other.
func uniqueWord(n int) string { return fmt.Sprintf("zq%03dx", n) }

func (r *randomMarkdown) phrase() string {
	starts := []string{"", "", "Always use ", "Never ", "We decided to ", "TODO: ", "The ", "Run `go ", "[decision] ", "[idea] ", "**Why:** ", "requires [[", "see [a]("}
	start := starts[r.Intn(len(starts))]
	wording := start
	for i := range 1 + r.Intn(4) {
		if i > 0 {
			wording += " "
		}
		wording += uniqueWord(r.words)
		r.words++
	}
	for open, end := range map[string]string{"`go ": "`", "[[": "]]", "[a](": ")"} {
		if strings.HasSuffix(start, open) {
			wording = strings.ReplaceAll(wording, " zq", "-zq")
			wording = strings.Replace(wording, "`go-", "`go ", 1) + end
		}
	}
	return wording
}

func (r *randomMarkdown) text(format string) string {
	var b strings.Builder
	if r.Intn(3) == 0 {
		fmt.Fprintf(&b, "---\ntitle: %s\nowner: %s\ntags: [%s]\n---\n", r.phraseOf(), r.phraseOf(), r.phraseOf())
	}
	if r.Intn(3) > 0 {
		fmt.Fprintf(&b, "# %s\n\n", r.phraseOf())
	}
	headings := []string{"## Context", "## Decision", "## Consequences", "## Considered Options", "## Pros and Cons of the Options", "### Positive Consequences", "## Status", "## Links", "## Date", "## Related", "## Rationale", "## Notes", "## Observations", "## Relations", "## Commands", "### Other"}
	for range 2 + r.Intn(8) {
		switch r.Intn(9) {
		case 0:
			fmt.Fprintf(&b, "\n%s\n\n", headings[r.Intn(len(headings))])
		case 1:
			fmt.Fprintf(&b, "\n### %s\n\n", r.phraseOf())
		case 2, 3:
			fmt.Fprintf(&b, "- %s\n", r.phrase())
		case 4:
			fmt.Fprintf(&b, "- %s\n  continued %s\n  - nested %s\n", r.phrase(), r.phraseOf(), r.phrase())
		case 5:
			fmt.Fprintf(&b, "1. %s\n2. %s\n", r.phrase(), r.phrase())
		case 6:
			fmt.Fprintf(&b, "\n```sh\ngo %s\n```\n", r.phraseOf())
		case 7:
			fmt.Fprintf(&b, "\n%s\n%s:\n", r.phrase(), r.phraseOf())
		case 8:
			fmt.Fprintf(&b, "\n<!-- %s\n%s -->\n", r.phraseOf(), r.phraseOf())
		}
	}
	if format == "adr" && r.Intn(4) > 0 {
		fmt.Fprintf(&b, "\n## Decision\n\n%s\n", r.phrase())
	}
	return b.String()
}

func (r *randomMarkdown) phraseOf() string {
	r.words += 2
	return uniqueWord(r.words-2) + " " + uniqueWord(r.words-1)
}

// What an export writes is read again as the same files.
func TestLinesRoundTrip(t *testing.T) {
	from, to := newWriter(t), newWriter(t)
	for _, format := range []string{"adr", "basic-memory", "mcp-memory"} {
		importAll(t, from, format, sample(format))
	}
	if err := os.CopyFS(from.Root.Path, os.DirFS(filepath.Join("..", "..", "testdata", "stores", "parcel"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(from.Root.Path, "decisions", "half-written-merge.json")); err != nil { // no JSON
		t.Fatal(err)
	}
	if _, err := from.Move(context.Background(), writer.Retire, "retry-webhooks-for-a-day", "out of date"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "all.jsonl")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	x := Exporter{Root: from.Root, Filter: from.Filter()}
	n, err := x.Lines(context.Background(), out)
	if err != nil {
		t.Fatal(err)
	}
	if im := importAll(t, to, "jsonl", path); im.Written != n || n == 0 {
		t.Errorf("%d exported, %d imported", n, im.Written)
	}
	if im := importAll(t, to, "jsonl", path); im.Counts[Same] != n {
		t.Errorf("the second time: %v", im.Counts)
	}
	before, after := filesOf(t, from), filesOf(t, to)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

// What an export to Markdown writes is read again as the same memories, and says nothing new
// to those that it was made of.
func TestPagesRoundTrip(t *testing.T) {
	from, to := newWriter(t), newWriter(t)
	for format := range samples {
		if format != "transcripts" {
			importAll(t, from, format, sample(format))
		}
	}
	if err := os.CopyFS(from.Root.Path, os.DirFS(filepath.Join("..", "..", "testdata", "stores", "parcel"))); err != nil {
		t.Fatal(err)
	}
	awkward := []string{"", " a ", "a\n", "\n\na", "- a\n- b", "## Context\n\nx", "\\## a", "a\u200bb", "option: a", "a\n\n\n  b",
		"```\n## c\n```", "a\r\nb", "*", "1. a", "# a", "---", "\t"}
	batch, err := from.NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	var list []writer.New
	for i, s := range awkward {
		d := draft{category: schemas.Decision, title: fmt.Sprintf("Awkward text %d", i), content: &schemas.DecisionContent{
			Status: "proposed", Context: s, Decision: "d" + s, Rationale: []string{"r", s + "x", "y" + s}, Consequences: []string{},
			Alternatives: []schemas.Alternative{{Option: "o" + s, RejectedReason: s + "r"}, {Option: "p", RejectedReason: "q\nr"}}}}
		path, err := batch.Reserve(schemas.Decision, d.title)
		if err != nil {
			t.Fatal(err)
		}
		doc := d.memory(from.Now())
		doc.ID = strings.TrimSuffix(filepath.Base(path), ".json")
		first, _, err := batch.Draft(path, doc)
		if err != nil {
			continue // no valid memory
		}
		list = append(list, first)
	}
	if _, failed, err := batch.Write(context.Background(), list, func(int) {}); err != nil || len(failed) > 0 || len(list) < 10 {
		t.Fatal(err, failed, len(list))
	}
	folder := filepath.Join(t.TempDir(), "pages")
	x := Exporter{Root: from.Root, Filter: from.Filter()}
	n, err := x.Pages(context.Background(), folder)
	if err != nil {
		t.Fatal(err)
	}
	if im := importAll(t, to, "markdown", folder); im.Written != n {
		t.Errorf("%d exported, %d imported: %v", n, im.Written, im.Counts)
	}
	if im := importAll(t, from, "markdown", folder); im.Counts[Same] != n {
		for _, e := range im.Items {
			if e.State != Same {
				t.Errorf("%s %s %s", e.State, e.Path, e.Reason)
			}
		}
	}
	before, after := filesOf(t, from), filesOf(t, to)
	for path, data := range after {
		was, err := schemas.DecodeExact([]byte(before[path]))
		if err != nil {
			t.Fatal(err)
		}
		is, err := schemas.DecodeExact([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		for name, pair := range map[string][2]any{"title": {was.Title, is.Title}, "category": {was.Category, is.Category},
			"status": {was.RecordStatus, is.RecordStatus}, "content": {was.ContentValues(), is.ContentValues()},
			"tags": {was.Tags, is.Tags}, "created": {was.CreatedAt, is.CreatedAt}} {
			if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
				t.Errorf("%s: %s: %s", path, name, diff)
			}
		}
	}
}

// filesOf returns the memory files by their paths.
func filesOf(t *testing.T, w *writer.Writer) map[string]string {
	t.Helper()
	bodies := map[string]string{}
	names, err := filepath.Glob(filepath.Join(w.Root.Path, "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		bodies[filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name)] = string(data)
	}
	return bodies
}

const tables = `CREATE TABLE observations (id INTEGER PRIMARY KEY, project, type, title, subtitle, facts, narrative, concepts, files_modified, created_at_epoch);
	CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, project, request, investigated, learned, completed, next_steps, notes, created_at_epoch)`

// A hostile source ends with a reason, and nothing outside it is read.
func TestHostileSources(t *testing.T) {
	w := newWriter(t)
	outside := filepath.Join(t.TempDir(), "secret.md")
	write(t, outside, "Always use the secret word xyzzy.")

	t.Run("links", func(t *testing.T) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "real.md"), "---\ntype: rule\n---\nAlways use tabs.")
		for name, to := range map[string]string{"link.md": outside, "folder": filepath.Dir(outside), "loop.md": "loop.md"} {
			systemtest.Symlink(t, to, filepath.Join(dir, name))
		}
		im := importAll(t, w, "markdown", dir)
		if strings.Contains(everything(im), "xyzzy") || im.Written != 1 || im.Counts[LeftOut] != 2 {
			t.Errorf("%v", im.Items)
		}
	})
	t.Run("a line without end", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "memory.jsonl")
		write(t, path, `{"type":"entity","name":"a","entityType":"decision","observations":["b"]}`+"\n")
		if err := os.Truncate(path, 64<<20); err != nil {
			t.Fatal(err)
		}
		if im := importAll(t, w, "mcp-memory", path); im.Written != 1 || im.Counts[Refused] != 1 {
			t.Errorf("%v", im.Items)
		}
	})
	t.Run("files that are no text", func(t *testing.T) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "binary.md"), "\x00\x01")
		write(t, filepath.Join(dir, "latin.md"), "caf\xe9")
		write(t, filepath.Join(dir, "large.md"), strings.Repeat("a line of text\n", 100_000))
		if im := importAll(t, w, "markdown", dir); im.Counts[Refused] != 3 {
			t.Errorf("%v", im.Items)
		}
	})
	t.Run("front matter that grows", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "note.md")
		bomb := "---\na: &a [x,x,x,x,x,x,x,x,x]\n"
		for c := 'b'; c < 'k'; c++ {
			bomb += fmt.Sprintf("%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 8), c-1)
		}
		write(t, path, bomb+"---\nAlways use spaces.\n")
		if im := importAll(t, w, "markdown", path); len(everything(im)) > 1<<16 {
			t.Errorf("%d bytes", len(everything(im)))
		}
	})
	for name, schema := range map[string]string{
		"a view in a table's place": `CREATE VIEW observations AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id FROM n`,
		"a virtual table":           `CREATE VIRTUAL TABLE observations USING fts5(id, project, type, title, subtitle, facts, narrative, concepts, files_modified, created_at_epoch)`,
		"computed columns":          `CREATE TABLE observations (id INTEGER PRIMARY KEY, project TEXT AS (hex(zeroblob(500000000))), type, title, subtitle, facts, narrative, concepts, files_modified, created_at_epoch)`,
		"another table":             `CREATE TABLE notes (id)`,
		"a huge value":              tables + `; INSERT INTO observations (project, narrative) VALUES ('parcel', zeroblob(100000000))`,
	} {
		t.Run("a database with "+name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "claude-mem.db")
			db, err := sql.Open("sqlite", path)
			if err == nil {
				_, err = db.Exec(schema)
			}
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
			f, _ := FormatNamed("claude-mem")
			if im, err := Read(context.Background(), w, f, path, Options{Project: "parcel"}); err == nil {
				t.Errorf("%v", im.Items)
			}
			if left, _ := filepath.Glob(path + "-*"); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
	t.Run("too many files", func(t *testing.T) {
		src, err := openSource(t.TempDir(), w.Root)
		if err != nil {
			t.Fatal(err)
		}
		defer src.close()
		src.limit = 3
		for n := range 5 {
			write(t, filepath.Join(src.dir.Name(), fmt.Sprintf("%d.md", n)), "x")
		}
		if _, _, err := src.files(context.Background(), isMarkdown, nil); !errors.Is(err, errTooMuch) {
			t.Errorf("got %v", err)
		}
	})
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("---\na: b\n---\n# T\n\n- x\n  y\n1. z\n```\ncode\n")
	f.Fuzz(func(t *testing.T, phrase string) {
		formerTexts(phrase)
		_, body, first := cutFront(phrase)
		lines := strings.Count(phrase, "\n") + 1
		for _, s := range sections(body, first) {
			for _, b := range s.blocks {
				if b.line < 1 || b.line > lines {
					t.Errorf("line %d of %d", b.line, lines)
				}
			}
		}
	})
}
