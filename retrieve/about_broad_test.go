package retrieve

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"memctl/files"
	"memctl/indexer"
)

// inProject puts files into the project of a root and writes its triggers anew.
func inProject(t *testing.T, root files.Root, names ...string) {
	t.Helper()
	for _, name := range names {
		at := filepath.Join(root.Project, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := indexer.Rebuild(t.Context(), root, 0, nil); err != nil {
		t.Fatal(err)
	}
}

func idsAbout(root files.Root, a Action) (ids []string) {
	for _, r := range About(root, a) {
		ids = append(ids, r.ID)
	}
	return ids
}

func constraint(id, rule string, related ...string) json.RawMessage {
	data, _ := json.Marshal(related)
	return json.RawMessage(fmt.Sprintf(`{"category": "constraint", "id": %q, "title": "T", "record_status": "active",
		"related_files": %s, "content": {"rule": %q}}`, id, data, rule))
}

func titled(id, title string, related ...string) json.RawMessage {
	return json.RawMessage(strings.Replace(string(constraint(id, "It is so.", related...)), `"T"`, strconv.Quote(title), 1))
}

// A file that the text names counts if the project has one or two of the name; a name with a folder always does.
func TestAboutFilesThatTheTextNames(t *testing.T) {
	root := rootWith(t, []json.RawMessage{
		constraint("card", "Cards are paid in card.go."),
		constraint("index", "Exports are in index.ts."),
		constraint("folder", "See lib/rates.go:12 for it."),
		constraint("make", "The Makefile is the entry."),
		constraint("none", "As https://acme.example/lib/rates.go says, e.g. Node.js 1.5 or and/or."),
	})
	inProject(t, root, "src/card.go", "a/index.ts", "b/index.ts", "c/index.ts", "Makefile", "node_modules/x/card.go",
		"src/discard.go")
	for file, want := range map[string][]string{
		"src/card.go":      {"card"},
		"src/discard.go":   nil,
		"a/index.ts":       nil,
		"lib/rates.go":     {"folder"},
		"app/lib/rates.go": {"folder"},
		"other/rates.go":   nil,
		"Makefile":         {"make"},
		"src":              nil,
	} {
		if got := idsAbout(root, Action{Files: []string{file}}); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
}

// A folder or a pattern of more than a few files needs half of the title, and does not mean tests and what programs write unless
// it is for them.
func TestAboutBroadFoldersAndTests(t *testing.T) {
	root := rootWith(t, []json.RawMessage{
		constraint("few", "It is small.", "few"),
		titled("many", "Refunds in cents", "many"),
		titled("pattern", "Refunds in cents", "glob/**/*.go"),
		constraint("tests", "They use tables.", "few/**/*_test.go"),
		constraint("words-b", "Ledger rows are sorted.", "words"),
		constraint("words-a", "It is.", "words"),
	})
	var names []string
	for n := range manyFiles + 1 {
		names = append(names, fmt.Sprintf("many/f%d.go", n), fmt.Sprintf("glob/f%d.go", n))
	}
	inProject(t, root, append(names, "few/a.go")...)
	for _, tt := range []struct {
		file, text string
		want       []string
	}{
		{"few/a.go", "", []string{"few"}},
		{"few/a_test.go", "", []string{"tests"}},
		{"few/vendor/a.go", "", nil},
		{"few/a.pb.go", "", nil},
		{"many/f1.go", "", nil},
		{"many/refunds.go", "", []string{"many"}},
		{"many/f1.go", "func cents()", []string{"many"}},
		{"glob/f1.go", "", nil},
		{"glob/x/f1.go", "the refunds", []string{"pattern"}},
		{"words/a.go", "", []string{"words-a", "words-b"}},
		{"many/f1.go", "// " + "many", nil},
		{"words/a.go", "sorted ledger rows", []string{"words-b", "words-a"}},
	} {
		if got := idsAbout(root, Action{Files: []string{tt.file}, Text: tt.text}); !slices.Equal(got, tt.want) {
			t.Errorf("%s %s: got %q, want %q", tt.file, tt.text, got, tt.want)
		}
	}
}

func TestAboutOnlyWhatIsForbidden(t *testing.T) {
	root := rootWith(t, []json.RawMessage{constraint("migrate", "Only `make migrate`, never `alembic upgrade head`.")})
	for command, want := range map[string]int{"make migrate": 0, "sudo -u x alembic upgrade head": 1} {
		got := About(root, Action{Command: command})
		if len(got) != want || want == 1 && !got[0].Forbids {
			t.Errorf("%s: got %v", command, got)
		}
	}
}

// What is written is about a memory if it has half of the words of the title, three at least; one memory at most, no
// runbook, and not in tests.
func TestAboutWhatIsWritten(t *testing.T) {
	root := rootWith(t, []json.RawMessage{
		titled("refunds", "Refund amounts are stored as cents"),
		titled("amounts", "Refund amounts are rounded as cents"),
		titled("short", "Refund cents"),
		json.RawMessage(strings.Replace(string(titled("steps", "Refund amounts as stored cents")), "constraint", "runbook", 1)),
	})
	inProject(t, root, "a.go")
	for _, tt := range []struct {
		file, text string
		want       []string
	}{
		{"a.go", "// amounts of a refund are stored in cents", []string{"refunds"}},
		{"a.go", "a refund in cents", nil},
		{"a_test.go", "// amounts of a refund are stored in cents", nil},
	} {
		if got := idsAbout(root, Action{Files: []string{tt.file}, Text: tt.text}); !slices.Equal(got, tt.want) {
			t.Errorf("%s %s: got %q, want %q", tt.file, tt.text, got, tt.want)
		}
	}
}
