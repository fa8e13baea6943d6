package memctl_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	// maxColumns is how many columns a line may have; a tab takes tabColumns.
	maxColumns, tabColumns = 120, 4
	// longTestLines is how many longer lines the tests have. The number may only fall.
	longTestLines = 2050
)

// sentence is a line of a comment, or a message.
type sentence struct {
	place string // file:line
	text  string
}

// walkFiles calls fn with the path and the content of each file with one of the extensions, outside of testdata and
// of folders that git ignores.
func walkFiles(t *testing.T, fn func(path, content string), extensions ...string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir():
			if path != "." && (strings.HasPrefix(name, ".") ||
				slices.Contains([]string{"testdata", "bin", "dist", "node_modules"}, name)) {
				return fs.SkipDir
			}
			return nil
		case !slices.Contains(extensions, filepath.Ext(name)):
			return nil
		}
		data, err := os.ReadFile(path)
		fn(filepath.ToSlash(path), string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func columns(line string) int {
	return utf8.RuneCountInString(line) + strings.Count(line, "\t")*(tabColumns-1)
}

// Go and SQL end before column 121. Not counted are a field's tag, which Go cannot break, and migrations, which are
// not edited once they have run.
func TestLinesAreShort(t *testing.T) {
	tag := regexp.MustCompile("`[a-z_]+:\"[^`]*`$")
	inTests := 0
	walkFiles(t, func(path, content string) {
		if strings.HasSuffix(filepath.Dir(path), "migrations") && filepath.Ext(path) == ".sql" {
			return
		}
		number := 0
		for line := range strings.Lines(content) {
			number++
			line = strings.TrimRight(line, "\n")
			switch n := columns(line); {
			case n <= maxColumns || tag.MatchString(line):
			case strings.HasSuffix(path, "_test.go"):
				inTests++
			default:
				t.Errorf("%s:%d has %d columns", path, number, n)
			}
		}
	}, ".go", ".sql")
	if inTests > longTestLines {
		t.Errorf("%d lines of tests have more than %d columns, and %d is the bound", inTests, maxColumns, longTestLines)
	}
}

// readSentences returns the comments and the messages of all Go files that are no tests, and the help texts as messages.
func readSentences(t *testing.T) (comments, messages []sentence) {
	t.Helper()
	words := regexp.MustCompile(`\pL+ \pL+ \pL+`)
	fset := token.NewFileSet()
	walkFiles(t, func(path, content string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		file, err := parser.ParseFile(fset, path, content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		place := func(pos token.Pos, line int) string { return fmt.Sprintf("%s:%d", path, fset.Position(pos).Line+line) }
		for _, group := range file.Comments {
			for _, comment := range group.List {
				for i, line := range strings.Split(comment.Text, "\n") {
					if !strings.HasPrefix(line, "//go:") {
						comments = append(comments, sentence{place(comment.Slash, i), line})
					}
				}
			}
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.Field:
				return node.Tag == nil
			case *ast.BasicLit:
				if node.Kind != token.STRING {
					return false
				}
				if value, _ := strconv.Unquote(node.Value); words.MatchString(value) && !strings.Contains(value, "SELECT") {
					messages = append(messages, sentence{place(node.ValuePos, 0), value})
				}
			}
			return true
		})
	}, ".go")
	walkFiles(t, func(path, content string) {
		if !strings.Contains(path, "/help/") && path != "schemas/settings.txt" {
			return
		}
		for i, line := range strings.Split(content, "\n") {
			messages = append(messages, sentence{fmt.Sprintf("%s:%d", path, i+1), line})
		}
	}, ".txt")
	return comments, messages
}

// marks are the signs of English that is translated word by word, and how often comments and messages may have each,
// in 10,000 words. The numbers may only fall.
var marks = []struct {
	name               string
	sign               *regexp.Regexp
	comments, messages int
}{
	{"what", regexp.MustCompile(`(?i)\bwhat\b`), 76, 57},
	{"is what", regexp.MustCompile(`\b(?:is|are) what\b`), 1, 1},
	{"is how", regexp.MustCompile(`\bis how (?:an?|the|one|it|its|[a-z]+ly|old|deep)\b`), 0, 0},
	{"is no", regexp.MustCompile(`\b(?:is|are|was|were) no\b`), 7, 3},
	{"is none", regexp.MustCompile(`\b(?:is|are|has|have) none\b`), 6, 1},
	{"nothing of", regexp.MustCompile(`\bnothing of\b`), 1, 0},
	{"or else", regexp.MustCompile(`\bor else\b`), 0, 0},
	{"of which", regexp.MustCompile(`\b(?:of|for|by|from|to|with|in|at) which\b`), 16, 3},
	{"that of", regexp.MustCompile(`\b(?:that|those) of\b`), 18, 13},
	{"stands, lies", regexp.MustCompile(`\b(?:stands?|lies?)\b`), 18, 4},
	{"holds", regexp.MustCompile(`\bholds?\b`), 12, 4},
	{"counts", regexp.MustCompile(`\bcounts\b`), 11, 1},
	{"goes with", regexp.MustCompile(`\bgo(?:es)? with\b`), 1, 0},
	{"take out", regexp.MustCompile(`\b(?:takes?|taken|took) (?:it |them |this |that )?out\b`), 2, 0},
	{"bring back, look after", regexp.MustCompile(`\b(?:br[io]\w+ (?:it |them )?back|looks? after)\b`), 1, 1},
}

// idiom is English, although it has a mark.
var idiom = regexp.MustCompile(`(?i)\b(?:there (?:is|are|was|were) (?:no|none)|is no longer|what to do)\b`)

// Comments and messages say a thing by its noun, and negate the verb.
func TestEnglishIsPlain(t *testing.T) {
	comments, messages := readSentences(t)
	for _, mark := range marks {
		for kind, list := range map[string][]sentence{"comments": comments, "messages": messages} {
			ceiling := mark.comments
			if kind == "messages" {
				ceiling = mark.messages
			}
			words := 0
			var hits []string
			for _, s := range list {
				words += len(strings.Fields(s.text))
				for range mark.sign.FindAllString(idiom.ReplaceAllString(s.text, ""), -1) {
					hits = append(hits, s.place+": "+strings.TrimSpace(s.text))
				}
			}
			if allowed := ceiling * words / 10_000; len(hits) > allowed {
				t.Errorf("%s: %q is %d over the ceiling: %d times in %d words, where %d are allowed. Word your new lines "+
					"without it; all that have it:\n%s", kind, mark.name, len(hits)-allowed, len(hits), words, allowed,
					strings.Join(hits, "\n"))
			}
		}
	}
}

// The last table of CONTRIBUTING.md says which word stands for a thing, and no text uses the other words.
func TestOneWordForOneThing(t *testing.T) {
	const page = "CONTRIBUTING.md"
	pages := docPages(t)
	_, table, _ := strings.Cut(pages[page], "\n| word | not |\n")
	refused := map[string]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) != 2 {
			continue
		}
		for word := range strings.SplitSeq(cells[1], ", ") {
			refused[word] = cells[0]
		}
	}
	pages[page] = strings.TrimSuffix(pages[page], table)
	if len(refused) < 15 {
		t.Fatalf("%s refuses only %d words", page, len(refused))
	}
	var texts []sentence
	comments, messages := readSentences(t)
	for path, content := range pages {
		for i, line := range strings.Split(content, "\n") {
			texts = append(texts, sentence{fmt.Sprintf("%s:%d", path, i+1), line})
		}
	}
	for word, use := range refused {
		sign := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word) + `(?:s|d|ed)?\b`)
		for _, s := range slices.Concat(texts, comments, messages) {
			if sign.MatchString(s.text) {
				t.Errorf("%s: write %q instead of %q", s.place, use, word)
			}
		}
	}
}
