package exchange

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// databases are sources that are databases, by their formats.
var databases = map[string]string{"engram": "engram/engram.db",
	"mcp-memory-service": "mcp-memory-service/sqlite_vec.db"}

// copied returns a copy of a sample, which a test may change.
func copied(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "import", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(name))
	write(t, path, string(data))
	return path
}

func execute(t *testing.T, path string, statements ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func TestADatabaseThatCannotBeReadIsNamed(t *testing.T) {
	for format, name := range databases {
		table := map[string]string{"engram": "observations", "mcp-memory-service": "memories"}[format]
		for _, test := range []struct {
			is, want string
			change   func(t *testing.T, path string)
		}{
			{"empty", "no database of " + format + ": it has no table", func(t *testing.T, path string) {
				write(t, path, "")
			}},
			{"cut off", "the database is damaged", func(t *testing.T, path string) {
				if err := os.Truncate(path, 20_000); err != nil {
					t.Fatal(err)
				}
			}},
			{"no database", "", func(t *testing.T, path string) { write(t, path, "hello") }},
			{"of a later release", "has no column content", func(t *testing.T, path string) {
				drop := `DROP TRIGGER IF EXISTS `
				execute(t, path, drop+"obs_fts_insert", drop+"obs_fts_update", drop+"obs_fts_delete",
					drop+"memories_fts_ai", drop+"memories_fts_au", drop+"memories_fts_ad",
					"ALTER TABLE "+table+" RENAME COLUMN content TO body")
			}},
			{"in use", "the database is locked; close " + format, func(t *testing.T, path string) {
				execute(t, path, "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL", "CREATE TABLE x (y)")
			}},
		} {
			t.Run(format+" "+test.is, func(t *testing.T) {
				path := copied(t, name)
				test.change(t, path)
				f, _ := FormatNamed(format)
				_, err := Read(context.Background(), newWriter(t), f, path, Options{Project: "parcel"})
				if err == nil || !strings.Contains(err.Error(), test.want) ||
					!strings.Contains(err.Error(), filepath.Base(path)) || !strings.Contains(err.Error(), format) &&
					!strings.Contains(err.Error(), "column") && !strings.Contains(err.Error(), "damaged") {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

func TestAnExportOfAnotherToolIsRefused(t *testing.T) {
	for name, content := range map[string]string{
		"nothing": "", "a list": "[]", "without observations": `{"version":"0.1.0"}`,
		"of something": `{"observations":[]}`,
		"cut off":      `{"version":"0.1.0","observations":[{"id":1,`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "export.json")
			write(t, path, content)
			f, _ := FormatNamed("engram")
			if im, err := Read(context.Background(), newWriter(t), f, path, Options{}); err == nil {
				t.Errorf("got %v", im.Items)
			}
		})
	}
}

func TestFieldsOfEngram(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		want    map[string]string
	}{
		"none": {"a\nb", map[string]string{"": "a\nb"}},
		"all": {"**What**: a\n**Why**: b\nc\n**Where**: d\n**Learned**: e",
			map[string]string{"": "", "What": "a", "Why": "b\nc", "Where": "d", "Learned": "e"}},
		"a text before them": {"x\n**Why**: b", map[string]string{"": "x", "Why": "b"}},
		"one that is twice":  {"**What**: a\n**What**: b", map[string]string{"": "", "What": "a\nb"}},
		"within a line":      {"the **What**: a", map[string]string{"": "the **What**: a"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := engramFields(test.content)
			for field, value := range test.want {
				if got[field] != value || len(got) != len(test.want) {
					t.Errorf("got %q, want %q", got, test.want)
				}
			}
		})
	}
}

// FuzzBeads looks for lines of issues that break the reader.
func FuzzBeads(f *testing.F) {
	f.Add(`{"id":"a-1","title":"t","issue_type":"decision","description":"## Decision\nx","dependencies":[{"type":"blocks"}]}`)
	f.Add(`{"_type":"memory","key":"k","value":"v"}`)
	f.Add("[]\nnull\n{")
	f.Fuzz(func(t *testing.T, lines string) {
		path := filepath.Join(t.TempDir(), "issues.jsonl")
		write(t, path, lines)
		format, _ := FormatNamed("beads")
		im, err := Read(context.Background(), newWriter(t), format, path, Options{})
		if err != nil && !errors.Is(err, errTooMuch) {
			t.Fatal(err)
		}
		for _, i := range im.Items {
			if i.Origin == "" || i.Line < 0 {
				t.Errorf("%+v", i)
			}
		}
	})
}
